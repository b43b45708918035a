#include <cstring>

#include "kernels/common/launch.h"
#include "kernels/copy/copy.h"

namespace workbook::kernels {

cudaError_t copy(const void* from, void* to, std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  return aligned(from, 16) && aligned(to, 16) ? rungs::copy_vector(from, to, bytes, stream)
                                              : rungs::copy_shifted(from, to, bytes, stream);
}

void copy_reference(const void* from, void* to, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

}  // namespace workbook::kernels
