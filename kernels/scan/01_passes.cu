#include <utility>

#include "kernels/common/launch.h"
#include "kernels/scan/scan.h"

namespace workbook::kernels::rungs {
namespace {

constexpr std::size_t block = 256;

__global__ void move_on(const unsigned* in, unsigned* out, std::size_t count) {
  const std::size_t i = blockIdx.x * block + threadIdx.x;
  if (i < count) out[i] = i == 0 ? 0 : in[i - 1];
}

__global__ void add_from(const unsigned* in, unsigned* out, std::size_t count, std::size_t distance) {
  const std::size_t i = blockIdx.x * block + threadIdx.x;
  if (i < count) out[i] = i < distance ? in[i] : in[i] + in[i - distance];
}

}  // namespace

cudaError_t scan_passes(const unsigned* in, unsigned* out, std::size_t count, void* workspace,
                        cudaStream_t stream) {
  if (count > 2147483647) return cudaErrorInvalidValue;
  if (count == 0) return cudaSuccess;
  int passes = 0;
  while (std::size_t{1} << passes < count) ++passes;
  // The passes go to and fro between the two arrays; the last one must end in `out`.
  auto* here = static_cast<unsigned*>(workspace);
  auto* there = out;
  if (passes % 2 == 0) std::swap(here, there);
  const auto grid = static_cast<unsigned>(pieces(count, block));
  move_on<<<grid, block, 0, stream>>>(in, here, count);
  for (std::size_t distance = 1; distance < count; distance *= 2, std::swap(here, there)) {
    add_from<<<grid, block, 0, stream>>>(here, there, count, distance);
  }
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
