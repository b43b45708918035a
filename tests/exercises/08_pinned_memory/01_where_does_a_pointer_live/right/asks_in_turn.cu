// right: three questions in a row, and a helper for the attributes
#include <cuda_runtime.h>

enum class Place { pageable, pinned, device, managed };

static cudaMemoryType type_of(const void* p) {
  cudaPointerAttributes attributes;
  return cudaPointerGetAttributes(&attributes, p) == cudaSuccess ? attributes.type : cudaMemoryTypeUnregistered;
}

Place place_of(const void* p) {
  const cudaMemoryType type = type_of(p);
  return type == cudaMemoryTypeDevice    ? Place::device
         : type == cudaMemoryTypeManaged ? Place::managed
         : type == cudaMemoryTypeHost    ? Place::pinned
                                         : Place::pageable;
}
