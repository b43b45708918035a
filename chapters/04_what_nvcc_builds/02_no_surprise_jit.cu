// 4.2  No surprise JIT, still forward compatible: the program
//
// There is nothing to change here. What nvcc makes of it, 02_no_surprise_jit.flags says.
#include <cuda_runtime.h>

__global__ void brighten_kernel(float* d_x, int n, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] *= by;
}

// d_x[i] *= by for n elements, n from 1 up. Does not wait for the device. Returns the launch's error.
cudaError_t brighten(float* d_x, int n, float by) {
  brighten_kernel<<<(n - 1) / 256 + 1, 256>>>(d_x, n, by);
  return cudaGetLastError();
}

// For which architecture is the machine code that runs here? 90 for sm_90, and 0 when there is none.
int machine_code_that_runs() {
  cudaFuncAttributes facts{};
  return cudaFuncGetAttributes(&facts, brighten_kernel) == cudaSuccess ? facts.binaryVersion : 0;
}
