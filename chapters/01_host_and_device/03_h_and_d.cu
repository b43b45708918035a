// 1.3  h_ and d_
//
// A round trip: x and y go to the device, y = a*x + y is computed there, and y comes home. The kernel is
// right. In saxpy_round_trip each of the five marked lines has something the wrong way round.

#include <cuda_runtime.h>

#include <cstddef>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

// h_x and h_y are arrays of n floats in the memory of the host, n from 1 up. The result is to stand in h_y.
void saxpy_round_trip(int n, float a, const float* h_x, float* h_y) {
  const std::size_t bytes = n * sizeof(float);
  float* d_x = nullptr;
  float* d_y = nullptr;
  cudaMalloc(&d_x, bytes);
  cudaMalloc(&d_y, bytes);

  // TODO saxpy_round_trip: mend these five lines. When it works, the check sees two copies in and one out.
  cudaMemcpy(d_x, h_x, n, cudaMemcpyDeviceToHost);        // x to the device
  cudaMemcpy(h_y, d_y, bytes, cudaMemcpyHostToDevice);    // y to the device
  saxpy<<<(n + 255) / 256, 256>>>(n, a, d_x, h_y);        // y = a*x + y, on the device
  cudaMemcpy(d_y, h_y, bytes, cudaMemcpyDeviceToHost);    // y back to the host
  cudaMemcpy(d_x, d_y, bytes, cudaMemcpyDeviceToDevice);  // is this one needed?

  // Experiment (the lesson says what to look for): read d_x[0] here, once. Then take the line out again.

  cudaFree(d_x);
  cudaFree(d_y);
}
