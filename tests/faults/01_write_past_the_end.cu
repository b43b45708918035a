// kind: out_of_bounds
// block: 3  thread: 232
// says: 4 bytes
#include <cstdio>

__global__ void fill(float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 1.0f;  // <- here
}

int main() {
  float* d_y = nullptr;
  cudaMalloc(&d_y, 1000 * sizeof(float));
  fill<<<4, 256>>>(d_y);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
