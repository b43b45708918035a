#include <algorithm>

#include "kernels/copy/copy.h"
#include "kernels/layout/layout.h"
#include "kernels/layout/shape.h"
#include "kernels/layout/wide.cuh"

namespace workbook::kernels::rungs {
namespace {

template <class T>
WidePlan plan(const LayoutShape& shape) {
  constexpr int per_16_bytes = 16 / sizeof(T);
  constexpr int tile_numbers = wide_tile_bytes / sizeof(T);
  WidePlan p;
  p.channels = shape.channels;
  p.pixels = shape.pixels;
  // Equal tiles: 65 channels are 33 + 32, not 64 + 1.
  p.channel_tiles = pieces(shape.channels, wide_most_channels);
  p.tile_channels = pieces(shape.channels, p.channel_tiles);
  if (p.channel_tiles > 1 && shape.channels % per_16_bytes == 0) {
    p.tile_channels = pieces(p.tile_channels, per_16_bytes) * per_16_bytes;
    p.channel_tiles = pieces(shape.channels, p.tile_channels);
  }
  const int group = 8 * per_16_bytes;  // pixels of one line of 128 bytes
  p.tile_pixels = std::max(group, tile_numbers / p.tile_channels / group * group);
  p.chunks = pieces(shape.pixels, p.tile_pixels);
  p.pad = p.tile_channels % 2 == 0 ? 1 : 0;  // an odd row length spreads a column over the banks
  p.by_tile_channels = Reciprocal(p.tile_channels);
  return p;
}

template <class T>
bool rows_by_16_bytes(const WidePlan& p) {
  constexpr int n = 16 / sizeof(T);
  if (p.channel_tiles == 1) return 1LL * p.channels * p.pixels % n == 0;
  return p.channels % n == 0 && p.tile_channels % n == 0;
}

template <class Word, bool to_rows>
cudaError_t launch(const Word* in, Word* out, const LayoutShape& shape, cudaStream_t stream) {
  if (shape.same()) return copy(in, out, shape.count() * sizeof(Word), stream);
  const WidePlan p = plan<Word>(shape);
  const std::size_t blocks = std::size_t(shape.images) * p.chunks * p.channel_tiles;
  if (blocks > most_blocks) return cudaErrorInvalidValue;
  const bool pointers = aligned(in, 16) && aligned(out, 16);
  const bool planes = pointers && shape.pixels % (16 / sizeof(Word)) == 0;
  const bool rows = pointers && rows_by_16_bytes<Word>(p);
  const auto kernel = planes ? (rows ? layout_wide_kernel<Word, to_rows, true, true>
                                     : layout_wide_kernel<Word, to_rows, true, false>)
                             : (rows ? layout_wide_kernel<Word, to_rows, false, true>
                                     : layout_wide_kernel<Word, to_rows, false, false>);
  const std::size_t shared = std::size_t(p.tile_pixels) * (p.tile_channels + p.pad) * sizeof(Word);
  kernel<<<static_cast<unsigned>(blocks), wide_threads, shared, stream>>>(in, out, p);
  return cudaGetLastError();
}

// The numbers are only moved, so their bits are enough: 2 or 4 bytes.
template <class T>
using Bits = std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint32_t>;

template <bool to_rows, class T>
cudaError_t convert(const T* in, T* out, int n, int c, int h, int w, cudaStream_t stream) {
  const LayoutShape shape = layout_shape(n, c, h, w);
  if (!shape.valid) return cudaErrorInvalidValue;
  if (shape.empty()) return cudaSuccess;
  return launch<Bits<T>, to_rows>(reinterpret_cast<const Bits<T>*>(in), reinterpret_cast<Bits<T>*>(out),
                                  shape, stream);
}

}  // namespace

template <class T>
cudaError_t nchw_to_nhwc_wide(const T* in, T* out, int n, int c, int h, int w, cudaStream_t stream) {
  return convert<true>(in, out, n, c, h, w, stream);
}

template <class T>
cudaError_t nhwc_to_nchw_wide(const T* in, T* out, int n, int c, int h, int w, cudaStream_t stream) {
  return convert<false>(in, out, n, c, h, w, stream);
}

template cudaError_t nchw_to_nhwc_wide(const float*, float*, int, int, int, int, cudaStream_t);
template cudaError_t nchw_to_nhwc_wide(const __half*, __half*, int, int, int, int, cudaStream_t);
template cudaError_t nhwc_to_nchw_wide(const float*, float*, int, int, int, int, cudaStream_t);
template cudaError_t nhwc_to_nchw_wide(const __half*, __half*, int, int, int, int, cudaStream_t);

}  // namespace workbook::kernels::rungs
