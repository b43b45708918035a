// A module with 64 MiB of variables and a kernel that reads them.
#include <cuda_runtime.h>

__device__ float large_data[16 << 20];

__global__ void reader_kernel(float* d_x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] += large_data[i];
}

cudaError_t launch_reader(float* d_x, int n) {
  reader_kernel<<<(n + 255) / 256, 256>>>(d_x, n);
  return cudaGetLastError();
}

const void* reader_kernel_address() {
  return (const void*)reader_kernel;
}

const void* large_data_symbol() {
  return large_data;
}
