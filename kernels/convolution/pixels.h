// The rows of a 1x1 convolution's matrix.
#pragma once

namespace workbook::kernels::rungs {

/// n x h x w; -1 when a size is negative or there are too many.
inline int conv_pixels(int n, int h, int w, int c, int k) {
  if (n < 0 || h < 0 || w < 0 || c < 0 || k < 0) return -1;
  const long long of_image = 1LL * h * w;
  if (of_image > 0 && n > 2147483647LL / of_image) return -1;
  return static_cast<int>(n * of_image);
}

}  // namespace workbook::kernels::rungs
