// What every launcher of kernels/ needs before its <<<>>>: the grid's size, and a refusal of impossible
// shapes.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace workbook::kernels {

/// How many pieces of `size` cover `count`.
template <class Count>
constexpr Count pieces(Count count, Count size) {
  return count / size + (count % size != 0 ? 1 : 0);
}

/// Blocks in y (or z), of which CUDA allows 65,535: the kernels loop over the rest.
constexpr unsigned grid_y(std::size_t wanted) {
  return static_cast<unsigned>(wanted < 65535 ? wanted : 65535);
}

/// The largest grid in x.
constexpr std::size_t most_blocks = 2147483647;

/// Whether an address is a multiple of `to`.
inline bool aligned(const void* p, std::size_t to) {
  return reinterpret_cast<std::uintptr_t>(p) % to == 0;
}

}  // namespace workbook::kernels
