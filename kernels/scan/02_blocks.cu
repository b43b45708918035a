#include "kernels/common/launch.h"
#include "kernels/scan/scan.h"

namespace workbook::kernels::rungs {
namespace {

constexpr std::size_t block = 256;

__global__ void scan_each_block(const unsigned* in, unsigned* out, unsigned* sums, std::size_t count) {
  __shared__ unsigned numbers[2][block];
  const unsigned t = threadIdx.x;
  const std::size_t i = blockIdx.x * block + t;
  const unsigned own = i < count ? in[i] : 0;
  numbers[0][t] = own;
  __syncthreads();
  unsigned now = 0;
  for (unsigned distance = 1; distance < block; distance *= 2, now ^= 1) {
    numbers[now ^ 1][t] = numbers[now][t] + (t >= distance ? numbers[now][t - distance] : 0);
    __syncthreads();
  }
  if (i < count) out[i] = numbers[now][t] - own;
  if (t == block - 1) sums[blockIdx.x] = numbers[now][t];
}

__global__ void add_sums(unsigned* out, const unsigned* sums, std::size_t count) {
  const std::size_t i = blockIdx.x * block + threadIdx.x;
  if (i < count) out[i] += sums[blockIdx.x];
}

// Scans `in` into `out`; the sums of the blocks and their scan lie in `workspace`, the next level's behind
// them.
cudaError_t scan_level(const unsigned* in, unsigned* out, std::size_t count, unsigned* workspace,
                       cudaStream_t stream) {
  const std::size_t blocks = pieces(count, block);
  unsigned *sums = workspace, *scanned = workspace + blocks;
  scan_each_block<<<static_cast<unsigned>(blocks), block, 0, stream>>>(in, out, sums, count);
  if (blocks == 1) return cudaGetLastError();
  const cudaError_t above = scan_level(sums, scanned, blocks, scanned + blocks, stream);
  if (above != cudaSuccess) return above;
  add_sums<<<static_cast<unsigned>(blocks), block, 0, stream>>>(out, scanned, count);
  return cudaGetLastError();
}

}  // namespace

cudaError_t scan_blocks(const unsigned* in, unsigned* out, std::size_t count, void* workspace,
                        cudaStream_t stream) {
  if (count > 2147483647) return cudaErrorInvalidValue;
  if (count == 0) return cudaSuccess;
  return scan_level(in, out, count, static_cast<unsigned*>(workspace), stream);
}

}  // namespace workbook::kernels::rungs
