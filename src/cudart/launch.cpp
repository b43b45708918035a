#include "cudart/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "cudart/call.h"
#include "cudart/counter_names.h"
#include "cudart/faults.h"
#include "cudart/frames.h"
#include "cudart/graphs.h"
#include "cudart/hazards.h"

namespace workbook::cudart {

namespace {

thread_local std::vector<CallConfiguration> configurations;
thread_local CallConfiguration popped;

sim::Dim3 to_sim(dim3 d) {
  return {d.x, d.y, d.z};
}

std::uint64_t threads_of(dim3 block) {
  return std::uint64_t{block.x} * block.y * block.z;
}

// The bytes of the kernel's parameters, as the PTX lays them out.
std::vector<std::byte> parameter_bytes(const sim::FunctionFacts& facts, void** arguments) {
  std::vector<std::byte> bytes(facts.parameter_bytes);
  for (std::size_t i = 0; i < facts.parameters.size(); ++i) {
    const ptx::Parameter& parameter = facts.parameters[i];
    std::memcpy(bytes.data() + parameter.offset, arguments[i], parameter.size);
  }
  return bytes;
}

// What a launch carries from its call to its end on the device.
struct Running {
  sim::FunctionId function = 0;
  sim::Dim3 grid, block;
  std::uint32_t dynamic_shared = 0;
  bool cooperative = false, in_order = false;
  std::vector<std::byte> parameters;
  std::shared_ptr<trace::Event> event;
  sim::LaunchResult result;
};

// %globaltimer counts nanoseconds since 1970, so that its lower half alone is no time. This device always
// starts on the same day: 2027-01-15, 08:00.
constexpr std::int64_t timer_epoch_ns = 1'800'000'000'000'000'000;

std::int64_t run_kernel(Running& running, const Op& op) {
  Runtime& runtime = Runtime::get();
  sim::Device& device = runtime.device();
  running.result = device.launch({.function = running.function,
                                  .grid = running.grid,
                                  .block = running.block,
                                  .dynamic_shared_bytes = running.dynamic_shared,
                                  .parameters = running.parameters,
                                  .cooperative = running.cooperative,
                                  .in_order = running.in_order,
                                  .start_ns = static_cast<std::uint64_t>(timer_epoch_ns + op.started)});
  runtime.hazards().takes_place(op, running.event, running.result.touched);
  running.result.touched = {};
  const std::uint32_t resident = device.blocks_per_sm(
      running.function, static_cast<std::uint32_t>(running.block.count()), running.dynamic_shared);
  const model::KernelTime time = model::kernel_time(runtime.profile(), running.result.counters, resident);
  running.event->bound_by = time.bound_by;
  running.event->registers = running.result.counters.registers_per_thread;
  list_counters(running.result.counters, device.limits(), running.event->counter_names,
                running.event->counter_values);
  return time.ns;
}

void end_kernel(Running& running, const Op& op) {
  Runtime& runtime = Runtime::get();
  trace::Event& event = *running.event;
  event.device_begin_ns = op.started;
  event.device_end_ns = op.ended;
  runtime.write(event);
  if (!running.result.output.empty()) runtime.hold_output(std::move(running.result.output));
  if (running.result.absent_source) remark_absent_source(*running.result.absent_source, event);
  if (!running.result.fault) return;
  report_kernel_fault(*running.result.fault, event, op.ended);
  runtime.fail_device(error_of(running.result.fault->kind), op.ended);
}

void fill_event(trace::Event& event, const Launch& launch, const sim::FunctionFacts& facts, int stream) {
  event.name = facts.display_name;
  event.stream = stream;
  event.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
  event.block = {launch.block.x, launch.block.y, launch.block.z};
  event.dynamic_shared = static_cast<std::uint32_t>(std::min<std::size_t>(launch.shared, UINT32_MAX));
  event.static_shared = facts.static_shared_bytes;
  event.registers = facts.registers;
}

std::optional<cudaError_t> captured_instead(Kernel* kernel, Stream& stream, const Launch& l,
                                            const sim::FunctionFacts& facts) {
  if (!captures_run()) return std::nullopt;
  return capture_work(stream, cudaGraphNodeTypeKernel, kernel_work(kernel, l, facts));
}

cudaError_t refuse(Call& call, cudaError_t error, const std::string& text) {
  call.runtime.remark("launch", text);
  return call.end(error);
}

}  // namespace

void push_configuration(CallConfiguration configuration) {
  configurations.push_back(std::move(configuration));
}

const CallConfiguration* pop_configuration() {
  if (configurations.empty()) return nullptr;
  popped = std::move(configurations.back());
  configurations.pop_back();
  return &popped;
}

Frames take_popped_frames() {
  return std::move(popped.frames);
}

std::string refused_shape(const sim::Limits& limits, const sim::FunctionFacts& facts,
                          std::uint32_t max_dynamic, const Launch& l, cudaError_t& error) {
  error = cudaErrorInvalidValue;  // what CUDA 13 gives for every one of these, measured on an H200
  const std::uint64_t threads = threads_of(l.block);
  const unsigned grid[3] = {l.grid.x, l.grid.y, l.grid.z}, block[3] = {l.block.x, l.block.y, l.block.z};
  for (int i = 0; i < 3; ++i) {
    const char axis = "xyz"[i];
    const auto axis_index = static_cast<std::size_t>(i);
    if (grid[i] == 0) return fmt::format("the grid has 0 blocks in {}; a launch needs at least one", axis);
    if (block[i] == 0) return fmt::format("the block has 0 threads in {}; a launch needs at least one", axis);
    if (block[i] > limits.max_block[axis_index]) {
      return fmt::format("the block has {} threads in {}, the limit is {}", block[i], axis,
                         limits.max_block[axis_index]);
    }
    if (grid[i] > limits.max_grid[axis_index]) {
      return fmt::format("the grid has {} blocks in {}, the limit is {}", grid[i], axis,
                         limits.max_grid[axis_index]);
    }
  }
  if (threads > limits.max_threads_per_block) {
    return fmt::format("the block has {} threads, the limit is {}", threads, limits.max_threads_per_block);
  }
  const std::uint64_t allowed = max_dynamic != 0 ? max_dynamic
                                                 : limits.shared_bytes_per_block -
                                                       std::min<std::uint64_t>(facts.static_shared_bytes,
                                                                               limits.shared_bytes_per_block);
  if (l.shared > allowed) {
    return fmt::format("the block asks for {} bytes of dynamic shared memory, {} has at most {}{}", l.shared,
                       facts.display_name, allowed,
                       max_dynamic == 0 ? " unless cudaFuncSetAttribute allows it more" : "");
  }
  if (threads > facts.max_threads_per_block) {
    // Launch bounds are refused as a value, registers as a lack of resources.
    const bool by_registers = std::uint64_t{facts.registers} * threads > limits.registers_per_sm;
    if (by_registers) error = cudaErrorLaunchOutOfResources;
    return fmt::format("the block has {} threads, {} allows {} ({})", threads, facts.display_name,
                       facts.max_threads_per_block, by_registers ? "its registers" : "its launch bounds");
  }
  return {};
}

cudaError_t launch(Kernel* kernel, const Launch& l, cudaError_t if_unknown) {
  Call call(l.api, trace::EventKind::kernel);
  if (Frames frames = take_popped_frames(); !frames.empty()) call.event.frames = std::move(frames);
  if (call.refused()) return call.refusal();
  Runtime& runtime = call.runtime;
  if (kernel == nullptr) return call.end(if_unknown);
  Stream* const stream = find_stream(l.stream);
  if (stream == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  if (const int error = Modules::get().ready(*kernel, /*launching=*/true); error != cudaSuccess) {
    return call.end(static_cast<cudaError_t>(error));
  }
  sim::Device& device = runtime.device();
  const sim::FunctionFacts& facts = device.facts(*kernel->function);
  fill_event(call.event, l, facts, stream->number);
  if (const std::string why = device.unsupported(*kernel->function); !why.empty()) {
    return refuse(call, cudaErrorNotSupported,
                  fmt::format("kernel {} can't run on the simulated device: {}", facts.display_name, why));
  }
  cudaError_t error = cudaSuccess;
  if (const std::string why = refused_shape(device.limits(), facts, kernel->max_dynamic_shared, l, error);
      !why.empty()) {
    return refuse(call, error, fmt::format("{} was not launched: {}", facts.display_name, why));
  }
  const std::uint32_t resident =
      device.blocks_per_sm(*kernel->function, static_cast<std::uint32_t>(threads_of(l.block)),
                           static_cast<std::uint32_t>(l.shared));
  if (resident == 0) {
    return refuse(call, cudaErrorLaunchOutOfResources,
                  fmt::format("{} was not launched: one block needs more than a multiprocessor has",
                              facts.display_name));
  }
  const double slots = static_cast<double>(resident) * device.limits().sm_count;
  const double blocks = static_cast<double>(to_sim(l.grid).count());
  if (l.cooperative && blocks > slots) {
    return refuse(call, cudaErrorCooperativeLaunchTooLarge,
                  fmt::format("{} was not launched: {} blocks, and {} can be resident", facts.display_name,
                              blocks, slots));
  }
  if (const auto captured = captured_instead(kernel, *stream, l, facts)) return call.end(*captured);
  auto running = std::make_shared<Running>();
  running->function = *kernel->function;
  running->grid = to_sim(l.grid);
  running->block = to_sim(l.block);
  running->dynamic_shared = static_cast<std::uint32_t>(l.shared);
  running->cooperative = l.cooperative;
  running->in_order = runtime.blocks_in_order;
  running->parameters = parameter_bytes(facts, l.arguments);
  running->event = call.take_event(/*device_writes=*/true);
  ++runtime.totals.launches;
  call.spend(runtime.costs().launch_call);
  Op op;
  op.engine = EngineKind::compute;
  op.is_kernel = true;
  op.share = std::min(1.0, blocks / slots);
  op.earliest = runtime.now() + runtime.costs().launch_latency;
  op.begin = [running](const Op& self) { return run_kernel(*running, self); };
  op.end = [running](const Op& self) { end_kernel(*running, self); };
  runtime.engine().enqueue(*stream, std::move(op));
  return call.end(cudaSuccess);
}

}  // namespace workbook::cudart
