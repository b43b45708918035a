// right: on a stream that does not wait for the default stream, and waited for

#include <cuda_runtime.h>

#include <cstdint>

__global__ void saxpy_kernel(std::int64_t first, std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = first + std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride)
    y[i] = a * x[i] + y[i];
}

void saxpy_range(int blocks, int threads, std::int64_t first, std::int64_t n, float a, const float* d_x,
                 float* d_y) {
  static cudaStream_t stream = nullptr;
  if (stream == nullptr) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  saxpy_kernel<<<blocks, threads, 0, stream>>>(first, n, a, d_x, d_y);
  cudaStreamSynchronize(stream);
}
