// right: float4 loads for whole groups of four, single floats for the rest

#include <cuda_runtime.h>

#include <cstddef>

int ceil_div(int n, int group) {
  return n / group + (n % group != 0);
}

std::size_t bytes_moved(int n) {
  return std::size_t{3} * sizeof(float) * n;
}

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) {
    const float4 xs = reinterpret_cast<const float4*>(x)[i];
    float4 ys = reinterpret_cast<float4*>(y)[i];
    ys.x += a * xs.x;
    ys.y += a * xs.y;
    ys.z += a * xs.z;
    ys.w += a * xs.w;
    reinterpret_cast<float4*>(y)[i] = ys;
  } else {
    const int rest = n / 4 * 4 + (i - n / 4);
    if (rest < n) y[rest] += a * x[rest];
  }
}

void saxpy(int n, float a, const float* d_x, float* d_y) {
  if (n == 0) return;
  constexpr int block = 256;
  const int threads = n / 4 + n % 4;
  saxpy_kernel<<<ceil_div(threads, block), block>>>(n, a, d_x, d_y);
}
