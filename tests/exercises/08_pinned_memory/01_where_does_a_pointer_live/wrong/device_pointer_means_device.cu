// wrong: takes memory that has a device pointer for device memory: pinned memory has one too
// verdict: wrong
// code: place.pinned
// message: of cudaMallocHost is pinned, and place_of says device
// message: set for more than one of them
#include <cuda_runtime.h>

enum class Place { pageable, pinned, device, managed };

Place place_of(const void* p) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, p) != cudaSuccess) return Place::pageable;
  if (attributes.type == cudaMemoryTypeManaged) return Place::managed;
  if (attributes.devicePointer != nullptr) return Place::device;
  return Place::pageable;
}
