#include "cudart/handshake.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cudart/call.h"
#include "cudart/frames.h"
#include "trace/range_door.h"

using workbook::cudart::Operation;
using workbook::cudart::Runtime;

WORKBOOK_EXPORT const char* wbSimulatedDevice() {
  Operation operation;
  static const std::string name = workbook::model::name_of(Runtime::get().profile());
  return name.c_str();
}

WORKBOOK_EXPORT void wbNameAllocation(const void* address, const char* name) {
  Operation operation;
  Runtime& runtime = Runtime::get();
  const auto facts = runtime.facts(address);
  if (facts.base == 0 || name == nullptr) return;
  if (facts.host != nullptr) runtime.host_ranges[facts.base].name = name;
  runtime.memory().set_name(facts.base, name);
}

WORKBOOK_EXPORT void wbFlushL2() {
  Operation operation;
  Runtime& runtime = Runtime::get();
  runtime.engine().wait_for_all();  // kernels that were launched before belong to the time before the flush
  runtime.memory().flush_l2();
}

WORKBOOK_EXPORT void wbHostWork(double microseconds) {
  Operation operation;
  if (microseconds > 0) Runtime::get().spend(std::llround(microseconds * 1000));
}

WORKBOOK_EXPORT void wbDeviceWork(double microseconds) {
  Operation operation;
  Runtime& runtime = Runtime::get();
  if (!(microseconds > 0)) return;
  runtime.spend(runtime.costs().launch_call);
  workbook::cudart::Op op;
  op.engine = workbook::cudart::EngineKind::within_device;
  op.earliest = runtime.now() + runtime.costs().launch_latency;
  op.begin = [duration = std::llround(microseconds * 1000)](const workbook::cudart::Op&) { return duration; };
  op.end = [](const workbook::cudart::Op&) {};
  runtime.engine().enqueue(runtime.engine().legacy(), std::move(op));
}

WORKBOOK_EXPORT void wbRegion(const char* label, int begin) {
  Operation operation;
  const nlohmann::json detail{{"begin", begin != 0}};
  Runtime::get().note("region", label == nullptr ? "" : label, detail.dump());
}

WORKBOOK_EXPORT void wbBlocksInOrder(int in_order) {
  Operation operation;
  Runtime::get().blocks_in_order = in_order != 0;
}

WORKBOOK_EXPORT void wbSchedule(int kind, long long number) {
  using Schedule = workbook::cudart::Schedule;
  Operation operation;
  Schedule schedule;
  if (kind >= 0 && kind <= static_cast<int>(Schedule::Kind::seeded))
    schedule.kind = static_cast<Schedule::Kind>(kind);
  schedule.stream = static_cast<int>(number);
  schedule.seed = static_cast<std::uint64_t>(number);
  Runtime::get().engine().set_schedule(schedule);
}

WORKBOOK_EXPORT int wbIdle() {
  Operation operation;
  return Runtime::get().engine().idle() ? 1 : 0;
}

WORKBOOK_EXPORT double wbVirtualNow() {
  Operation operation;
  return static_cast<double>(Runtime::get().now()) / 1000;
}

// A range costs no virtual time: whether a program is watched must not change what it measures.
WORKBOOK_EXPORT std::uint64_t wbRange(const wbRangeRecord* record) {
  if (record == nullptr || record->size != sizeof *record) return 0;
  Operation operation;
  Runtime& runtime = Runtime::get();
  if (!runtime.tracing()) return 0;
  workbook::trace::Event event = workbook::trace::range_event(*record);
  event.id = runtime.next_id();
  event.thread = runtime.scheduler().self().index;
  event.host_begin_ns = event.host_end_ns = runtime.now();
  event.frames = workbook::cudart::capture_frames();
  runtime.write(event);
  return event.id;
}
