// 12.1, given: two kernels in one module, and what launches them. Neither call waits for the device.
#include <cuda_runtime.h>

__global__ void fill_kernel(float* d_x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] = 1.0f;
}

__global__ void double_kernel(float* d_x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] *= 2.0f;
}

cudaError_t launch_fill(float* d_x, int n) {
  fill_kernel<<<(n + 255) / 256, 256>>>(d_x, n);
  return cudaGetLastError();
}

cudaError_t launch_double(float* d_x, int n) {
  double_kernel<<<(n + 255) / 256, 256>>>(d_x, n);
  return cudaGetLastError();
}
