// wrong: remembers what was pinned, and does not hear of cudaHostUnregister
// verdict: wrong
// code: place.pageable
// message: pages that cudaHostUnregister has let go is pageable, and place_of says pinned
#include <cuda_runtime.h>
#include <set>

enum class Place { pageable, pinned, device, managed };

Place place_of(const void* p) {
  static std::set<const void*> pinned;
  if (pinned.count(p) != 0) return Place::pinned;
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, p) != cudaSuccess) return Place::pageable;
  if (attributes.type == cudaMemoryTypeHost) {
    pinned.insert(p);
    return Place::pinned;
  }
  if (attributes.type == cudaMemoryTypeDevice) return Place::device;
  if (attributes.type == cudaMemoryTypeManaged) return Place::managed;
  return Place::pageable;
}
