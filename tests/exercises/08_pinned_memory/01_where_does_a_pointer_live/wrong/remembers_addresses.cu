// wrong: keeps a table of the addresses it was asked about: memory that is registered later stays pageable
// verdict: wrong
// code: place.pinned
// message: pages that cudaHostRegister has pinned is pinned, and place_of says pageable
// message: and that was the answer then, too
#include <cuda_runtime.h>
#include <map>

enum class Place { pageable, pinned, device, managed };

Place ask(const void* p) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, p) != cudaSuccess) return Place::pageable;
  if (attributes.type == cudaMemoryTypeHost) return Place::pinned;
  if (attributes.type == cudaMemoryTypeDevice) return Place::device;
  if (attributes.type == cudaMemoryTypeManaged) return Place::managed;
  return Place::pageable;
}

Place place_of(const void* p) {
  static std::map<const void*, Place> known;
  const auto found = known.find(p);
  if (found != known.end()) return found->second;
  return known[p] = ask(p);
}
