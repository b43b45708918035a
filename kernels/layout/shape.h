// The shape of a conversion, checked and brought to three numbers.
#pragma once

#include <cstddef>

#include "kernels/common/launch.h"

namespace workbook::kernels::rungs {

/// Images of `channels` planes of `pixels` numbers.
struct LayoutShape {
  int images = 0, channels = 0, pixels = 0;
  bool valid = false;
  bool empty() const { return images == 0 || channels == 0 || pixels == 0; }
  /// One channel, or one pixel: both layouts are the same bytes.
  bool same() const { return channels == 1 || pixels == 1; }
  std::size_t count() const { return std::size_t(images) * channels * pixels; }
};

inline LayoutShape layout_shape(int n, int c, int h, int w) {
  if (n < 0 || c < 0 || h < 0 || w < 0) return {};
  const long long pixels = 1LL * h * w;
  if (pixels > 2147483647 || (c > 0 && pixels > 2147483647 / c)) return {};
  return {n, c, static_cast<int>(pixels), true};
}

}  // namespace workbook::kernels::rungs
