// wrong: sees that something is wrong, and makes one error of all
// verdict: wrong
// code: another_error
// message: run_checked says cudaErrorUnknown

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
  if (cudaGetLastError() == cudaSuccess) return {cudaSuccess, cudaGetErrorString(cudaSuccess)};
  return {cudaErrorUnknown, cudaGetErrorString(cudaErrorUnknown)};
}

__global__ void fill(int value, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

void launch_fill(int blocks, int threads, int value, int* d_out) {
  fill<<<blocks, threads>>>(value, d_out);
}
