#include "harness/runner/device_times.h"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <string>

#include "harness/runner/device.h"
#include "harness/runner/exchange.h"

namespace workbook::runner {

struct DeviceTimes::Doors {
  const char* (*start)() = nullptr;
  std::int64_t (*now)() = nullptr;
  std::uint32_t (*call)() = nullptr;
  void (*flush)() = nullptr;
  int (*of)(std::uint32_t, std::int64_t*) = nullptr;
};

namespace {

std::mutex& guard() {
  static std::mutex mutex;
  return mutex;
}

template <class F>
void find(void* library, F& function, const char* name) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (function == nullptr) throw GraderError{std::string("the recorder of device times lacks ") + name};
}

std::int64_t steady_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

// Between two looks at one clock lies one at the other; the closest of several pairs counts.
std::int64_t distance_to_steady(std::int64_t (*now)()) {
  std::int64_t best = 0, shortest = INT64_MAX;
  for (int i = 0; i < 20; ++i) {
    const std::int64_t before = steady_ns(), there = now(), after = steady_ns();
    if (after - before >= shortest) continue;
    shortest = after - before;
    best = before + (after - before) / 2 - there;
  }
  return best;
}

}  // namespace

DeviceTimes& DeviceTimes::get() {
  static DeviceTimes instance;
  return instance;
}

DeviceTimes::DeviceTimes() {
  const char* const path = std::getenv("WORKBOOK_DEVICE_TIMES");
  if (path == nullptr || simulated() != nullptr) return;
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw GraderError{std::string("no device times: ") + dlerror()};
  static Doors doors;
  find(library, doors.start, "wbDeviceTimesStart");
  find(library, doors.now, "wbDeviceTimesNow");
  find(library, doors.call, "wbDeviceTimesCall");
  find(library, doors.flush, "wbDeviceTimesFlush");
  find(library, doors.of, "wbDeviceTimesOf");
  if (const std::string trouble = doors.start(); !trouble.empty())
    throw GraderError{"no device times: " + trouble};
  to_steady_ = distance_to_steady(doors.now);
  doors_ = &doors;
  on_ = true;
}

std::uint32_t DeviceTimes::call() const {
  return on_ ? doors_->call() : 0;
}

void DeviceTimes::keep(trace::Event event, std::uint32_t call) {
  const std::lock_guard lock(guard());
  kept_.push_back({std::move(event), call});
}

std::vector<trace::Event> DeviceTimes::take() {
  const std::lock_guard lock(guard());
  std::vector<trace::Event> events;
  if (!kept_.empty()) doors_->flush();
  for (Kept& kept : kept_) {
    std::int64_t times[2];
    const bool operation = kept.event.kind == trace::EventKind::kernel ||
                           kept.event.kind == trace::EventKind::copy ||
                           kept.event.kind == trace::EventKind::memset;
    if (operation && doors_->of(kept.call, times) != 0) {
      kept.event.device_begin_ns = times[0] + to_steady_;
      kept.event.device_end_ns = times[1] + to_steady_;
    }
    events.push_back(std::move(kept.event));
  }
  kept_.clear();
  std::sort(events.begin(), events.end(),
            [](const trace::Event& a, const trace::Event& b) { return a.id < b.id; });
  return events;
}

}  // namespace workbook::runner
