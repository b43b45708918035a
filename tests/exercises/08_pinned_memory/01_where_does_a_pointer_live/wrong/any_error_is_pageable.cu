// wrong: takes any error that is around for "the runtime does not know this memory"
// verdict: wrong
// code: earlier_error
// message: pinned memory is called pageable
// message: Whose error does cudaGetLastError give you
#include <cuda_runtime.h>

enum class Place { pageable, pinned, device, managed };

Place place_of(const void* p) {
  cudaPointerAttributes attributes{};
  cudaPointerGetAttributes(&attributes, p);
  if (cudaGetLastError() != cudaSuccess) return Place::pageable;
  if (attributes.type == cudaMemoryTypeHost) return Place::pinned;
  if (attributes.type == cudaMemoryTypeDevice) return Place::device;
  if (attributes.type == cudaMemoryTypeManaged) return Place::managed;
  return Place::pageable;
}
