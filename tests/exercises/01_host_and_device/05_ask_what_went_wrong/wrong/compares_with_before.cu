// wrong: takes an error of the same name for the one that was there before
// verdict: wrong
// code: taken_for_the_earlier
// message: after the same launch once before

#include <cuda_runtime.h>

#include <functional>
#include <string>
struct Status {
  cudaError_t error;
  std::string text;
};

Status run_checked(const std::function<void()>& launch) {
  cudaError_t before = cudaGetLastError();
  launch();
  cudaError_t e = cudaGetLastError();
  if (e == before) e = cudaSuccess;
  return {e, cudaGetErrorString(e)};
}
__global__ void fill(int value, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
void launch_fill(int blocks, int threads, int value, int* d_out) {
  fill<<<blocks, threads>>>(value, d_out);
}
