// wrong: takes cudaMemoryTypeUnregistered and cudaMemoryTypeHost for the same, because both are on the host
// verdict: wrong
// code: place.pageable
// message: an array on the stack is pageable, and place_of says pinned
#include <cuda_runtime.h>

enum class Place { pageable, pinned, device, managed };

Place place_of(const void* p) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, p) != cudaSuccess) return Place::pageable;
  if (attributes.type == cudaMemoryTypeDevice) return Place::device;
  if (attributes.type == cudaMemoryTypeManaged) return Place::managed;
  return Place::pinned;
}
