// Matrices that a warp holds in its registers: mma, wmma, ldmatrix, stmatrix, movmatrix.
//
// mma's fragments lie as the PTX ISA's figures say. In general: a register of 32 bits holds p neighbours of a
// row (p elements of the type), lane l is group g = l / 4 and thread t = l % 4 of it, and with `blocks` = m /
// 8
//   A, register r   row g + r % blocks * 8, columns t * p + (r / blocks) * 4p and the p - 1 behind it
//   B, register r   column g, rows t * p + r * 4p and the p - 1 below it
//   C, D element i  row g + i / 2 * 8, column t * 2 + i % 2
// wmma's fragments are opaque; here element e of lane l is number e * 32 + l of the matrix, row by row, and
// registers beyond those repeat the elements from the start.
//
// Products are summed in double precision and rounded once; a tensor core rounds more often, within the same
// bounds.
#pragma once

#include <cstdint>
#include <string>

#include "sim/code.h"

namespace workbook::sim {

enum class MatrixType : std::uint8_t { none, f16, bf16, tf32, f32, f64, s32, s8, u8, s4, u4 };
int bits_of(MatrixType);

struct MatrixOp {
  enum class What : std::uint8_t { multiply, load, store, load_rows, store_rows, transpose };
  struct Registers {
    std::uint32_t first = 0, count = 0;  // in Code::rows
    MatrixType type = MatrixType::none;
  };
  What what = What::multiply;
  bool opaque = false;      // wmma's layout
  bool by_column = false;   // load, store: column-major in memory
  bool transposed = false;  // ldmatrix, stmatrix
  bool saturate = false;    // s32 sums are clamped
  std::uint32_t m = 8, n = 8, k = 8;
  Registers d, a, b, c;
  std::int64_t offset = 0;                   // of the address
  std::uint32_t rows = 0, columns = 0;       // load, store: of the matrix that moves
  std::uint32_t stride_row = ptx::no_index;  // load, store: row of the stride in elements; else it is dense
};

// The handler: Inst::e is the index into Code::matrices; address and offset as in every access.
Handler find_matrix(const MatrixOp&);

}  // namespace workbook::sim
