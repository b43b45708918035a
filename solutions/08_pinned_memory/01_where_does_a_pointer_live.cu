// 8.1  Where does a pointer live?
//
// The runtime knows, for every byte of every block that it gave or was told of. The answer comes back in the
// attributes; for memory that it knows nothing about, "unregistered" is an answer too, and no error.
#include <cuda_runtime.h>

// Given. The check knows them by their order.
enum class Place { pageable, pinned, device, managed };

// Where the byte at p lives, be it the first, the last, or one in the middle of its block. Memory moves between the
// places while a program runs (cudaHostRegister, cudaHostUnregister): the answer is the one of now. Looks at no byte,
// copies none. Leaves no error behind, and takes none away that was there before.
Place place_of(const void* p) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, p) != cudaSuccess) return Place::pageable;
  switch (attributes.type) {
    case cudaMemoryTypeHost:
      return Place::pinned;
    case cudaMemoryTypeDevice:
      return Place::device;
    case cudaMemoryTypeManaged:
      return Place::managed;
    default:
      return Place::pageable;
  }
}
