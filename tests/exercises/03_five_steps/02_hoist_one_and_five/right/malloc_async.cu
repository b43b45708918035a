// right: allocates for each batch, but from the stream's pool, which keeps what is freed
#include <cuda_runtime.h>

__global__ void add(const float* d_a, const float* d_b, float* d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

cudaError_t add_batches(const float* a, const float* b, float* c, int n, int batch) {
  cudaError_t status = cudaSuccess;
  for (int first = 0; first < n && status == cudaSuccess; first += batch) {
    const int count = n - first < batch ? n - first : batch;
    const size_t bytes = count * sizeof(float);
    float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
    status = cudaMallocAsync(&d_a, bytes, 0);
    if (status == cudaSuccess) status = cudaMallocAsync(&d_b, bytes, 0);
    if (status == cudaSuccess) status = cudaMallocAsync(&d_c, bytes, 0);
    if (status == cudaSuccess) status = cudaMemcpyAsync(d_a, a + first, bytes, cudaMemcpyHostToDevice, 0);
    if (status == cudaSuccess) status = cudaMemcpyAsync(d_b, b + first, bytes, cudaMemcpyHostToDevice, 0);
    if (status == cudaSuccess) {
      cudaGetLastError();  // an error from before is not this launch's
      add<<<(count - 1) / 128 + 1, 128>>>(d_a, d_b, d_c, count);
      status = cudaGetLastError();
    }
    if (status == cudaSuccess) status = cudaMemcpyAsync(c + first, d_c, bytes, cudaMemcpyDeviceToHost, 0);
    for (float* d : {d_a, d_b, d_c}) {
      if (d != nullptr) cudaFreeAsync(d, 0);
    }
  }
  const cudaError_t waited = cudaStreamSynchronize(0);
  return status != cudaSuccess ? status : waited;
}
