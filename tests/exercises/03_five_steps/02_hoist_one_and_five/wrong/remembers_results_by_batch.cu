// wrong: keeps the sums of each batch, and gives them again when the same batch number comes
// verdict: wrong
// code: pattern.stale
// message: In the second call
// message: is the sum of the first call
#include <cuda_runtime.h>

__global__ void add(const float* d_a, const float* d_b, float* d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

cudaError_t add_batches(const float* a, const float* b, float* c, int n, int batch) {
  static std::map<std::tuple<int, int, int>, std::vector<float>> known;
  if (n == 0) return cudaSuccess;
  const size_t room = batch * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  cudaError_t status = cudaMalloc(&d_a, room);
  if (status == cudaSuccess) status = cudaMalloc(&d_b, room);
  if (status == cudaSuccess) status = cudaMalloc(&d_c, room);
  for (int first = 0; first < n && status == cudaSuccess; first += batch) {
    const int count = std::min(batch, n - first);
    const size_t bytes = count * sizeof(float);
    std::vector<float>& sums = known[{n, batch, first / batch}];
    if (sums.empty()) {
      sums.resize(count);
      cudaMemcpy(d_a, a + first, bytes, cudaMemcpyHostToDevice);
      cudaMemcpy(d_b, b + first, bytes, cudaMemcpyHostToDevice);
      add<<<(count - 1) / 256 + 1, 256>>>(d_a, d_b, d_c, count);
      status = cudaGetLastError();
      if (status == cudaSuccess) status = cudaMemcpy(sums.data(), d_c, bytes, cudaMemcpyDeviceToHost);
    }
    std::copy(sums.begin(), sums.end(), c + first);
  }
  cudaFree(d_c);
  cudaFree(d_b);
  cudaFree(d_a);
  return status;
}
