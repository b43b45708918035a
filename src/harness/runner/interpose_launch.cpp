// Launches, waits, streams and events, on the way through the runner.
#include "harness/runner/delays.h"
#include "harness/runner/interpose.h"
#include "harness/runner/sample.h"

using workbook::runner::hold_back;
using workbook::runner::kernel_name;
using workbook::runner::launch_must_fail;
using workbook::runner::Passing;
using workbook::runner::stream_number;
using workbook::runner::work_was_queued;
using workbook::trace::EventKind;

namespace {

void describe(Passing& passing, const void* function, dim3 grid, dim3 block, std::size_t shared,
              cudaStream_t stream) {
  if (!passing.recorded()) return;
  passing.event.name = kernel_name(function);
  passing.event.grid = {grid.x, grid.y, grid.z};
  passing.event.block = {block.x, block.y, block.z};
  passing.event.dynamic_shared = static_cast<std::uint32_t>(shared);
  passing.event.stream = stream_number(stream);
}

cudaError_t stream_is_there(Passing& passing, cudaError_t result, const cudaStream_t* stream) {
  if (result == cudaSuccess) workbook::runner::stream_came(*stream);
  if (passing.recorded() && result == cudaSuccess) passing.event.stream = stream_number(*stream);
  return passing.done(result);
}

// A grid that no device has: asked of the real function, so that the runtime keeps the error as it would.
const dim3 no_blocks(0, 0, 0);

// The failure that was ordered, whatever the real function thinks of it.
cudaError_t refused(cudaError_t result) {
  return result == cudaSuccess ? cudaErrorInvalidConfiguration : result;
}

}  // namespace

WRAP(cudaLaunchKernel, (const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                        cudaStream_t stream)) {
  Passing passing(EventKind::kernel, "cudaLaunchKernel");
  describe(passing, function, grid, block, shared, stream);
  if (launch_must_fail())
    return passing.done(
        refused(__real_cudaLaunchKernel(function, no_blocks, block, arguments, shared, stream)));
  hold_back(stream);
  work_was_queued(stream);
  return passing.done(__real_cudaLaunchKernel(function, grid, block, arguments, shared, stream));
}

// What `kernel<<<grid, block>>>(...)` becomes since CUDA 13.
WRAP(__cudaLaunchKernel, (cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                          cudaStream_t stream)) {
  Passing passing(EventKind::kernel, "cudaLaunchKernel");
  describe(passing, kernel, grid, block, shared, stream);
  if (launch_must_fail())
    return passing.done(
        refused(__real___cudaLaunchKernel(kernel, no_blocks, block, arguments, shared, stream)));
  hold_back(stream);
  work_was_queued(stream);
  return passing.done(__real___cudaLaunchKernel(kernel, grid, block, arguments, shared, stream));
}

WRAP(cudaLaunchCooperativeKernel, (const void* function, dim3 grid, dim3 block, void** arguments,
                                   std::size_t shared, cudaStream_t stream)) {
  Passing passing(EventKind::kernel, "cudaLaunchCooperativeKernel");
  describe(passing, function, grid, block, shared, stream);
  hold_back(stream);
  work_was_queued(stream);
  return passing.done(__real_cudaLaunchCooperativeKernel(function, grid, block, arguments, shared, stream));
}

WRAP(cudaLaunchKernelExC, (const cudaLaunchConfig_t* config, const void* function, void** arguments)) {
  Passing passing(EventKind::kernel, "cudaLaunchKernelExC");
  if (config != nullptr) {
    describe(passing, function, config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream);
    hold_back(config->stream);
    work_was_queued(config->stream);
  }
  return passing.done(__real_cudaLaunchKernelExC(config, function, arguments));
}

WRAP(cudaDeviceSynchronize, ()) {
  workbook::runner::about_to_wait_for_all();
  Passing passing(EventKind::sync, "cudaDeviceSynchronize");
  return passing.done(__real_cudaDeviceSynchronize());
}

WRAP(cudaStreamSynchronize, (cudaStream_t stream)) {
  workbook::runner::about_to_wait_for(stream);
  Passing passing(EventKind::sync, "cudaStreamSynchronize");
  if (passing.recorded()) passing.event.stream = stream_number(stream);
  return passing.done(__real_cudaStreamSynchronize(stream));
}

WRAP(cudaEventSynchronize, (cudaEvent_t event)) {
  Passing passing(EventKind::sync, "cudaEventSynchronize");
  return passing.done(__real_cudaEventSynchronize(event));
}

WRAP(cudaStreamCreate, (cudaStream_t * stream)) {
  Passing passing(EventKind::stream, "cudaStreamCreate");
  return stream_is_there(passing, __real_cudaStreamCreate(stream), stream);
}

WRAP(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags)) {
  Passing passing(EventKind::stream, "cudaStreamCreateWithFlags");
  return stream_is_there(passing, __real_cudaStreamCreateWithFlags(stream, flags), stream);
}

WRAP(cudaStreamCreateWithPriority, (cudaStream_t * stream, unsigned flags, int priority)) {
  Passing passing(EventKind::stream, "cudaStreamCreateWithPriority");
  return stream_is_there(passing, __real_cudaStreamCreateWithPriority(stream, flags, priority), stream);
}

WRAP(cudaStreamDestroy, (cudaStream_t stream)) {
  workbook::runner::stream_goes(stream);
  Passing passing(EventKind::stream, "cudaStreamDestroy");
  if (passing.recorded()) passing.event.stream = stream_number(stream);
  return passing.done(__real_cudaStreamDestroy(stream));
}

WRAP(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream)) {
  Passing passing(EventKind::event, "cudaEventRecord");
  if (passing.recorded()) passing.event.stream = stream_number(stream);
  return passing.done(__real_cudaEventRecord(event, stream));
}

WRAP(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags)) {
  Passing passing(EventKind::event, "cudaStreamWaitEvent");
  if (passing.recorded()) passing.event.stream = stream_number(stream);
  return passing.done(__real_cudaStreamWaitEvent(stream, event, flags));
}
