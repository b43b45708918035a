// Uses the device for the first time, in the way that its argument names; what that took stands in its trace.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

__device__ float table[1 << 20];

__global__ void one(float* x) {
  x[threadIdx.x] = 1;
}
__global__ void two(float* x) {
  x[threadIdx.x] += table[threadIdx.x];
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "plain";
  int count = 0;
  cudaGetDeviceCount(&count);
  if (std::strcmp(how, "setenv") == 0) setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  float* x = nullptr;
  cudaMalloc(&x, 32 * sizeof(float));
  cudaFuncAttributes attributes;
  if (std::strcmp(how, "preload") == 0) cudaFuncGetAttributes(&attributes, one);
  one<<<1, 32>>>(x);
  const cudaError_t error = cudaGetLastError();
  one<<<1, 32>>>(x);
  two<<<1, 32>>>(x);
  std::printf("%s %s\n", cudaGetErrorName(error), cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
