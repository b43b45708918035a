#include "kernels/capstone/capstone.h"
#include "kernels/common/launch.h"

namespace workbook::kernels::capstone {

namespace {

constexpr int block = 256;

// One thread for each number of the result: it reads from three planes, and writes in order.
__global__ void convert_kernel(const __half* in, __half* out, unsigned pixels, unsigned plane) {
  const unsigned i = blockIdx.x * block + threadIdx.x;
  if (i >= 8 * pixels) return;
  const unsigned pixel = i / 8, channel = i % 8;
  out[i] = channel < 3 ? in[(3 * (pixel / plane) + channel) * plane + pixel % plane] : __half(0.0f);
}

// Additions of whole numbers: the order in which the blocks come does not matter.
__global__ void sum_kernel(const uint4* input, std::size_t pixels, unsigned long long* sum) {
  __shared__ unsigned long long parts[block / 32];
  unsigned long long mine = 0;
  const std::size_t step = std::size_t(gridDim.x) * block;
  for (std::size_t i = std::size_t(blockIdx.x) * block + threadIdx.x; i < pixels; i += step) {
    const uint4 w = input[i];
    const unsigned long long first = 8 * static_cast<unsigned long long>(i) + 1;
    mine += w.x * first + w.y * (first + 2) + w.z * (first + 4) + w.w * (first + 6);
  }
  for (int distance = 16; distance > 0; distance /= 2) mine += __shfl_down_sync(~0u, mine, distance);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < block / 32; ++warp) mine += parts[warp];
  atomicAdd(sum, mine);
}

__host__ __device__ std::uint64_t mixed(std::uint64_t x, int rounds) {
  for (int r = 0; r < rounds; ++r) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  return x;
}

__global__ void train_kernel(unsigned long long* sum, int rounds, unsigned long long* state,
                             unsigned long long* score) {
  const std::uint64_t next = mixed(*state * 31 + *sum + 1, rounds);
  *sum = 0;
  *state = next;
  *score = next;
}

unsigned long long* words(std::uint64_t* p) {
  return reinterpret_cast<unsigned long long*>(p);
}

}  // namespace

cudaError_t to_nhwc(const __half* in, __half* out, Pictures pictures, cudaStream_t stream) {
  const std::size_t pixels = pictures.pixels();
  if (pixels == 0) return cudaSuccess;
  const auto plane = static_cast<unsigned>(pictures.side * pictures.side);
  const auto grid = static_cast<unsigned>(pieces(8 * pixels, std::size_t{block}));
  convert_kernel<<<grid, block, 0, stream>>>(in, out, static_cast<unsigned>(pixels), plane);
  return cudaGetLastError();
}

cudaError_t model(const __half* input, std::size_t pixels, int rounds, std::uint64_t* sum,
                  std::uint64_t* state, std::uint64_t* score, cudaStream_t stream) {
  if (pixels > 0) {
    const std::size_t blocks = pieces(pixels, std::size_t{4 * block});
    sum_kernel<<<static_cast<unsigned>(blocks < 1024 ? blocks : 1024), block, 0, stream>>>(
        reinterpret_cast<const uint4*>(input), pixels, words(sum));
  }
  train_kernel<<<1, 1, 0, stream>>>(words(sum), rounds, words(state), words(score));
  return cudaGetLastError();
}

std::uint64_t next_state(std::uint64_t state, std::uint64_t sum, int rounds) {
  return mixed(state * 31 + sum + 1, rounds);
}

}  // namespace workbook::kernels::capstone
