// right: everything in one stream, with its own allocations; the stream keeps the order

#include <cuda_runtime.h>

#include <cstddef>

namespace {

template <class T>
__global__ void axpy(int n, T a, const T* x, T* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += a * x[i];
}

}  // namespace

void saxpy_round_trip(int n, float a, const float* h_x, float* h_y) {
  const std::size_t bytes = n * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocAsync(&d_x, bytes, stream);
  cudaMallocAsync(&d_y, bytes, stream);
  cudaMemcpyAsync(d_x, h_x, bytes, cudaMemcpyHostToDevice, stream);
  cudaMemcpyAsync(d_y, h_y, bytes, cudaMemcpyHostToDevice, stream);
  axpy<<<4, 64, 0, stream>>>(n, a, d_x, d_y);
  cudaMemcpyAsync(h_y, d_y, bytes, cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(d_x, stream);
  cudaFreeAsync(d_y, stream);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
