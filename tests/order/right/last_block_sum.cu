// One launch: every block leaves its sum behind a fence and a counter; the block that counts last adds them
// up.
#include <cstdio>
#include <vector>

__device__ unsigned finished = 0;

__device__ int sum_of_block(int v) {
  __shared__ int s[128];
  s[threadIdx.x] = v;
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  return s[0];
}

__global__ void sum(const int* in, int n, volatile int* partial, int* result) {
  int v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
  v = sum_of_block(v);
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = v;
    __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;  // wraps to 0 for the next launch
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  int total = 0;
  for (int b = threadIdx.x; b < gridDim.x; b += blockDim.x) total += partial[b];
  total = sum_of_block(total);
  if (threadIdx.x == 0) *result = total;
}

int main() {
  const int n = 54321, blocks = 150;
  std::vector<int> in(n);
  int expected = 0;
  for (int i = 0; i < n; ++i) expected += in[i] = i % 37 - 11;
  int *d_in, *d_partial, *d_result;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_partial, blocks * sizeof(int));
  cudaMalloc(&d_result, sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  int failures = 0;
  for (int launch = 0; launch < 3; ++launch) {
    sum<<<blocks, 128>>>(d_in, n, d_partial, d_result);
    int result = 0;
    cudaMemcpy(&result, d_result, sizeof result, cudaMemcpyDeviceToHost);
    std::printf("launch %d: %d (%d expected)\n", launch, result, expected);
    failures += result != expected;
  }
  cudaFree(d_in);
  cudaFree(d_partial);
  cudaFree(d_result);
  return failures;
}
