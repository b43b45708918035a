// The kernel of the wide rung: a tile of pixels x channels in shared memory between two sides of global
// memory.
//
// One side is planes (a line of pixels for each channel), the other is rows (a line of channels for each
// pixel). In shared memory the tile lies as rows, of an odd number of words: then 8 neighbouring pixel
// vectors of 4 neighbouring channels fall into 32 different banks, whatever the number of channels.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/common/launch.h"

namespace workbook::kernels::rungs {

constexpr int wide_threads = 256;
constexpr int wide_tile_bytes = 16384;  // four accesses of 16 bytes a thread
constexpr int wide_most_channels = 64;  // of a tile

/// x / d for x below 2^16 and d from 2 to 2^16: a multiplication instead of the twenty instructions of a
/// division.
struct Reciprocal {
  unsigned by = 0;
  Reciprocal() = default;
  explicit Reciprocal(unsigned d)
      : by(static_cast<unsigned>(0x1'0000'0000ull / d + (0x1'0000'0000ull % d != 0))) {}
  __device__ unsigned divide(unsigned x) const { return __umulhi(x, by); }
};

struct WidePlan {
  int channels = 0, pixels = 0;  // of an image
  int tile_channels = 0, channel_tiles = 0;
  int tile_pixels = 0, chunks = 0;
  int pad = 0;  // words added to a row of the tile
  Reciprocal by_tile_channels;
};

/// `count` words side by side, of 16 bytes or of one word.
template <class Word, int count>
struct Pack {
  static_assert(count * sizeof(Word) == 16);
  uint4 bits;
  __device__ Word get(int k) const {
    const unsigned parts[4] = {bits.x, bits.y, bits.z, bits.w};
    if constexpr (sizeof(Word) == 4)
      return parts[k];
    else
      return static_cast<Word>(parts[k / 2] >> (k % 2 * 16));
  }
  __device__ void set(const Word (&words)[count]) {
    unsigned parts[4];
    for (int k = 0; k < 4; ++k) {
      if constexpr (sizeof(Word) == 4)
        parts[k] = words[k];
      else
        parts[k] = words[2 * k] | unsigned(words[2 * k + 1]) << 16;
    }
    bits = make_uint4(parts[0], parts[1], parts[2], parts[3]);
  }
};
template <class Word>
struct Pack<Word, 1> {
  Word word;
  __device__ Word get(int) const { return word; }
  __device__ void set(const Word (&words)[1]) { word = words[0]; }
};

/// One block's part of an image: where it begins on both sides, and how much of the tile is inside.
template <class Word>
struct WidePart {
  Word* tile;
  int pixels, channels;      // inside the image
  std::size_t planes, rows;  // offset of the tile's first number on either side
};

/// Item `i` of the planes' side: the channel in the tile, and the first of its pixels. Eight vectors (or 32
/// single words) of a channel, then the next channel, then the next such group of pixels.
template <int count>
__device__ void plane_item(const WidePlan& p, unsigned i, unsigned& channel, unsigned& pixel) {
  constexpr unsigned group = count > 1 ? 8 : 32;
  const unsigned line = i / group, block = p.by_tile_channels.divide(line);
  channel = line - block * p.tile_channels;
  pixel = (block * group + i % group) * count;
}

template <class Word, int count>
__device__ void planes_to_tile(const Word* in, const WidePlan& p, const WidePart<Word>& part) {
  constexpr int flight = 4;
  const unsigned row = p.tile_channels + p.pad, items = p.tile_pixels * p.tile_channels / count;
  for (unsigned first = threadIdx.x; first < items; first += flight * wide_threads) {
    Pack<Word, count> held[flight];
    unsigned to[flight];
#pragma unroll
    for (int k = 0; k < flight; ++k) {
      unsigned channel, pixel;
      plane_item<count>(p, first + k * wide_threads, channel, pixel);
      const bool inside =
          int(channel) < part.channels && int(pixel) < part.pixels && first + k * wide_threads < items;
      to[k] = inside ? pixel * row + channel : ~0u;
      if (inside) {
        held[k] = *reinterpret_cast<const Pack<Word, count>*>(in + part.planes +
                                                              std::size_t(channel) * p.pixels + pixel);
      }
    }
#pragma unroll
    for (int k = 0; k < flight; ++k) {
      if (to[k] == ~0u) continue;
#pragma unroll
      for (int j = 0; j < count; ++j) part.tile[to[k] + j * row] = held[k].get(j);
    }
  }
}

template <class Word, int count>
__device__ void tile_to_planes(Word* out, const WidePlan& p, const WidePart<Word>& part) {
  const unsigned row = p.tile_channels + p.pad, items = p.tile_pixels * p.tile_channels / count;
#pragma unroll 4
  for (unsigned i = threadIdx.x; i < items; i += wide_threads) {
    unsigned channel, pixel;
    plane_item<count>(p, i, channel, pixel);
    if (int(channel) >= part.channels || int(pixel) >= part.pixels) continue;
    Word words[count];
#pragma unroll
    for (int j = 0; j < count; ++j) words[j] = part.tile[(pixel + j) * row + channel];
    Pack<Word, count> pack;
    pack.set(words);
    *reinterpret_cast<Pack<Word, count>*>(out + part.planes + std::size_t(channel) * p.pixels + pixel) = pack;
  }
}

/// Number `e` of the rows' side: its place in the tile, and on the rows' side of the image.
struct RowPlace {
  unsigned in_tile, pixel, channel;
};
__device__ inline RowPlace row_place(const WidePlan& p, unsigned e) {
  const unsigned pixel = p.by_tile_channels.divide(e);
  return {e + pixel * p.pad, pixel, e - pixel * p.tile_channels};
}

template <class Word, int count>
__device__ void rows_to_tile(const Word* in, const WidePlan& p, const WidePart<Word>& part) {
  constexpr int flight = 4;
  const unsigned numbers = part.pixels * p.tile_channels;
  for (unsigned first = threadIdx.x * count; first < numbers; first += flight * wide_threads * count) {
    Pack<Word, count> held[flight];
    unsigned from[flight];
#pragma unroll
    for (int k = 0; k < flight; ++k) {
      const unsigned e = first + k * wide_threads * count;
      const RowPlace place = row_place(p, e);
      const bool inside = e < numbers && int(place.channel) < part.channels;
      from[k] = inside ? e : ~0u;
      if (inside) {
        held[k] = *reinterpret_cast<const Pack<Word, count>*>(
            in + part.rows + std::size_t(place.pixel) * p.channels + place.channel);
      }
    }
#pragma unroll
    for (int k = 0; k < flight; ++k) {
      if (from[k] == ~0u) continue;
#pragma unroll
      for (int j = 0; j < count; ++j) part.tile[row_place(p, from[k] + j).in_tile] = held[k].get(j);
    }
  }
}

template <class Word, int count>
__device__ void tile_to_rows(Word* out, const WidePlan& p, const WidePart<Word>& part) {
  const unsigned numbers = part.pixels * p.tile_channels;
#pragma unroll 4
  for (unsigned e = threadIdx.x * count; e < numbers; e += wide_threads * count) {
    const RowPlace place = row_place(p, e);
    if (int(place.channel) >= part.channels) continue;
    Word words[count];
#pragma unroll
    for (int j = 0; j < count; ++j) words[j] = part.tile[row_place(p, e + j).in_tile];
    Pack<Word, count> pack;
    pack.set(words);
    *reinterpret_cast<Pack<Word, count>*>(out + part.rows + std::size_t(place.pixel) * p.channels +
                                          place.channel) = pack;
  }
}

template <class Word, bool to_rows, bool wide_planes, bool wide_rows>
__global__ void __launch_bounds__(wide_threads)
    layout_wide_kernel(const Word* in, Word* out, const WidePlan p) {
  extern __shared__ uint4 wide_tile[];
  const unsigned channel_tile = blockIdx.x % p.channel_tiles, rest = blockIdx.x / p.channel_tiles;
  const unsigned chunk = rest % p.chunks;
  const std::size_t image = std::size_t(rest / p.chunks) * p.channels * p.pixels;
  const int first_pixel = chunk * p.tile_pixels, first_channel = channel_tile * p.tile_channels;
  const WidePart<Word> part{reinterpret_cast<Word*>(wide_tile), min(p.tile_pixels, p.pixels - first_pixel),
                            min(p.tile_channels, p.channels - first_channel),
                            image + std::size_t(first_channel) * p.pixels + first_pixel,
                            image + std::size_t(first_pixel) * p.channels + first_channel};
  constexpr int in_planes = wide_planes ? 16 / sizeof(Word) : 1, in_rows = wide_rows ? 16 / sizeof(Word) : 1;
  if constexpr (to_rows) {
    planes_to_tile<Word, in_planes>(in, p, part);
    __syncthreads();
    tile_to_rows<Word, in_rows>(out, p, part);
  } else {
    rows_to_tile<Word, in_rows>(in, p, part);
    __syncthreads();
    tile_to_planes<Word, in_planes>(out, p, part);
  }
}

}  // namespace workbook::kernels::rungs
