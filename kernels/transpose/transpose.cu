#include "kernels/common/launch.h"
#include "kernels/transpose/transpose.h"

namespace workbook::kernels {

cudaError_t transpose(const float* in, float* out, int rows, int columns, cudaStream_t stream) {
  const bool by_sixteen_bytes = rows % 4 == 0 && columns % 4 == 0 && aligned(in, 16) && aligned(out, 16);
  return by_sixteen_bytes ? rungs::transpose_staged(in, out, rows, columns, stream)
                          : rungs::transpose_padded(in, out, rows, columns, stream);
}

void transpose_reference(const float* in, float* out, int rows, int columns) {
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) out[std::size_t(c) * rows + r] = in[std::size_t(r) * columns + c];
  }
}

}  // namespace workbook::kernels
