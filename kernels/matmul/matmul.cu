#include <cstddef>

#include "kernels/matmul/matmul.h"

namespace workbook::kernels {
namespace {

double number(float x) {
  return x;
}
double number(__half x) {
  return __half2float(x);
}

template <class T>
void multiply(const T* a, const T* b, float* c, int m, int n, int k) {
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column) {
      double sum = 0;
      for (int i = 0; i < k; ++i) {
        sum += number(a[std::size_t(row) * k + i]) * number(b[std::size_t(i) * n + column]);
      }
      c[std::size_t(row) * n + column] = static_cast<float>(sum);
    }
  }
}

}  // namespace

void matmul_reference(const float* a, const float* b, float* c, int m, int n, int k) {
  multiply(a, b, c, m, n, k);
}
void matmul_reference(const __half* a, const __half* b, float* c, int m, int n, int k) {
  multiply(a, b, c, m, n, k);
}

}  // namespace workbook::kernels
