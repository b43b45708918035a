#include <cstddef>

#include "kernels/matmul/matmul.h"

namespace workbook::kernels {

void matmul_reference(const float* a, const float* b, float* c, int m, int n, int k) {
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column) {
      double sum = 0;
      for (int i = 0; i < k; ++i) sum += double(a[std::size_t(row) * k + i]) * b[std::size_t(i) * n + column];
      c[std::size_t(row) * n + column] = static_cast<float>(sum);
    }
  }
}

}  // namespace workbook::kernels
