// wrong: tells host from device by the pointers, and forgets managed memory, which has both
// verdict: wrong
// code: place.managed
// message: is managed, and place_of says pinned
#include <cuda_runtime.h>

enum class Place { pageable, pinned, device, managed };

Place place_of(const void* p) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, p) != cudaSuccess) return Place::pageable;
  if (attributes.type == cudaMemoryTypeUnregistered) return Place::pageable;
  return attributes.hostPointer != nullptr ? Place::pinned : Place::device;
}
