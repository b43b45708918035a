#include "harness/runner/recorder.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>

#include "harness/runner/delays.h"
#include "harness/runner/device.h"
#include "harness/runner/device_times.h"
#include "trace/call_stack.h"
#include "trace/range_door.h"
#include "trace/symbolize.h"
#include "trace/writer.h"

namespace workbook::runner {

namespace {

using Clock = std::chrono::steady_clock;
using trace::MemoryKind;

struct Recorder {
  std::mutex mutex;
  trace::TraceWriter writer;
  Clock::time_point origin = Clock::now();
  std::uint64_t next_id = 1;
  std::map<cudaStream_t, int> streams;
  bool started = false;
};

Recorder& recorder() {
  static Recorder instance;
  return instance;
}

std::atomic<int> open_regions{0};
std::atomic<int> until_failed_allocation{0}, until_failed_copy{0}, until_failed_launch{0};  // 0: none fails

// Counts down to the call that has to fail. The harness's own calls do not count.
bool is_the_one(std::atomic<int>& until) {
  if (Own::here() || open_regions == 0 || until == 0) return false;
  return until.fetch_sub(1) == 1;
}

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - recorder().origin).count();
}

constexpr std::size_t most_frames = 48;

// Host threads by number, in the order in which they first did something worth a line; the runner's own is 0.
int thread_number() {
  static std::atomic<int> seen{0};
  static thread_local const int number = seen++;
  return number;
}

// As the simulated runtime writes it: src/cudart/handshake.h, wbRegion.
void write_region(const std::string& label, bool begin) {
  Recorder& r = recorder();
  if (simulated() != nullptr) return;
  const std::lock_guard lock(r.mutex);
  trace::Event event;
  event.kind = trace::EventKind::note;
  event.id = r.next_id++;
  event.name = "region";
  event.text = label;
  event.detail_json = begin ? R"({"begin":true})" : R"({"begin":false})";
  event.host_begin_ns = event.host_end_ns = now_ns();
  r.writer.add(event);
}

}  // namespace

void start_recording() {
  Recorder& r = recorder();
  if (simulated() != nullptr || r.started) return;
  const Own own;
  r.started = true;
  thread_number();
  r.writer = trace::TraceWriter::from_environment();
  trace::Header header;
  header.device = "gpu";
  cudaDeviceProp properties{};
  int device = 0;
  if (cudaGetDevice(&device) == cudaSuccess && cudaGetDeviceProperties(&properties, device) == cudaSuccess)
    header.device_name = properties.name;
  r.writer.start(header);
  DeviceTimes::get();
}

void begin_region(const std::string& label, OrderedFailures failures) {
  until_failed_allocation = failures.allocation;
  until_failed_copy = failures.copy;
  until_failed_launch = failures.launch;
  if (simulated() != nullptr) simulated()->region(label.c_str(), 1);
  write_region(label, true);
  ++open_regions;
}

void end_region(const std::string& label) {
  --open_regions;
  write_region(label, false);
  if (simulated() != nullptr) simulated()->region(label.c_str(), 0);
  forget_failures();
}

void forget_failures() {
  until_failed_allocation = until_failed_copy = until_failed_launch = 0;
}

bool allocation_must_fail() {
  return is_the_one(until_failed_allocation);
}

bool copy_must_fail() {
  return is_the_one(until_failed_copy);
}

bool launch_must_fail() {
  return is_the_one(until_failed_launch);
}

Passing::Passing(trace::EventKind kind, const char* api)
    : recorded_(open_regions > 0 && simulated() == nullptr && !Own::here()) {
  if (!recorded_) return;
  event.kind = kind;
  event.api = api;
  event.thread = thread_number();
  event.frames = trace::call_stack(most_frames);
  event.host_begin_ns = now_ns();
}

cudaError_t Passing::done(cudaError_t result) {
  if (!recorded_) return result;
  const std::uint32_t call = DeviceTimes::get().call();
  event.host_end_ns = now_ns();
  if (event.kind == trace::EventKind::kernel || event.kind == trace::EventKind::copy ||
      event.kind == trace::EventKind::memset)
    let_it_run();
  event.result = static_cast<int>(result);
  if (result != cudaSuccess) event.result_name = cudaGetErrorName(result);
  Recorder& r = recorder();
  const std::lock_guard lock(r.mutex);
  event.id = r.next_id++;
  if (DeviceTimes::get().on())
    DeviceTimes::get().keep(std::move(event), call);
  else
    r.writer.add(event);
  return result;
}

void write_device_times() {
  if (simulated() != nullptr || !DeviceTimes::get().on()) return;
  Recorder& r = recorder();
  const std::lock_guard lock(r.mutex);
  const std::int64_t origin =
      std::chrono::duration_cast<std::chrono::nanoseconds>(r.origin.time_since_epoch()).count();
  for (trace::Event& event : DeviceTimes::get().take()) {
    if (event.device_begin_ns >= 0) {
      event.device_begin_ns -= origin;
      event.device_end_ns -= origin;
    }
    r.writer.add(event);
  }
}

std::uint64_t record_range(const wbRangeRecord& record) {
  if (open_regions == 0 || simulated() != nullptr || Own::here()) return 0;
  trace::Event event = trace::range_event(record);
  event.thread = thread_number();
  event.frames = trace::call_stack(most_frames);
  Recorder& r = recorder();
  const std::lock_guard lock(r.mutex);
  event.id = r.next_id++;
  event.host_begin_ns = event.host_end_ns = now_ns();
  r.writer.add(event);
  return event.id;
}

MemoryKind memory_kind(const void* pointer) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess) return MemoryKind::none;
  switch (attributes.type) {
    case cudaMemoryTypeHost:
      return MemoryKind::pinned;
    case cudaMemoryTypeDevice:
      return MemoryKind::device;
    case cudaMemoryTypeManaged:
      return MemoryKind::managed;
    default:
      return MemoryKind::pageable;
  }
}

int stream_number(cudaStream_t stream) {
  if (stream == nullptr) return 0;
  Recorder& r = recorder();
  const std::lock_guard lock(r.mutex);
  const auto [entry, is_new] = r.streams.try_emplace(stream, static_cast<int>(r.streams.size()) + 1);
  return entry->second;
}

std::string kernel_name(const void* function) {
  const char* mangled = nullptr;
  if (cudaFuncGetName(&mangled, function) != cudaSuccess || mangled == nullptr) return {};
  return trace::function_name(trace::demangled(mangled));
}

}  // namespace workbook::runner

// Found by the NVTX library (src/trace/range_door.h).
extern "C" __attribute__((visibility("default"))) std::uint64_t wbRunnerRange(const wbRangeRecord* record) {
  if (record == nullptr || record->size != sizeof *record) return 0;
  return workbook::runner::record_range(*record);
}
