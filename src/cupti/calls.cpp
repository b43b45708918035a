#include "cupti/calls.h"

#include <cuda_runtime_api.h>

#include <cstring>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace workbook::cupti {

using trace::EventKind;
using trace::MemoryKind;

namespace {

std::uint64_t number(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

// --- memory ---

void came(Call& call, Objects& objects, void* const* where, std::size_t bytes, MemoryKind kind) {
  call.bytes = bytes;
  call.to = kind;
  if (call.result != cudaSuccess || where == nullptr) return;
  call.address = number(*where);
  if (call.address != 0) objects.made({call.address, bytes, kind});
}

void went(Call& call, Objects& objects, const void* pointer) {
  call.address = number(pointer);
  const auto block = objects.gone(call.address);
  call.bytes = block.size;
  call.to = block.kind;
}

template <class P>
void read_malloc(Call& call, const void* parameters, Objects& objects, bool) {
  const auto& p = *static_cast<const P*>(parameters);
  came(call, objects, p.devPtr, p.size, MemoryKind::device);
}

void read_malloc_pitch(Call& call, const void* parameters, Objects& objects, bool) {
  const auto& p = *static_cast<const cudaMallocPitch_v3020_params*>(parameters);
  const std::size_t bytes = p.pitch != nullptr && call.result == cudaSuccess ? *p.pitch * p.height : 0;
  came(call, objects, p.devPtr, bytes, MemoryKind::device);
}

void read_malloc_async(Call& call, const void* parameters, Objects& objects, bool per_thread) {
  const auto& p = *static_cast<const cudaMallocAsync_v11020_params*>(parameters);
  came(call, objects, p.devPtr, p.size, MemoryKind::device);
  call.stream = objects.stream(p.hStream, per_thread);
}

void read_malloc_host(Call& call, const void* parameters, Objects& objects, bool) {
  const auto& p = *static_cast<const cudaMallocHost_v3020_params*>(parameters);
  came(call, objects, p.ptr, p.size, MemoryKind::pinned);
}

void read_host_alloc(Call& call, const void* parameters, Objects& objects, bool) {
  const auto& p = *static_cast<const cudaHostAlloc_v3020_params*>(parameters);
  came(call, objects, p.pHost, p.size, MemoryKind::pinned);
}

void read_managed(Call& call, const void* parameters, Objects& objects, bool) {
  const auto& p = *static_cast<const cudaMallocManaged_v6000_params*>(parameters);
  came(call, objects, p.devPtr, p.size, MemoryKind::managed);
}

void read_register(Call& call, const void* parameters, Objects& objects, bool) {
  const auto& p = *static_cast<const cudaHostRegister_v4000_params*>(parameters);
  came(call, objects, &p.ptr, p.size, MemoryKind::pinned);
}

template <class P>
void read_free(Call& call, const void* parameters, Objects& objects, bool) {
  const void* pointer = nullptr;
  std::memcpy(&pointer, parameters, sizeof pointer);  // the first argument of each of them
  went(call, objects, pointer);
}

void read_free_async(Call& call, const void* parameters, Objects& objects, bool per_thread) {
  const auto& p = *static_cast<const cudaFreeAsync_v11020_params*>(parameters);
  went(call, objects, p.devPtr);
  call.stream = objects.stream(p.hStream, per_thread);
}

// --- copies; the kinds of memory are overruled by what CUPTI says of the copy itself ---

void copied(Call& call, Objects& objects, const void* to, const void* from, std::size_t bytes, int kind) {
  call.address = number(to);
  call.source = number(from);
  call.bytes = bytes;
  call.copy_kind = kind;
  call.to = objects.kind_at(call.address);
  call.from = objects.kind_at(call.source);
}

void read_memcpy(Call& call, const void* parameters, Objects& objects, bool) {
  const auto& p = *static_cast<const cudaMemcpy_v3020_params*>(parameters);
  copied(call, objects, p.dst, p.src, p.count, p.kind);
}

void read_memcpy_async(Call& call, const void* parameters, Objects& objects, bool per_thread) {
  const auto& p = *static_cast<const cudaMemcpyAsync_v3020_params*>(parameters);
  copied(call, objects, p.dst, p.src, p.count, p.kind);
  call.asynchronous = true;
  call.stream = objects.stream(p.stream, per_thread);
}

void read_memcpy_2d(Call& call, const void* parameters, Objects& objects, bool) {
  const auto& p = *static_cast<const cudaMemcpy2D_v3020_params*>(parameters);
  copied(call, objects, p.dst, p.src, p.width * p.height, p.kind);
}

void read_memcpy_2d_async(Call& call, const void* parameters, Objects& objects, bool per_thread) {
  const auto& p = *static_cast<const cudaMemcpy2DAsync_v3020_params*>(parameters);
  copied(call, objects, p.dst, p.src, p.width * p.height, p.kind);
  call.asynchronous = true;
  call.stream = objects.stream(p.stream, per_thread);
}

// The handle of a symbol is an address on the host; where it lies on the device is not known here.
void read_to_symbol(Call& call, const void* parameters, Objects& objects, bool) {
  const auto& p = *static_cast<const cudaMemcpyToSymbol_v3020_params*>(parameters);
  copied(call, objects, nullptr, p.src, p.count, p.kind);
  call.to = MemoryKind::device;
}

void read_from_symbol(Call& call, const void* parameters, Objects& objects, bool) {
  const auto& p = *static_cast<const cudaMemcpyFromSymbol_v3020_params*>(parameters);
  copied(call, objects, p.dst, nullptr, p.count, p.kind);
  call.from = MemoryKind::device;
}

void read_memset(Call& call, const void* parameters, Objects& objects, bool) {
  const auto& p = *static_cast<const cudaMemset_v3020_params*>(parameters);
  call.address = number(p.devPtr);
  call.bytes = p.count;
  call.to = objects.kind_at(call.address);
}

void read_memset_async(Call& call, const void* parameters, Objects& objects, bool per_thread) {
  const auto& p = *static_cast<const cudaMemsetAsync_v3020_params*>(parameters);
  call.address = number(p.devPtr);
  call.bytes = p.count;
  call.to = objects.kind_at(call.address);
  call.asynchronous = true;
  call.stream = objects.stream(p.stream, per_thread);
}

// --- launches ---

void launched(Call& call, dim3 grid, dim3 block, std::size_t shared) {
  call.grid = {grid.x, grid.y, grid.z};
  call.block = {block.x, block.y, block.z};
  call.dynamic_shared = static_cast<std::uint32_t>(shared);
}

template <class P>
void read_launch(Call& call, const void* parameters, Objects& objects, bool per_thread) {
  const auto& p = *static_cast<const P*>(parameters);
  launched(call, p.gridDim, p.blockDim, p.sharedMem);
  call.stream = objects.stream(p.stream, per_thread);
}

void read_launch_config(Call& call, const void* parameters, Objects& objects, bool per_thread) {
  const auto& p = *static_cast<const cudaLaunchKernelExC_v11060_params*>(parameters);
  if (p.config == nullptr) return;
  launched(call, p.config->gridDim, p.config->blockDim, p.config->dynamicSmemBytes);
  call.stream = objects.stream(p.config->stream, per_thread);
}

// --- streams, events, waits ---

void stream_made(Call& call, Objects& objects, const cudaStream_t* where, unsigned flags) {
  call.name = (flags & cudaStreamNonBlocking) != 0 ? "create non-blocking" : "create";
  if (call.result == cudaSuccess && where != nullptr) call.stream = objects.stream(*where, false);
}

void read_stream_create(Call& call, const void* parameters, Objects& objects, bool) {
  stream_made(call, objects, static_cast<const cudaStreamCreate_v3020_params*>(parameters)->pStream, 0);
}

template <class P>
void read_stream_create_flags(Call& call, const void* parameters, Objects& objects, bool) {
  const auto& p = *static_cast<const P*>(parameters);
  stream_made(call, objects, p.pStream, p.flags);
}

void read_stream_destroy(Call& call, const void* parameters, Objects& objects, bool) {
  call.name = "destroy";
  call.stream = objects.stream_gone(static_cast<const cudaStreamDestroy_v5050_params*>(parameters)->stream);
}

void read_host_function(Call& call, const void* parameters, Objects& objects, bool per_thread) {
  call.name = "host function";
  call.stream =
      objects.stream(static_cast<const cudaLaunchHostFunc_v10000_params*>(parameters)->stream, per_thread);
}

void event_made(Call& call, Objects& objects, const cudaEvent_t* where) {
  call.name = "create";
  if (call.result == cudaSuccess && where != nullptr) call.address = objects.event(*where);
}

template <class P>
void read_event_create(Call& call, const void* parameters, Objects& objects, bool) {
  event_made(call, objects, static_cast<const P*>(parameters)->event);
}

void read_event_record(Call& call, const void* parameters, Objects& objects, bool per_thread) {
  const auto& p = *static_cast<const cudaEventRecord_v3020_params*>(parameters);
  call.name = "record";
  call.address = objects.event(p.event);
  call.stream = objects.stream(p.stream, per_thread);
}

void read_event_destroy(Call& call, const void* parameters, Objects& objects, bool) {
  call.name = "destroy";
  call.address = objects.event_gone(static_cast<const cudaEventDestroy_v3020_params*>(parameters)->event);
}

void read_stream_wait(Call& call, const void* parameters, Objects& objects, bool per_thread) {
  const auto& p = *static_cast<const cudaStreamWaitEvent_v3020_params*>(parameters);
  call.name = "wait";
  call.stream = objects.stream(p.stream, per_thread);
  call.address = objects.event(p.event);
}

void read_device_sync(Call& call, const void*, Objects&, bool) {
  call.name = "device";
}

void read_stream_sync(Call& call, const void* parameters, Objects& objects, bool per_thread) {
  call.name = "stream";
  call.stream =
      objects.stream(static_cast<const cudaStreamSynchronize_v3020_params*>(parameters)->stream, per_thread);
}

void read_event_sync(Call& call, const void* parameters, Objects& objects, bool) {
  call.name = "event";
  call.address = objects.event(static_cast<const cudaEventSynchronize_v3020_params*>(parameters)->event);
}

using Table = std::map<std::string_view, Function>;

void add(Table& table, const char* api, EventKind kind, decltype(Function::read) read) {
  table[api] = {api, kind, read, false, true};
}

Table functions_by_name() {
  Table t;
  add(t, "cudaMalloc", EventKind::alloc, read_malloc<cudaMalloc_v3020_params>);
  add(t, "cudaMallocPitch", EventKind::alloc, read_malloc_pitch);
  add(t, "cudaMallocAsync", EventKind::alloc, read_malloc_async);
  add(t, "cudaMallocHost", EventKind::alloc, read_malloc_host);
  add(t, "cudaHostAlloc", EventKind::alloc, read_host_alloc);
  add(t, "cudaMallocManaged", EventKind::alloc, read_managed);
  add(t, "cudaHostRegister", EventKind::alloc, read_register);
  add(t, "cudaFree", EventKind::free, read_free<cudaFree_v3020_params>);
  add(t, "cudaFreeHost", EventKind::free, read_free<cudaFreeHost_v3020_params>);
  add(t, "cudaHostUnregister", EventKind::free, read_free<cudaHostUnregister_v4000_params>);
  add(t, "cudaFreeAsync", EventKind::free, read_free_async);
  add(t, "cudaMemcpy", EventKind::copy, read_memcpy);
  add(t, "cudaMemcpyAsync", EventKind::copy, read_memcpy_async);
  add(t, "cudaMemcpy2D", EventKind::copy, read_memcpy_2d);
  add(t, "cudaMemcpy2DAsync", EventKind::copy, read_memcpy_2d_async);
  add(t, "cudaMemcpyToSymbol", EventKind::copy, read_to_symbol);
  add(t, "cudaMemcpyFromSymbol", EventKind::copy, read_from_symbol);
  add(t, "cudaMemset", EventKind::memset, read_memset);
  add(t, "cudaMemsetAsync", EventKind::memset, read_memset_async);
  add(t, "cudaLaunchKernel", EventKind::kernel, read_launch<cudaLaunchKernel_v7000_params>);
  add(t, "cudaLaunchCooperativeKernel", EventKind::kernel,
      read_launch<cudaLaunchCooperativeKernel_v9000_params>);
  add(t, "cudaLaunchKernelExC", EventKind::kernel, read_launch_config);
  add(t, "cudaDeviceSynchronize", EventKind::sync, read_device_sync);
  add(t, "cudaStreamSynchronize", EventKind::sync, read_stream_sync);
  add(t, "cudaEventSynchronize", EventKind::sync, read_event_sync);
  add(t, "cudaStreamCreate", EventKind::stream, read_stream_create);
  add(t, "cudaStreamCreateWithFlags", EventKind::stream,
      read_stream_create_flags<cudaStreamCreateWithFlags_v5000_params>);
  add(t, "cudaStreamCreateWithPriority", EventKind::stream,
      read_stream_create_flags<cudaStreamCreateWithPriority_v5050_params>);
  add(t, "cudaStreamDestroy", EventKind::stream, read_stream_destroy);
  add(t, "cudaLaunchHostFunc", EventKind::stream, read_host_function);
  add(t, "cudaEventCreate", EventKind::event, read_event_create<cudaEventCreate_v3020_params>);
  add(t, "cudaEventCreateWithFlags", EventKind::event,
      read_event_create<cudaEventCreateWithFlags_v3020_params>);
  add(t, "cudaEventRecord", EventKind::event, read_event_record);
  add(t, "cudaEventRecordWithFlags", EventKind::event, read_event_record);
  add(t, "cudaEventDestroy", EventKind::event, read_event_destroy);
  add(t, "cudaStreamWaitEvent", EventKind::event, read_stream_wait);
  return t;
}

// "cudaMemcpyAsync_ptsz_v7000": the name, and whether it is the per-thread form.
std::pair<std::string, bool> plain_name(std::string name) {
  if (const auto at = name.rfind("_v"); at != std::string::npos && at + 2 < name.size() &&
                                        name.find_first_not_of("0123456789", at + 2) == std::string::npos)
    name.resize(at);
  for (const char* suffix : {"_ptsz", "_ptds"}) {
    if (!name.ends_with(suffix)) continue;
    name.resize(name.size() - 5);
    return {name, true};
  }
  return {name, false};
}

std::vector<Function> functions_by_number() {
  const Table known = functions_by_name();
  // They hand out the error of another call, which is recorded itself.
  const std::set<std::string> askers{"cudaGetLastError", "cudaPeekAtLastError"};
  std::vector<Function> all(CUPTI_RUNTIME_TRACE_CBID_SIZE);
  for (std::size_t id = 1; id < all.size(); ++id) {
    const char* name = nullptr;
    if (cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, static_cast<std::uint32_t>(id), &name) !=
            CUPTI_SUCCESS ||
        name == nullptr)
      continue;
    const auto [plain, per_thread] = plain_name(name);
    if (const auto found = known.find(plain); found != known.end())
      all[id] = found->second;
    else
      all[id].api = strdup(plain.c_str());  // once per function, for the life of the program
    all[id].per_thread = per_thread;
    all[id].asks_for_errors = askers.count(plain) != 0;
  }
  return all;
}

}  // namespace

const Function& function_of(CUpti_CallbackId id) {
  static const std::vector<Function> all = functions_by_number();
  static const Function unknown{"an unknown CUDA function"};
  return id < all.size() && all[id].api != nullptr ? all[id] : unknown;
}

}  // namespace workbook::cupti
