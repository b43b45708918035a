// The code of chapter 3.
#include <vector>

#include "claims.h"

__global__ void negate(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = -x[i];
}

__global__ void kernel(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1.0f;
}

void five_steps(float* x, int n, int block) {
  // --8<-- [start:five_steps]
  const size_t bytes = n * sizeof(float);
  float* d_x = nullptr;
  cudaMalloc(&d_x, bytes);                            // 1 allocate
  cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);  // 2 copy in
  negate<<<(n - 1) / block + 1, block>>>(d_x, n);     // 3 launch
  cudaMemcpy(x, d_x, bytes, cudaMemcpyDeviceToHost);  // 4 copy out
  cudaFree(d_x);                                      // 5 free
  // --8<-- [end:five_steps]
}

cudaError_t with_errors(float* x, int n, int block) {
  const size_t bytes = n * sizeof(float);
  float* d_x = nullptr;
  // --8<-- [start:stop_at_the_first]
  cudaError_t status = cudaMalloc(&d_x, bytes);
  if (status == cudaSuccess) status = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
  // --8<-- [end:stop_at_the_first]
  if (status != cudaSuccess) return status;
  // --8<-- [start:error_of_a_launch]
  cudaGetLastError();  // an error from before is not this launch's
  negate<<<(n - 1) / block + 1, block>>>(d_x, n);
  status = cudaGetLastError();
  // --8<-- [end:error_of_a_launch]
  if (status == cudaSuccess) status = cudaMemcpy(x, d_x, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  return status;
}

float timed(float* d_x, int n) {
  const dim3 grid((n + 255) / 256), block(256);
  // --8<-- [start:events]
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);

  cudaEventRecord(begin);  // "note the time when you get here"
  kernel<<<grid, block>>>(d_x, n);
  cudaEventRecord(end);
  cudaEventSynchronize(end);  // the host waits until the device has been there

  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, begin, end);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);  // what is made is given back, as with memory
  // --8<-- [end:events]
  return milliseconds;
}

int main() {
  std::vector<float> x(1000, 2.0f);
  five_steps(x.data(), 1000, 128);
  CLAIM(x[0] == -2.0f && x[999] == -2.0f);
  cudaMalloc(nullptr, 1);  // an error from before
  CLAIM(with_errors(x.data(), 1000, 128) == cudaSuccess);
  CLAIM(x[0] == 2.0f && x[999] == 2.0f);
  CLAIM(with_errors(x.data(), 1000, 4096) != cudaSuccess);  // no block is that large
  CLAIM(with_errors(x.data(), -4, 128) != cudaSuccess);     // nor is there so much memory
  cudaGetLastError();
  CLAIM(timed(shared_by_both<float>(1 << 16), 1 << 16) > 0.0f);
  CLAIM(all_well());
  return broken_claims;
}
