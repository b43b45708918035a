// wrong: gives memory back in the order of one stream while another still works on it
// verdict: wrong
// code: freed_in_flight
// message: frees a block on which another stream still works
// message: In which stream's order
#include <cuda_runtime.h>

__global__ void add(const float* d_a, const float* d_b, float* d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

#include <algorithm>

cudaError_t add_batches(const float* a, const float* b, float* c, int n, int batch) {
  cudaStream_t work, memory;
  cudaError_t status = cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking);
  if (status == cudaSuccess) status = cudaStreamCreateWithFlags(&memory, cudaStreamNonBlocking);
  for (int first = 0; first < n && status == cudaSuccess; first += batch) {
    const int count = std::min(batch, n - first);
    const size_t bytes = count * sizeof(float);
    float *d_a, *d_b, *d_c;
    cudaMallocAsync(&d_a, bytes, memory);
    cudaMallocAsync(&d_b, bytes, memory);
    cudaMallocAsync(&d_c, bytes, memory);
    status = cudaStreamSynchronize(memory);
    cudaMemcpyAsync(d_a, a + first, bytes, cudaMemcpyHostToDevice, work);
    cudaMemcpyAsync(d_b, b + first, bytes, cudaMemcpyHostToDevice, work);
    add<<<(count - 1) / 256 + 1, 256, 0, work>>>(d_a, d_b, d_c, count);
    cudaMemcpyAsync(c + first, d_c, bytes, cudaMemcpyDeviceToHost, work);
    cudaFreeAsync(d_a, memory);
    cudaFreeAsync(d_b, memory);
    cudaFreeAsync(d_c, memory);
  }
  cudaStreamSynchronize(work);
  cudaStreamSynchronize(memory);
  cudaStreamDestroy(work);
  cudaStreamDestroy(memory);
  return status;
}
