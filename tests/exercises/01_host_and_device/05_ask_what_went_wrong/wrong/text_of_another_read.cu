// wrong: asks once for the error and once more for its text
// verdict: wrong
// code: text
// message: the text is "no error"

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
  const cudaError_t error = cudaGetLastError();
  return {error, cudaGetErrorString(cudaGetLastError())};
}

__global__ void fill(int value, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

void launch_fill(int blocks, int threads, int value, int* d_out) {
  fill<<<blocks, threads>>>(value, d_out);
}
