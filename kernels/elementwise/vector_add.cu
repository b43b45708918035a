#include "kernels/elementwise/vector_add.h"

namespace workbook::kernels {

cudaError_t vector_add(const float* a, const float* b, float* c, int n, cudaStream_t stream) {
  return rungs::vector_add_scalar(a, b, c, n, stream);
}

void vector_add_reference(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

}  // namespace workbook::kernels
