// The code of chapter 12.
#include "claims.h"

__device__ float table[256];

__global__ void my_kernel(float* out) {
  out[threadIdx.x] = table[threadIdx.x] + 1.0f;
}

int main() {
  // --8<-- [start:load_a_kernel]
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes,
                        my_kernel);  // how many registers, how much shared memory: loads my_kernel
  // --8<-- [end:load_a_kernel]
  CLAIM(attributes.numRegs > 0 && attributes.sharedSizeBytes == 0);
  // --8<-- [start:load_data]
  void* d_table;
  cudaGetSymbolAddress(&d_table, table);  // loads the module and its variables
  // --8<-- [end:load_data]
  CLAIM(d_table != nullptr && cudaMemset(d_table, 0, sizeof table) == cudaSuccess);
  float* out = shared_by_both<float>(256);
  my_kernel<<<1, 256>>>(out);
  CLAIM(all_well() && out[255] == 1.0f);
  return broken_claims;
}
