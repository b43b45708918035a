#include <cstring>

#include "kernels/step/step.h"

namespace workbook::kernels {

namespace {

constexpr int threads = 1024;

__global__ void step_kernel(const uint4* batch, std::size_t count, int rounds,
                            const unsigned long long* before, unsigned long long* sum) {
  __shared__ unsigned long long parts[threads / 32];
  unsigned long long mine = 0;
  for (std::size_t i = threadIdx.x; i < count; i += threads) {
    const uint4 w = batch[i];
    const unsigned long long first = 8 * static_cast<unsigned long long>(i) + 1;
    mine += w.x * first + w.y * (first + 2) + w.z * (first + 4) + w.w * (first + 6);
  }
  for (int step = 16; step > 0; step /= 2) mine += __shfl_down_sync(~0u, mine, step);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < threads / 32; ++warp) mine += parts[warp];
  // Each of these waits for the one before it. The value stays below 2, and nobody but us knows that.
  float value = static_cast<float>(mine & 1);
#pragma unroll 8
  for (int r = 0; r < rounds; ++r) value = value * 0.5f + 0.5f;
  *sum = value > 2 ? 0 : mine + (before == nullptr ? 0 : 31 * *before);
}

}  // namespace

cudaError_t step(const void* batch, std::size_t bytes, int rounds, const std::uint64_t* before,
                 std::uint64_t* sum, cudaStream_t stream) {
  step_kernel<<<1, threads, 0, stream>>>(static_cast<const uint4*>(batch), bytes / sizeof(uint4), rounds,
                                         reinterpret_cast<const unsigned long long*>(before),
                                         reinterpret_cast<unsigned long long*>(sum));
  return cudaGetLastError();
}

std::uint64_t step_reference(const void* batch, std::size_t bytes) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < bytes / 4; ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, static_cast<const char*>(batch) + 4 * i, 4);
    sum += word * (2 * static_cast<std::uint64_t>(i) + 1);
  }
  return sum;
}

}  // namespace workbook::kernels
