// right: the four types are small numbers, so a table answers
#include <cuda_runtime.h>

enum class Place { pageable, pinned, device, managed };

Place place_of(const void* p) {
  constexpr Place by_type[] = {Place::pageable, Place::pinned, Place::device, Place::managed};
  cudaPointerAttributes attributes{};
  const cudaError_t status = cudaPointerGetAttributes(&attributes, p);
  const int type = status == cudaSuccess ? static_cast<int>(attributes.type) : 0;
  return type < 4 ? by_type[type] : Place::pageable;
}
