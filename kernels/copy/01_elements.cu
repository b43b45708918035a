#include "kernels/common/launch.h"
#include "kernels/copy/copy.h"

namespace workbook::kernels::rungs {
namespace {

constexpr std::size_t block = 256;

template <class Element>
__global__ void copy_elements_kernel(const Element* from, Element* to, std::size_t count) {
  const std::size_t i = blockIdx.x * block + threadIdx.x;
  if (i < count) to[i] = from[i];
}

template <class Element>
cudaError_t launch(const void* from, void* to, std::size_t count, cudaStream_t stream) {
  if (!aligned(from, sizeof(Element)) || !aligned(to, sizeof(Element))) return cudaErrorInvalidValue;
  if (count == 0) return cudaSuccess;
  const std::size_t blocks = pieces(count, block);
  if (blocks > most_blocks) return cudaErrorInvalidValue;
  copy_elements_kernel<<<static_cast<unsigned>(blocks), block, 0, stream>>>(static_cast<const Element*>(from),
                                                                            static_cast<Element*>(to), count);
  return cudaGetLastError();
}

}  // namespace

cudaError_t copy_elements(const void* from, void* to, std::size_t count, int element_bytes,
                          cudaStream_t stream) {
  switch (element_bytes) {
    case 1:
      return launch<unsigned char>(from, to, count, stream);
    case 2:
      return launch<unsigned short>(from, to, count, stream);
    case 4:
      return launch<unsigned>(from, to, count, stream);
    case 8:
      return launch<uint2>(from, to, count, stream);
    case 16:
      return launch<uint4>(from, to, count, stream);
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace workbook::kernels::rungs
