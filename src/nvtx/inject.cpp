// The library as NVTX loads it beside the simulated runtime, or beside the runner of a check on a GPU: ranges
// go to whoever keeps this process's trace. A program that meets neither (it uses no CUDA) gets a trace of
// its own, with the ranges alone and the system's monotonic clock.
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <string>

#include "nvtx/hooks.h"
#include "nvtx/names.h"
#include "trace/writer.h"

namespace {

using Clock = std::chrono::steady_clock;
using namespace workbook;

// The executable's path, for the header.
std::string own_path() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : std::string();
}

class OwnTrace {
 public:
  static OwnTrace& get() {
    static OwnTrace* const instance = new OwnTrace;
    return *instance;
  }
  std::uint64_t add(const wbRangeRecord& record) {
    static std::atomic<int> threads{0};
    static thread_local const int thread = threads++;
    trace::Event event = trace::range_event(record);
    event.thread = thread;
    lock_.lock();
    event.id = ++last_id_;
    event.host_begin_ns = event.host_end_ns =
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - origin_).count();
    writer_.add(event);
    lock_.unlock();
    return event.id;
  }

 private:
  OwnTrace() : writer_(trace::TraceWriter::from_environment()) {
    trace::Header header;
    header.device = "none";
    header.executable = own_path();
    writer_.start(header);
  }
  trace::TraceWriter writer_;
  nvtx::SpinLock lock_;
  std::uint64_t last_id_ = 0;
  Clock::time_point origin_ = Clock::now();
};

std::uint64_t keep_here(const wbRangeRecord* record) {
  return OwnTrace::get().add(*record);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    NvtxGetExportTableFunc_t get_table) {
  // The simulated runtime before the runner: where both are, the former keeps the trace.
  auto sink = reinterpret_cast<wbRange_t>(dlsym(RTLD_DEFAULT, "wbRange"));
  if (sink == nullptr) sink = reinterpret_cast<wbRange_t>(dlsym(RTLD_DEFAULT, "wbRunnerRange"));
  if (sink == nullptr) sink = keep_here;
  return workbook::nvtx::attach(get_table, sink);
}
