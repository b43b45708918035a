// right: two sets of buffers, two streams; nothing is freed before both have ended
#include <cuda_runtime.h>

__global__ void add(const float* d_a, const float* d_b, float* d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

#include <algorithm>

cudaError_t add_batches(const float* a, const float* b, float* c, int n, int batch) {
  const size_t room = batch * sizeof(float);
  cudaStream_t stream[2] = {};
  float *d_a[2] = {}, *d_b[2] = {}, *d_c[2] = {};
  cudaError_t status = cudaSuccess;
  const auto well = [&status](cudaError_t error) {
    if (status == cudaSuccess) status = error;
    return status == cudaSuccess;
  };
  for (int s = 0; s < 2 && n > 0; ++s) {
    if (!well(cudaStreamCreate(&stream[s])) || !well(cudaMalloc(&d_a[s], room)) ||
        !well(cudaMalloc(&d_b[s], room)) || !well(cudaMalloc(&d_c[s], room)))
      break;
  }
  int s = 0;
  for (int first = 0; first < n && status == cudaSuccess; first += batch, s = 1 - s) {
    const int count = std::min(batch, n - first);
    const size_t bytes = count * sizeof(float);
    if (!well(cudaMemcpyAsync(d_a[s], a + first, bytes, cudaMemcpyHostToDevice, stream[s]))) break;
    if (!well(cudaMemcpyAsync(d_b[s], b + first, bytes, cudaMemcpyHostToDevice, stream[s]))) break;
    add<<<(count - 1) / 256 + 1, 256, 0, stream[s]>>>(d_a[s], d_b[s], d_c[s], count);
    if (!well(cudaGetLastError())) break;
    well(cudaMemcpyAsync(c + first, d_c[s], bytes, cudaMemcpyDeviceToHost, stream[s]));
  }
  well(cudaDeviceSynchronize());
  for (int k = 0; k < 2; ++k) {
    cudaFree(d_a[k]);
    cudaFree(d_b[k]);
    cudaFree(d_c[k]);
    if (stream[k] != nullptr) cudaStreamDestroy(stream[k]);
  }
  cudaGetLastError();  // what failed is told in the value that is returned, and nowhere else
  return status;
}
