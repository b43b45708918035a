// right: more threads than elements, in two blocks; the rest have nothing to do. Waits for the device as well

#include <cuda_runtime.h>

__global__ void square(const int* x, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i];
}

void square_all(const int* d_x, int* d_y) {
  square<<<2, 64>>>(d_x, d_y, 32);
  cudaDeviceSynchronize();
}
