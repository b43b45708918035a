// wrong: knows a block by its first byte: an address inside of it is nobody's
// verdict: wrong
// code: place.device
// message: A byte in the middle of a block of cudaMalloc is device, and place_of says pageable
#include <cuda_runtime.h>
#include <cstdint>

enum class Place { pageable, pinned, device, managed };

Place place_of(const void* p) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, p) != cudaSuccess) return Place::pageable;
  const bool at_the_beginning = reinterpret_cast<std::uintptr_t>(p) % 256 == 0;  // as cudaMalloc gives it
  if (attributes.type == cudaMemoryTypeDevice && at_the_beginning) return Place::device;
  if (attributes.type == cudaMemoryTypeHost) return Place::pinned;
  if (attributes.type == cudaMemoryTypeManaged) return Place::managed;
  return Place::pageable;
}
