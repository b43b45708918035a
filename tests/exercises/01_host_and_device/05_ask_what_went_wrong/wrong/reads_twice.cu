// wrong: reads the error to see whether there is one, and again to return it
// verdict: wrong
// code: read_and_lost
// message: now there is none left

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
  if (cudaGetLastError() != cudaSuccess) {
    const cudaError_t error = cudaGetLastError();
    return {error, cudaGetErrorString(error)};
  }
  return {cudaSuccess, cudaGetErrorString(cudaSuccess)};
}

__global__ void fill(int value, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

void launch_fill(int blocks, int threads, int value, int* d_out) {
  fill<<<blocks, threads>>>(value, d_out);
}
