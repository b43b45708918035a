#include <cstddef>
#include <cstring>

#include "kernels/image/copy_bytes.h"

namespace workbook::kernels {
namespace {

__global__ void copy_bytes_kernel(int width, int height, const unsigned char* from, unsigned char* to) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const std::size_t i = std::size_t(y) * width + x;
  to[i] = from[i];
}

}  // namespace

cudaError_t copy_bytes(int width, int height, const unsigned char* from, unsigned char* to,
                       cudaStream_t stream) {
  if (width <= 0 || height <= 0) return cudaSuccess;
  const dim3 block(32, 8);
  const dim3 grid((width - 1) / block.x + 1, (height - 1) / block.y + 1);
  copy_bytes_kernel<<<grid, block, 0, stream>>>(width, height, from, to);
  return cudaGetLastError();
}

void copy_bytes_reference(int width, int height, const unsigned char* from, unsigned char* to) {
  if (width > 0 && height > 0) std::memcpy(to, from, std::size_t(width) * height);
}

}  // namespace workbook::kernels
