// wrong: never asks before the launch, so that an older error looks like its own
// verdict: wrong
// code: blames_earlier
// message: that error is older than the launch

#include <cuda_runtime.h>

#include <functional>
#include <string>

struct Status {
  cudaError_t error;
  std::string text;
};

Status run_checked(const std::function<void()>& launch) {
  launch();
  const cudaError_t error = cudaGetLastError();
  return {error, cudaGetErrorString(error)};
}

__global__ void fill(int value, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

void launch_fill(int blocks, int threads, int value, int* d_out) {
  fill<<<blocks, threads>>>(value, d_out);
}
