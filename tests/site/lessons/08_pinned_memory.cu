// The code of chapter 8.
#include "claims.h"

cudaMemoryType where(const void* p) {
  // --8<-- [start:ask]
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, p);
  // --8<-- [end:ask]
  return attributes.type;
}

int main() {
  int pageable = 0;
  void *pinned = nullptr, *device = nullptr, *managed = nullptr;
  CLAIM(cudaMallocHost(&pinned, 64) == cudaSuccess);
  CLAIM(cudaMalloc(&device, 64) == cudaSuccess);
  CLAIM(cudaMallocManaged(&managed, 64) == cudaSuccess);
  CLAIM(where(&pageable) == cudaMemoryTypeUnregistered);
  CLAIM(where(pinned) == cudaMemoryTypeHost);
  CLAIM(where(device) == cudaMemoryTypeDevice);
  CLAIM(where(managed) == cudaMemoryTypeManaged);
  CLAIM(all_well());
  return broken_claims;
}
