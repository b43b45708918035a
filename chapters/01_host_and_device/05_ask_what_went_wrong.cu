// 1.5  Ask what went wrong
//
// A launch returns nothing, and when it is refused, nothing happens at all. run_checked makes a launch speak:
// it calls `launch`, once, and returns the error of that launch.
//
//   cudaSuccess when the launch was accepted, also when something else went wrong earlier in the program;
//   the launch's own error when it was refused;
//   and in both cases no error is left for the next one who asks.

#include <cuda_runtime.h>

#include <functional>
#include <string>

struct Status {
  cudaError_t error;  // cudaSuccess when all is well
  std::string text;   // what cudaGetErrorString says to it
};

Status run_checked(const std::function<void()>& launch) {
  launch();
  // TODO run_checked: ask the runtime.
  //   When it works, the check says "the error of 3 launches that were refused".
  return {cudaSuccess, cudaGetErrorString(cudaSuccess)};
}

// The check hands run_checked calls of this function. Not every number of blocks and threads is accepted.
__global__ void fill(int value, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

void launch_fill(int blocks, int threads, int value, int* d_out) {
  fill<<<blocks, threads>>>(value, d_out);
}
