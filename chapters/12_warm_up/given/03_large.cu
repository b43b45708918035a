// 12.3, given: a kernel with much code, and little to do. It is built as text (PTX) alone, so that every GPU has to
// compile it.
#include <cuda_runtime.h>

template <int N>
__device__ float chain(float x) {
  if constexpr (N == 0) {
    return x;
  } else {
    // A sine has a path for small and one for large arguments; each of them stands here N times.
    return chain<N - 1>(sinf(x * N) + (x > 0.5f ? cosf(x + N) : sqrtf(x * x + N)));
  }
}

__global__ void large_kernel(float* d_x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] = chain<16>(d_x[i]);
}

// Does not wait.
cudaError_t launch_large(float* d_x, int n) {
  large_kernel<<<(n + 31) / 32, 32>>>(d_x, n);
  return cudaGetLastError();
}
