// Memory pools and hints about managed memory, as far as a program can tell: there is one pool, it always has
// room.
#include "cudart/call.h"

namespace workbook::cudart {

namespace {

// The handle of the device's default pool.
cudaMemPool_t default_pool() {
  static int pool;
  return reinterpret_cast<cudaMemPool_t>(&pool);
}
std::uint64_t release_threshold = 0;

cudaError_t give_pool(const char* api, cudaMemPool_t* out, int device) {
  Call call(api);
  if (call.refused()) return call.refusal();
  if (device != 0) return call.end(cudaErrorInvalidDevice);
  if (out == nullptr) return call.end(cudaErrorInvalidValue);
  *out = default_pool();
  return call.end(cudaSuccess);
}

cudaError_t hint(const char* api, const void* pointer) {
  Call call(api);
  if (call.refused()) return call.refusal();
  return call.end(call.runtime.facts(pointer).kind == trace::MemoryKind::managed ? cudaSuccess
                                                                                 : cudaErrorInvalidValue);
}

}  // namespace

}  // namespace workbook::cudart

using namespace workbook::cudart;  // NOLINT: the exported functions below are part of it

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* out, int device) {
  return give_pool("cudaDeviceGetDefaultMemPool", out, device);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* out, int device) {
  return give_pool("cudaDeviceGetMemPool", out, device);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  Call call("cudaMemPoolSetAttribute");
  if (call.refused()) return call.refusal();
  if (pool != default_pool() || value == nullptr) return call.end(cudaErrorInvalidValue);
  if (attribute == cudaMemPoolAttrReleaseThreshold) release_threshold = *static_cast<std::uint64_t*>(value);
  return call.end(cudaSuccess);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  Call call("cudaMemPoolGetAttribute");
  if (call.refused()) return call.refusal();
  if (pool != default_pool() || value == nullptr) return call.end(cudaErrorInvalidValue);
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      *static_cast<int*>(value) = 1;
      break;
    case cudaMemPoolAttrReleaseThreshold:
      *static_cast<std::uint64_t*>(value) = release_threshold;
      break;
    default:
      *static_cast<std::uint64_t*>(value) = call.runtime.memory().used();
      break;
  }
  return call.end(cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
  Call call("cudaMemPoolTrimTo");
  if (call.refused()) return call.refusal();
  return call.end(pool == default_pool() ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t, cudaMemLocation, unsigned, cudaStream_t) {
  return hint("cudaMemPrefetchAsync", pointer);
}

cudaError_t cudaMemAdvise(const void* pointer, std::size_t, cudaMemoryAdvise, cudaMemLocation) {
  return hint("cudaMemAdvise", pointer);
}
