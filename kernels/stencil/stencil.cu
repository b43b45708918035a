#include <algorithm>
#include <cmath>
#include <cstddef>

#include "kernels/stencil/stencil.h"

namespace workbook::kernels {

void stencil_1d_reference(const float* in, float* out, int n, int radius) {
  const float share = 1.0f / (2 * radius + 1);
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int d = -radius; d <= radius; ++d) sum += in[std::clamp(i + d, 0, n - 1)];
    out[i] = sum * share;
  }
}

void stencil_2d_reference(const float* in, float* out, int rows, int columns, float weight) {
  const auto at = [&](int y, int x) {
    return in[std::size_t(std::clamp(y, 0, rows - 1)) * columns + std::clamp(x, 0, columns - 1)];
  };
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      const float around = ((at(y - 1, x) + at(y + 1, x)) + at(y, x - 1)) + at(y, x + 1);
      out[std::size_t(y) * columns + x] = std::fma(weight, around, (1 - 4 * weight) * at(y, x));
    }
  }
}

}  // namespace workbook::kernels
