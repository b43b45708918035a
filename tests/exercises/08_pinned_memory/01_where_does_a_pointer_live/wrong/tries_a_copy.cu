// wrong: copies a byte from there and looks whether it works
// verdict: wrong
// code: moves_bytes
// message: was called to find out
// message: Who gave out the memory
#include <cuda_runtime.h>

enum class Place { pageable, pinned, device, managed };

Place place_of(const void* p) {
  unsigned char byte;
  if (cudaMemcpy(&byte, p, 1, cudaMemcpyDeviceToHost) == cudaSuccess) return Place::device;
  cudaGetLastError();
  unsigned flags = 0;
  if (cudaHostGetFlags(&flags, const_cast<void*>(p)) == cudaSuccess) return Place::pinned;
  cudaGetLastError();
  return Place::pageable;
}
