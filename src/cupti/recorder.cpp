#include "cupti/recorder.h"

#include <cuda.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <unordered_map>

#include "cupti/activities.h"
#include "cupti/calls.h"
#include "trace/call_stack.h"
#include "trace/symbolize.h"

namespace workbook::cupti {

using trace::Event;
using trace::EventKind;

namespace {

constexpr std::size_t most_frames = 8;

// The driver is there already: it has called us.
std::string device_name() {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (driver == nullptr) return {};
  const auto get_name =
      reinterpret_cast<CUresult (*)(char*, int, CUdevice)>(dlsym(driver, "cuDeviceGetName"));
  char name[256] = "";
  if (get_name != nullptr && get_name(name, sizeof name, 0) != CUDA_SUCCESS) name[0] = '\0';
  return name;
}

// Kernels come back thousands of times under a handful of names.
std::string kernel_name(const std::string& mangled) {
  static std::unordered_map<std::string, std::string> known;
  auto [entry, is_new] = known.try_emplace(mangled);
  if (is_new) entry->second = trace::function_name(trace::demangled(mangled));
  return entry->second;
}

std::string error_name(int result) {
  const auto find = reinterpret_cast<const char* (*)(int)>(dlsym(RTLD_DEFAULT, "cudaGetErrorName"));
  return find == nullptr ? fmt::format("error {}", result) : find(result);
}

// Driver calls that only a first use makes. A second one of them answers from memory, in less than this.
constexpr std::int64_t least_first_use_ns = 5'000;
struct FirstUse {
  CUpti_CallbackId id;
  const char* kind;
  const char* text;
};
constexpr FirstUse first_uses[] = {
    {CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxRetain, "context", "the context of the device is made"},
    {CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadData, "module_load", "device code is loaded"},
    {CUPTI_DRIVER_TRACE_CBID_cuModuleLoadData, "module_load", "device code is loaded"},
    {CUPTI_DRIVER_TRACE_CBID_cuModuleLoadFatBinary, "module_load", "device code is loaded"},
    {CUPTI_DRIVER_TRACE_CBID_cuLibraryGetModule, "module_load", "device code is loaded"},
    {CUPTI_DRIVER_TRACE_CBID_cuLibraryGetKernel, "function_load", "a kernel is loaded for its first launch"},
    {CUPTI_DRIVER_TRACE_CBID_cuKernelGetFunction, "function_load", "a kernel is loaded for its first launch"},
};

void CUPTIAPI called(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  Recorder::get().on_call(domain, id, *static_cast<const CUpti_CallbackData*>(data));
}

}  // namespace

Recorder& Recorder::get() {
  static Recorder* const instance = new Recorder;
  return *instance;
}

Recorder::Recorder() : writer_(trace::TraceWriter::from_environment()) {
  origin_ = now();
  // Made now, so that the program's first call does not pay for it.
  function_of(0);
  trace::executable();
  calls_.reserve(1 << 14);
  std::atexit([] { Recorder::get().finish(); });
}

std::int64_t Recorder::now() const {
  std::uint64_t time = 0;
  cuptiGetTimestamp(&time);
  return static_cast<std::int64_t>(time) - origin_;
}

// The main thread is 0, others count in the order in which they first do something worth a line.
int Recorder::thread_number() {
  static std::atomic<int> others{0};
  static thread_local const int number = gettid() == getpid() ? 0 : ++others;
  return number;
}

void Recorder::note_trouble(const std::string& text) {
  fmt::print(stderr, "workbook: the GPU's work is not recorded. {}\n", text);
  const std::lock_guard lock(mutex_);
  Event event;
  event.kind = EventKind::note;
  event.name = "trouble";
  event.text = text;
  event.host_begin_ns = event.host_end_ns = now();
  others_.push_back(std::move(event));
}

void Recorder::start() {
  if (subscriber_ != nullptr || !writer_.active()) return;
  if (const auto result = cuptiSubscribe(&subscriber_, called, nullptr); result != CUPTI_SUCCESS) {
    subscriber_ = nullptr;
    return note_trouble(result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
                            ? "Another profiler is attached to this program, and the driver allows one."
                            : "CUPTI lets nobody listen: is it as new as the driver?");
  }
  if (const std::string trouble = Activities::get().enable(); !trouble.empty()) note_trouble(trouble);
  cuptiEnableDomain(1, subscriber_, CUPTI_CB_DOMAIN_RUNTIME_API);
  for (const FirstUse& use : first_uses)
    cuptiEnableCallback(1, subscriber_, CUPTI_CB_DOMAIN_DRIVER_API, use.id);
}

void Recorder::begin_trace() {
  if (header_written_) return;
  header_written_ = true;
  trace::Header header;
  header.device = "gpu";
  header.device_name = device_name();
  header.executable = trace::executable_path();
  writer_.start(header);
}

void Recorder::on_call(CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& data) {
  if (data.callbackSite == CUPTI_API_ENTER) {
    *data.correlationData = static_cast<std::uint64_t>(now());
    return;
  }
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) return end_of_call(id, data);
  end_of_first_use(id, data);
}

