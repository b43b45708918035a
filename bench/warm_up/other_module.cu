// A module of its own: one kernel.
#include <cuda_runtime.h>

__global__ void other_kernel(float* d_x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] += 3.0f;
}

cudaError_t launch_other(float* d_x, int n) {
  other_kernel<<<(n + 255) / 256, 256>>>(d_x, n);
  return cudaGetLastError();
}

const void* other_kernel_address() {
  return (const void*)other_kernel;
}
