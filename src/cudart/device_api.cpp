// The device as a whole: its properties, its limits, waiting for it, errors, versions.
#include <algorithm>
#include <cstring>

#include "cudart/call.h"
#include "cudart/device_facts.h"
#include "cudart/errors.h"
#include "cudart/graphs.h"

namespace workbook::cudart {

namespace {

constexpr int version = 13000;
unsigned device_flags = cudaDeviceScheduleAuto;

template <class Act>
cudaError_t simple(const char* api, Needs needs, Act act) {
  Call call(api, trace::EventKind::api, needs);
  if (call.refused()) return call.refusal();
  return call.end(act(call.runtime));
}

std::size_t& limit_value(cudaLimit limit) {
  // As an H200 has them at the start.
  static std::size_t values[] = {1024, 8650752, 8388608, 0, 2048, 64, 11796480, 232448};
  return values[limit];
}

bool known_limit(cudaLimit limit) {
  return limit >= 0 && limit <= cudaLimitPersistingL2CacheSize + 1 && limit != cudaLimitDevRuntimeSyncDepth;
}

}  // namespace

}  // namespace workbook::cudart

using namespace workbook::cudart;  // NOLINT: the exported functions below are part of it
using trace_kind = workbook::trace::EventKind;

cudaError_t cudaGetDeviceCount(int* out) {
  return simple("cudaGetDeviceCount", Needs::nothing, [&](Runtime&) {
    if (out == nullptr) return cudaErrorInvalidValue;
    *out = 1;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int* out) {
  return simple("cudaGetDevice", Needs::nothing, [&](Runtime&) {
    if (out == nullptr) return cudaErrorInvalidValue;
    *out = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  return simple("cudaSetDevice", Needs::nothing, [&](Runtime& runtime) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (runtime.sticky() == 0) runtime.need_context();
    return cudaSuccess;
  });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return simple("cudaInitDevice", Needs::context,
                [&](Runtime&) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* out, int device) {
  return simple("cudaGetDeviceProperties", Needs::nothing, [&](Runtime& runtime) {
    if (out == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *out = properties(runtime.profile());
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* out, cudaDeviceAttr attribute, int device) {
  return simple("cudaDeviceGetAttribute", Needs::nothing, [&](Runtime& runtime) {
    if (out == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    return device_attribute(runtime.profile(), attribute, *out) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaChooseDevice(int* out, const cudaDeviceProp*) {
  return cudaGetDevice(out);
}

cudaError_t cudaDeviceCanAccessPeer(int* out, int, int) {
  return simple("cudaDeviceCanAccessPeer", Needs::nothing, [&](Runtime&) {
    if (out == nullptr) return cudaErrorInvalidValue;
    *out = 0;
    return cudaErrorInvalidDevice;  // there is no second device
  });
}

cudaError_t cudaDeviceSynchronize() {
  Call call("cudaDeviceSynchronize", trace_kind::sync);
  if (call.refused()) return call.refusal();
  call.event.name = "device";
  if (captures_run()) {
    if (const auto refused = refused_by_capture(nullptr)) return call.end(*refused);
  }
  call.runtime.engine().wait_for_all();
  call.spend(call.runtime.costs().synchronize);
  call.runtime.show_output();
  return call.end(static_cast<cudaError_t>(call.runtime.sticky()));
}

cudaError_t cudaDeviceReset() {
  Call call("cudaDeviceReset", trace_kind::api, Needs::nothing);
  call.keep = true;
  if (in_callback()) return call.end(cudaErrorNotPermitted);
  // After a fault the process stays unusable on a GPU too: only the pending work goes.
  if (call.runtime.sticky() != 0) return call.end(cudaSuccess);
  call.runtime.reset_device();
  return call.end(cudaSuccess);
}

cudaError_t cudaDeviceGetLimit(std::size_t* out, cudaLimit limit) {
  return simple("cudaDeviceGetLimit", Needs::context, [&](Runtime&) {
    if (out == nullptr) return cudaErrorInvalidValue;
    if (!known_limit(limit)) return cudaErrorUnsupportedLimit;
    *out = limit_value(limit);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  return simple("cudaDeviceSetLimit", Needs::context, [&](Runtime&) {
    if (!known_limit(limit)) return cudaErrorUnsupportedLimit;
    limit_value(limit) = value;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return simple("cudaDeviceGetStreamPriorityRange", Needs::context, [&](Runtime&) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = -5;
    return cudaSuccess;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return simple("cudaSetDeviceFlags", Needs::nothing, [&](Runtime&) {
    if ((flags & ~unsigned{cudaDeviceMask}) != 0) return cudaErrorInvalidValue;
    device_flags = flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned* out) {
  return simple("cudaGetDeviceFlags", Needs::nothing, [&](Runtime&) {
    if (out == nullptr) return cudaErrorInvalidValue;
    *out = device_flags;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return simple("cudaDeviceSetCacheConfig", Needs::context, [](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* out) {
  return simple("cudaDeviceGetCacheConfig", Needs::context, [&](Runtime&) {
    if (out == nullptr) return cudaErrorInvalidValue;
    *out = cudaFuncCachePreferNone;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* out, int length, int device) {
  return simple("cudaDeviceGetPCIBusId", Needs::nothing, [&](Runtime&) {
    constexpr char id[] = "0000:00:00.0";
    if (out == nullptr || length < static_cast<int>(sizeof id)) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    std::memcpy(out, id, sizeof id);
    return cudaSuccess;
  });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return simple("cudaCtxResetPersistingL2Cache", Needs::context, [](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaRuntimeGetVersion(int* out) {
  return simple("cudaRuntimeGetVersion", Needs::nothing, [&](Runtime&) {
    if (out == nullptr) return cudaErrorInvalidValue;
    *out = version;
    return cudaSuccess;
  });
}

cudaError_t cudaDriverGetVersion(int* out) {
  return simple("cudaDriverGetVersion", Needs::nothing, [&](Runtime&) {
    if (out == nullptr) return cudaErrorInvalidValue;
    *out = version;
    return cudaSuccess;
  });
}

cudaError_t cudaProfilerStart() {
  return simple("cudaProfilerStart", Needs::context, [](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaProfilerStop() {
  return simple("cudaProfilerStop", Needs::context, [](Runtime&) { return cudaSuccess; });
}

// Reading the last error is no operation of the device: it neither fails after a fault nor changes anything
// but the calling thread's memory of it.
cudaError_t cudaGetLastError() {
  Operation operation;
  Runtime::get().spend(Runtime::get().costs().api_call);
  const cudaError_t error = last_error();
  last_error() = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() {
  Operation operation;
  Runtime::get().spend(Runtime::get().costs().api_call);
  return last_error();
}

const char* cudaGetErrorName(cudaError_t error) {
  return error_name(error);
}

const char* cudaGetErrorString(cudaError_t error) {
  return error_description(error);
}
