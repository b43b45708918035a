// The shape of a conversion, checked and brought to three numbers.
#pragma once

#include <cstddef>

#include "kernels/common/launch.h"

namespace workbook::kernels::rungs {

/// Images of `channels` planes of `pixels` numbers.
struct LayoutShape {
  int images = 0, channels = 0, pixels = 0;  ///< a conversion sees no more of n, c, h, w
  bool valid = false;                        ///< no size is negative, and a plane can be counted in an int
  /// Nothing to do.
  bool empty() const { return images == 0 || channels == 0 || pixels == 0; }
  /// One channel, or one pixel: both layouts are the same bytes.
  bool same() const { return channels == 1 || pixels == 1; }
  std::size_t count() const { return std::size_t(images) * channels * pixels; }
};

/// The shape of n x c x h x w numbers.
inline LayoutShape layout_shape(int n, int c, int h, int w) {
  if (n < 0 || c < 0 || h < 0 || w < 0) return {};
  const long long pixels = 1LL * h * w;
  if (pixels > 2147483647 || (c > 0 && pixels > 2147483647 / c)) return {};
  return {n, c, static_cast<int>(pixels), true};
}

}  // namespace workbook::kernels::rungs
