// wrong: asks for the flags of pinned memory first, which is an error for all other memory
// verdict: wrong
// code: error_left
// message: leaves cudaErrorInvalidValue behind
// message: Which of your calls is refused
#include <cuda_runtime.h>

enum class Place { pageable, pinned, device, managed };

Place place_of(const void* p) {
  unsigned flags = 0;
  cudaPointerAttributes attributes{};
  cudaPointerGetAttributes(&attributes, p);
  if (attributes.type == cudaMemoryTypeManaged) return Place::managed;
  if (cudaHostGetFlags(&flags, const_cast<void*>(p)) == cudaSuccess) return Place::pinned;
  return attributes.type == cudaMemoryTypeDevice ? Place::device : Place::pageable;
}
