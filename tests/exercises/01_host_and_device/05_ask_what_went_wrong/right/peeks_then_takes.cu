// right: peeking is fine as long as the error is taken away in the end

#include <cuda_runtime.h>

#include <functional>
#include <string>

struct Status {
  cudaError_t error;
  std::string text;
};

static void forget_errors() {
  while (cudaPeekAtLastError() != cudaSuccess) cudaGetLastError();
}

Status run_checked(const std::function<void()>& launch) {
  forget_errors();
  launch();
  Status status{cudaPeekAtLastError(), {}};
  status.text = cudaGetErrorString(status.error);
  forget_errors();
  return status;
}

__global__ void fill(int value, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

void launch_fill(int blocks, int threads, int value, int* d_out) {
  fill<<<blocks, threads>>>(value, d_out);
}
