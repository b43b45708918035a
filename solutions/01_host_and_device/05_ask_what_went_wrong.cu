// 1.5  Ask what went wrong: drop what others left, launch, and take the launch's own error.

#include <cuda_runtime.h>

#include <functional>
#include <string>

struct Status {
  cudaError_t error;  // cudaSuccess when all is well
  std::string text;   // what cudaGetErrorString says to it
};

Status run_checked(const std::function<void()>& launch) {
  cudaGetLastError();  // an earlier error is not this launch's
  launch();
  const cudaError_t error = cudaGetLastError();  // reading takes it away
  return {error, cudaGetErrorString(error)};
}

// The check hands run_checked calls of this function. Not every number of blocks and threads is accepted.
__global__ void fill(int value, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

void launch_fill(int blocks, int threads, int value, int* d_out) {
  fill<<<blocks, threads>>>(value, d_out);
}