// A call of the driver's by which the runtime makes the context or loads code, inside a call of the
// program's.
void Recorder::end_of_first_use(CUpti_CallbackId id, const CUpti_CallbackData& data) {
  const auto* const use = std::find_if(std::begin(first_uses), std::end(first_uses),
                                       [&](const FirstUse& u) { return u.id == id; });
  const auto begin = static_cast<std::int64_t>(*data.correlationData);
  const std::int64_t end = now();
  if (use == std::end(first_uses) || end - begin < least_first_use_ns) return;
  Event event;
  event.kind = EventKind::note;
  event.name = "overhead";
  event.text = use->text;
  event.detail_json = fmt::format(R"({{"kind":"{}"}})", use->kind);
  event.thread = thread_number();
  event.host_begin_ns = begin;
  event.host_end_ns = end;
  const std::lock_guard lock(mutex_);
  others_.push_back(std::move(event));
}

void Recorder::end_of_call(CUpti_CallbackId id, const CUpti_CallbackData& data) {
  const std::int64_t end = now();
  const Function& function = function_of(id);
  Call call;
  call.result = data.functionReturnValue == nullptr ? 0 : *static_cast<const int*>(data.functionReturnValue);
  const bool failed = call.result != cudaSuccess && call.result != cudaErrorNotReady;
  if (!function.listed && (!failed || function.asks_for_errors)) return;
  call.api = function.api;
  call.kind = function.kind;
  call.correlation = data.correlationId;
  call.thread = thread_number();
  call.begin = static_cast<std::int64_t>(*data.correlationData);
  call.end = end;
  if (call.kind == EventKind::kernel)
    call.symbol = data.symbolName;
  else
    call.frames = trace::call_stack(most_frames);
  if (function.read != nullptr) function.read(call, data.functionParams, objects_, function.per_thread);
  const std::lock_guard lock(mutex_);
  begin_trace();
  calls_.push_back(std::move(call));
}

std::uint64_t Recorder::on_range(const wbRangeRecord& record) {
  if (!writer_.active()) return 0;
  Event event = trace::range_event(record);
  event.thread = thread_number();
  const std::lock_guard lock(mutex_);
  event.host_begin_ns = event.host_end_ns = now();
  event.id = ++last_token_;
  others_.push_back(std::move(event));
  return last_token_;
}

trace::Event Recorder::event_of(const Call& call) const {
  Event event;
  event.kind = call.kind;
  event.api = call.api;
  event.name = call.name;
  event.result = call.result;
  if (call.result != 0) event.result_name = error_name(call.result);
  event.thread = call.thread;
  event.stream = call.stream;
  event.host_begin_ns = call.begin;
  event.host_end_ns = call.end;
  event.address = call.address;
  event.source = call.source;
  event.bytes = call.bytes;
  event.from = call.from;
  event.to = call.to;
  if (call.copy_kind >= 0) event.direction = trace::copy_direction(call.copy_kind);
  event.asynchronous = call.asynchronous;
  event.grid = call.grid;
  event.block = call.block;
  event.dynamic_shared = call.dynamic_shared;
  event.frames = call.frames;
  const bool kernel = call.kind == EventKind::kernel;
  if (kernel && call.symbol != nullptr) event.name = kernel_name(call.symbol);
  const DeviceWork* const work = Activities::get().of(call.correlation);
  const bool operation = kernel || call.kind == EventKind::copy || call.kind == EventKind::memset;
  if (work == nullptr || !operation) return event;
  event.device_begin_ns = work->begin - origin_;
  event.device_end_ns = work->end - origin_;
  if (kernel) {
    if (!work->name.empty()) event.name = kernel_name(work->name);
    event.static_shared = work->static_shared;
    event.registers = work->registers;
  }
  // "unknown" is no better than what the allocations say.
  if (work->from != trace::MemoryKind::none) event.from = work->from;
  if (work->to != trace::MemoryKind::none) event.to = work->to;
  return event;
}

std::vector<Event> Recorder::all_events() {
  std::vector<Event> events = std::move(others_);
  others_.clear();
  for (const Call& call : calls_) events.push_back(event_of(call));
  calls_.clear();
  for (const Overhead& overhead : Activities::get().overheads()) {
    Event event;
    event.kind = EventKind::note;
    event.name = "overhead";
    event.text = overhead.text;
    event.detail_json = fmt::format(R"({{"kind":"{}"}})", overhead.kind);
    event.host_begin_ns = overhead.begin - origin_;
    event.host_end_ns = overhead.end - origin_;
    events.push_back(std::move(event));
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.host_begin_ns < b.host_begin_ns; });
  std::unordered_map<std::uint64_t, std::uint64_t> numbers;  // of ranges, by token
  std::uint64_t id = 0;
  for (Event& event : events) {
    ++id;
    if (event.kind == EventKind::range && event.id != 0) numbers[event.id] = id;
    event.id = id;
  }
  for (Event& event : events) {
    if (event.begun_by != 0) event.begun_by = numbers[event.begun_by];
  }
  return events;
}

void Recorder::finish() {
  if (!writer_.active() || finished_.exchange(true)) return;
  if (subscriber_ != nullptr) {
    cuptiEnableDomain(0, subscriber_, CUPTI_CB_DOMAIN_RUNTIME_API);
    Activities::get().flush();
  }
  const std::lock_guard lock(mutex_);
  begin_trace();
  for (const Event& event : all_events()) writer_.add(event);
  Event totals;
  totals.kind = EventKind::note;
  totals.name = "totals";
  totals.host_begin_ns = totals.host_end_ns = now();
  totals.id = ~std::uint64_t{0} >> 1;
  totals.text = "the program ended by itself";
  totals.detail_json = fmt::format(R"({{"dropped":{}}})", Activities::get().dropped());
  writer_.add(totals);
}

}  // namespace workbook::cupti
