// wrong: launches once to look, and once more to be sure
// verdict: wrong
// code: launched_twice
// message: called `launch` 2 times

#include <cuda_runtime.h>

#include <functional>
#include <string>

struct Status {
  cudaError_t error;
  std::string text;
};

Status run_checked(const std::function<void()>& launch) {
  cudaGetLastError();
  launch();
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) {
    launch();
    error = cudaGetLastError();
  }
  return {error, cudaGetErrorString(error)};
}

__global__ void fill(int value, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

void launch_fill(int blocks, int threads, int value, int* d_out) {
  fill<<<blocks, threads>>>(value, d_out);
}
