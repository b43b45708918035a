// wrong: looks at the error and leaves it for the next one
// verdict: wrong
// code: left_behind
// message: left it where it was

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
  const cudaError_t error = cudaPeekAtLastError();
  return {error, cudaGetErrorString(error)};
}

__global__ void fill(int value, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

void launch_fill(int blocks, int threads, int value, int* d_out) {
  fill<<<blocks, threads>>>(value, d_out);
}
