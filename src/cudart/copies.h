// Copies and fills, in all the shapes the API has: one row or many, by pointer or by symbol, waiting or not.
#pragma once

#include <cstdint>

#include "cudart/call.h"

namespace workbook::cudart {

struct Rows {
  std::uint64_t to = 0, from = 0;            // addresses
  std::size_t to_pitch = 0, from_pitch = 0;  // bytes from row to row; unused for one row
  std::size_t width = 0, height = 1;         // bytes, rows
  std::size_t bytes() const { return width * height; }
  std::size_t to_span() const { return bytes() == 0 ? 0 : (height - 1) * to_pitch + width; }
  std::size_t from_span() const { return bytes() == 0 ? 0 : (height - 1) * from_pitch + width; }
};

cudaError_t copy(Call& call, const Rows& rows, cudaMemcpyKind kind, cudaStream_t stream, bool asynchronous);
cudaError_t fill(Call& call, const Rows& rows, int value, cudaStream_t stream, bool asynchronous);

}  // namespace workbook::cudart
