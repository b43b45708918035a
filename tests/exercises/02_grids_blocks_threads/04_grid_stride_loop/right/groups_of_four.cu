// right: strides over groups of four elements, whole groups as a float4 where both arrays allow it

#include <cuda_runtime.h>

#include <cstdint>

__global__ void saxpy_kernel(std::int64_t first, std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  const std::int64_t start = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  x += first;
  y += first;
  const std::int64_t count = n - first;
  const bool aligned = (reinterpret_cast<std::uintptr_t>(x) | reinterpret_cast<std::uintptr_t>(y)) % 16 == 0;
  const std::int64_t groups = aligned ? count / 4 : 0;
  for (std::int64_t i = start; i < groups; i += stride) {
    const float4 xs = reinterpret_cast<const float4*>(x)[i];
    float4 ys = reinterpret_cast<const float4*>(y)[i];
    ys.x += a * xs.x;
    ys.y += a * xs.y;
    ys.z += a * xs.z;
    ys.w += a * xs.w;
    reinterpret_cast<float4*>(y)[i] = ys;
  }
  for (std::int64_t i = 4 * groups + start; i < count; i += stride) y[i] += a * x[i];
}

void saxpy_range(int blocks, int threads, std::int64_t first, std::int64_t n, float a, const float* d_x,
                 float* d_y) {
  saxpy_kernel<<<blocks, threads>>>(first, n, a, d_x, d_y);
}
