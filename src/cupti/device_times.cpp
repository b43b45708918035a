#include "cupti/device_times.h"

#include <cupti.h>

#include <string>

#include "cupti/activities.h"

namespace {

using workbook::cupti::Activities;

thread_local std::uint32_t last_call = 0;

void CUPTIAPI called(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void* data) {
  last_call = static_cast<const CUpti_CallbackData*>(data)->correlationId;
}

std::string begin() {
  static CUpti_SubscriberHandle subscriber = nullptr;
  if (const auto result = cuptiSubscribe(&subscriber, called, nullptr); result != CUPTI_SUCCESS)
    return result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
               ? "another profiler is attached to this program, and the driver allows one"
               : "CUPTI lets nobody listen: is it as new as the driver?";
  cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API);
  return Activities::get().enable();
}

}  // namespace

#define DOOR extern "C" __attribute__((visibility("default")))

DOOR const char* wbDeviceTimesStart() {
  static const std::string trouble = begin();
  return trouble.c_str();
}

DOOR std::int64_t wbDeviceTimesNow() {
  std::uint64_t now = 0;
  cuptiGetTimestamp(&now);
  return static_cast<std::int64_t>(now);
}

DOOR std::uint32_t wbDeviceTimesCall() {
  return last_call;
}

DOOR void wbDeviceTimesFlush() {
  Activities::get().flush();
}

DOOR int wbDeviceTimesOf(std::uint32_t call, std::int64_t times[2]) {
  const auto* const work = Activities::get().of(call);
  if (work == nullptr) return 0;
  times[0] = work->begin;
  times[1] = work->end;
  return 1;
}
