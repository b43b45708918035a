// Message passing with the C++ atomics of the CUDA library: a release store publishes, an acquire load sees.
#include <cstdio>
#include <cuda/atomic>

using Flag = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void pass(int* data, Flag* flags, int n) {
  const int b = blockIdx.x;
  if (b > 0) {
    if (threadIdx.x == 0) {
      while (flags[b - 1].load(cuda::memory_order_acquire) == 0) {
      }
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    data[b * n + i] = (b > 0 ? data[(b - 1) * n + i] : i) + b;
  }
  __syncthreads();
  if (threadIdx.x == 0) flags[b].store(1, cuda::memory_order_release);
}

int main() {
  const int blocks = 20, n = 100;
  int* data;
  Flag* flags;
  cudaMallocManaged(&data, blocks * n * sizeof(int));
  cudaMalloc(&flags, blocks * sizeof(Flag));
  cudaMemset(flags, 0, blocks * sizeof(Flag));
  pass<<<blocks, 64>>>(data, flags, n);
  cudaError_t error = cudaDeviceSynchronize();
  int wrong = 0;
  for (int b = 0; b < blocks; ++b)
    for (int i = 0; i < n; ++i) wrong += data[b * n + i] != i + b * (b + 1) / 2;
  std::printf("%s; last %d; %d wrong\n", cudaGetErrorName(error), data[blocks * n - 1], wrong);
  cudaFree(data);
  cudaFree(flags);
  return wrong;
}
