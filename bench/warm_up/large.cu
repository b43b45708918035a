// One kernel with more or less code, as STEPS says; built as text alone it shows what compiling takes.
//
//   nvcc -O2 -std=c++17 -cudart shared -DSTEPS=40 -gencode arch=compute_75,code=compute_75 -o large_40
//   large.cu
//
// The kernel is that of exercise 12.3.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>

template <int N>
__device__ float chain(float x) {
  if constexpr (N == 0) {
    return x;
  } else {
    return chain<N - 1>(sinf(x * N) + (x > 0.5f ? cosf(x + N) : sqrtf(x * x + N)));
  }
}

__global__ void large_kernel(float* d_x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] = chain<STEPS>(d_x[i]);
}

int main() {
  using namespace std::chrono;
  float* d_x = nullptr;
  cudaMalloc(&d_x, 32 * sizeof(float));
  cudaMemset(d_x, 0, 32 * sizeof(float));
  cudaDeviceSynchronize();
  for (const char* name : {"first_launch", "first_launch_again"}) {
    const auto begin = steady_clock::now();
    large_kernel<<<1, 32>>>(d_x, 32);
    const cudaError_t error = cudaGetLastError();
    cudaDeviceSynchronize();
    const double us = duration<double, std::micro>(steady_clock::now() - begin).count();
    if (error == cudaSuccess)
      std::printf("%s %.2f\n", name, us);
    else
      std::printf("%s %s\n", name, cudaGetErrorName(error));
  }
  return 0;
}
