// wrong: the last block is missing
// verdict: wrong
// code: pattern.tail
// message: the last 16 elements
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

// What this machine can do at best.
struct Roof {
  double gigabytes_per_second;  // bytes read plus bytes written, 10^9 a second
  double gigaflops;             // additions and multiplications of floats, 10^9 a second
};

// Where a kernel stands under the roof.
struct Place {
  double least_us;  // no kernel that moves as much and computes as much can take less
  bool memory;      // that is because of the memory, not because of the arithmetic
  double share;     // least_us / the time it took: 1 is the roof
};

// How long one run takes on the device, warm: the median of three. The run before the first event keeps the device busy
// until the second one has been queued. Given; 13.2 is about what it leaves out.
inline double device_us(const std::function<void()>& work) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> times(3);
  for (float& milliseconds : times) {
    work();
    cudaEventRecord(begin);
    work();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&milliseconds, begin, end);
  }
  cudaEventDestroy(end);
  cudaEventDestroy(begin);
  std::sort(times.begin(), times.end());
  return 1000.0 * times[1];
}

__global__ void copy_kernel(const uint4* d_from, uint4* d_to, std::size_t n) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < n) d_to[i] = d_from[i];
}

// Copies `bytes` bytes, a multiple of 16 from 0 up. Both addresses are multiples of 16. Does not wait for the device.
void copy(const void* d_from, void* d_to, std::size_t bytes) {
  const std::size_t n = bytes / 16, blocks = n < 512 ? 1 : n / 256;
  if (n > 0) copy_kernel<<<blocks, 256>>>(static_cast<const uint4*>(d_from), static_cast<uint4*>(d_to), n);
}

__global__ void multiply_add_kernel(float* d_x, int n, float a, float b, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = d_x[i];
#pragma unroll 64
  for (int r = 0; r < rounds; ++r) x = fmaf(x, a, b);
  d_x[i] = x;
}

// d_x[i] = d_x[i] * a + b, `rounds` times one after the other, for n numbers; both from 0 up. Each multiply-add rounds once
// (fmaf). Does not wait for the device.
void multiply_add(float* d_x, int n, float a, float b, int rounds) {
  if (n > 0) multiply_add_kernel<<<(n - 1) / 256 + 1, 256>>>(d_x, n, a, b, rounds);
}

// The roof, by the two above: a copy of `bytes` bytes from d_from to d_to, and `rounds` rounds on the n numbers at d_x.
Roof measure_roof(const void* d_from, void* d_to, std::size_t bytes, float* d_x, int n, int rounds) {
  const double copied = device_us([&] { copy(d_from, d_to, bytes); });
  const double computed = device_us([&] { multiply_add(d_x, n, 0.999f, 0.001f, rounds); });
  return {2.0 * bytes / copied * 1e-3, 2.0 * n * rounds / computed * 1e-3};
}

// A kernel took `us` microseconds. It has to move `bytes` bytes (read plus written) and to do `flops` operations.
Place place(double bytes, double flops, double us, const Roof& roof) {
  const double moving = bytes / roof.gigabytes_per_second * 1e-3, computing = flops / roof.gigaflops * 1e-3;
  const double least = std::max(moving, computing);
  return {least, moving > computing, least / us};
}
