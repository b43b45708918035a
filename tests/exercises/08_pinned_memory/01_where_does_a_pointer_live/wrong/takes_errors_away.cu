// wrong: clears the last error "to be on the safe side"
// verdict: wrong
// code: takes_errors_away
// message: it was cudaErrorInvalidResourceHandle before
// message: an error that is not yours
#include <cuda_runtime.h>

enum class Place { pageable, pinned, device, managed };

Place place_of(const void* p) {
  cudaPointerAttributes attributes{};
  const cudaError_t status = cudaPointerGetAttributes(&attributes, p);
  cudaGetLastError();
  if (status != cudaSuccess) return Place::pageable;
  if (attributes.type == cudaMemoryTypeHost) return Place::pinned;
  if (attributes.type == cudaMemoryTypeDevice) return Place::device;
  if (attributes.type == cudaMemoryTypeManaged) return Place::managed;
  return Place::pageable;
}
