#include "sim/matrix.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/access.h"
#include "sim/exec_float_ops.h"

namespace workbook::sim {

Code::Code() = default;
Code::~Code() = default;

namespace {

using Registers = MatrixOp::Registers;

constexpr std::uint32_t most_elements = 32 * 256;

const MatrixOp& op_of(const Warp& w, const Inst& in) {
  return w.frame->code->matrices[in.e];
}
const Row* rows_of(const Warp& w, const Registers& r) {
  return w.frame->code->rows.data() + r.first;
}
std::uint32_t per_register(MatrixType t) {
  const auto bits = static_cast<std::uint32_t>(bits_of(t));
  return bits >= 32 ? 1 : 32 / bits;
}

// Element e of lane l in a fragment, by its bits.
std::uint64_t element(const Warp& w, const Registers& r, std::uint32_t l, std::uint32_t e) {
  const std::uint32_t p = per_register(r.type);
  const Row& row = rows_of(w, r)[e / p];
  if (r.type == MatrixType::f64) return w.row<std::uint64_t>(row.offset)[l];
  const std::uint32_t word = w.row<std::uint32_t>(row.offset)[l], bits = 32 / p;
  return p == 1 ? word : word >> e % p * bits & ((1u << bits) - 1);
}
void set_element(Warp& w, const Registers& r, std::uint32_t l, std::uint32_t e, std::uint64_t value) {
  const std::uint32_t p = per_register(r.type);
  const Row& row = rows_of(w, r)[e / p];
  if (r.type == MatrixType::f64) {
    w.row<std::uint64_t>(row.offset)[l] = value;
    return;
  }
  std::uint32_t& word = w.row<std::uint32_t>(row.offset)[l];
  const std::uint32_t bits = 32 / p, shift = e % p * bits,
                      mask = p == 1 ? full_mask : ((1u << bits) - 1) << shift;
  word = (word & ~mask) | (static_cast<std::uint32_t>(value) << shift & mask);
}

double value_of(MatrixType t, std::uint64_t bits) {
  switch (t) {
    case MatrixType::f16:
      return exec_base::from_half(static_cast<std::uint16_t>(bits));
    case MatrixType::bf16:
      return exec_base::from_bfloat(static_cast<std::uint16_t>(bits));
    case MatrixType::tf32:  // the low bits of the fraction are not looked at
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits) & 0xffffe000u);
    case MatrixType::f32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case MatrixType::f64:
      return std::bit_cast<double>(bits);
    case MatrixType::s32:
      return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
    case MatrixType::s8:
      return static_cast<std::int8_t>(bits);
    case MatrixType::s4:
      return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits) << 28) >> 28;
    default:
      return static_cast<double>(bits);
  }
}

std::uint64_t bits_from(MatrixType t, double v, bool saturate) {
  switch (t) {
    case MatrixType::f16:
      return exec_base::to_half(v);
    case MatrixType::f64:
      return std::bit_cast<std::uint64_t>(v);
    case MatrixType::s32: {
      const auto sum = static_cast<std::int64_t>(v);
      if (saturate) return static_cast<std::uint32_t>(std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX));
      return static_cast<std::uint32_t>(sum);
    }
    default:
      return std::bit_cast<std::uint32_t>(exec_base::canonical(static_cast<float>(v)));
  }
}

// Where element e of lane l lies in the matrix.
struct Position {
  std::uint32_t row, column;
};
Position opaque_position(std::uint32_t l, std::uint32_t e, std::uint32_t rows, std::uint32_t columns) {
  const std::uint32_t number = (e * lanes + l) % (rows * columns);
  return {number / columns, number % columns};
}
Position position_a(const MatrixOp& op, std::uint32_t l, std::uint32_t e) {
  if (op.opaque) return opaque_position(l, e, op.m, op.k);
  const std::uint32_t p = per_register(op.a.type), r = e / p, blocks = op.m / 8;
  return {l / 4 + r % blocks * 8, l % 4 * p + e % p + r / blocks * 4 * p};
}
Position position_b(const MatrixOp& op, std::uint32_t l, std::uint32_t e) {
  if (op.opaque) return opaque_position(l, e, op.k, op.n);
  const std::uint32_t p = per_register(op.b.type), r = e / p;
  return {l % 4 * p + e % p + r * 4 * p, l / 4};
}
Position position_c(const MatrixOp& op, std::uint32_t l, std::uint32_t e) {
  if (op.opaque) return opaque_position(l, e, op.m, op.n);
  return {l / 4 + e / 2 * 8, l % 4 * 2 + e % 2};
}

void multiply(Warp& w, const Inst& in, std::uint32_t mask) {
  const MatrixOp& op = op_of(w, in);
  double a[most_elements], b[most_elements], sum[most_elements];
  for (std::uint32_t l = 0; l < lanes; ++l) {
    for (std::uint32_t e = 0; e < op.a.count * per_register(op.a.type); ++e) {
      const Position at = position_a(op, l, e);
      a[at.row * op.k + at.column] = value_of(op.a.type, element(w, op.a, l, e));
    }
    for (std::uint32_t e = 0; e < op.b.count * per_register(op.b.type); ++e) {
      const Position at = position_b(op, l, e);
      b[at.row * op.n + at.column] = value_of(op.b.type, element(w, op.b, l, e));
    }
    for (std::uint32_t e = 0; e < op.c.count * per_register(op.c.type); ++e) {
      const Position at = position_c(op, l, e);
      sum[at.row * op.n + at.column] = value_of(op.c.type, element(w, op.c, l, e));
    }
  }
  for (std::uint32_t i = 0; i < op.m; ++i)
    for (std::uint32_t k = 0; k < op.k; ++k) {
      const double x = a[i * op.k + k];
      for (std::uint32_t j = 0; j < op.n; ++j) sum[i * op.n + j] += x * b[k * op.n + j];
    }
  for (std::uint32_t l = 0; l < lanes; ++l) {
    if ((mask >> l & 1u) == 0) continue;
    for (std::uint32_t e = 0; e < op.d.count * per_register(op.d.type); ++e) {
      const Position at = position_c(op, l, e);
      set_element(w, op.d, l, e, bits_from(op.d.type, sum[at.row * op.n + at.column], op.saturate));
    }
  }
}

std::uint64_t address_of(const Warp& w, const Inst& in, const MatrixOp& op, std::uint32_t l) {
  const auto offset =
      static_cast<std::uint64_t>(op.offset) + (in.access.dynamic_shared ? w.block->dynamic_base : 0u);
  if (in.access.no_register) return offset;
  if (in.access.wide_address) return w.row<std::uint64_t>(in.a)[l] + offset;
  return static_cast<std::uint32_t>(w.row<std::uint32_t>(in.a)[l] + offset);
}

// One access of `bytes` bytes for each lane of the mask, checked and counted as ld and st are. `host` gets
// the places of the bytes; false after a fault. For a store, `values` says what will be written.
bool reach_global(Warp& w, const Inst& in, std::uint32_t mask, const std::uint64_t* at, std::uint32_t bytes,
                  bool is_write, const std::uint64_t* values, std::uint8_t** host) {
  Pattern p;
  p.mask = mask;
  p.bytes = bytes;
  p.low = ~0ull;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const std::uint64_t a = at[std::countr_zero(rest)];
    p.bits |= a;
    p.low = std::min(p.low, a);
    p.high = std::max(p.high, a + bytes);
  }
  p.heads = sector_heads(at, mask);
  Placed where;
  if (!prepare_global(w, in, at, p, is_write, where)) return false;
  std::uint32_t silent = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    host[l] = reinterpret_cast<std::uint8_t*>(at[l] + (where.split ? where.deltas[l] : where.delta));
    if (is_write && std::memcmp(host[l], &values[l], bytes) == 0) silent |= 1u << l;
  }
  return check_global_race(w, in, at, p, is_write, silent);
}
bool reach_shared(Warp& w, const Inst& in, std::uint32_t mask, const std::uint64_t* at, std::uint32_t bytes,
                  bool is_write, const std::uint64_t* values, std::uint8_t** host) {
  std::uint32_t offset[lanes];
  for (int l = 0; l < lanes; ++l) {
    const std::uint64_t o = at[l] & ~window_mask;
    offset[l] = (o >> 32) == 0 ? static_cast<std::uint32_t>(o) : full_mask;
  }
  if (!prepare_shared(w, in, offset, mask, bytes, is_write)) return false;
  std::uint32_t silent = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    host[l] = w.block->shared.data() + offset[l];
    if (is_write && bytes <= 8 && std::memcmp(host[l], &values[l], bytes) == 0) silent |= 1u << l;
  }
  return check_shared_race(w, in, offset, mask, bytes, is_write, silent);
}
bool reach(Warp& w, const Inst& in, std::uint32_t mask, const std::uint64_t* at, std::uint32_t bytes,
           bool is_write, const std::uint64_t* values, std::uint8_t** host) {
  ptx::Space space = in.access.space;
  const int first = std::countr_zero(mask);
  if (space == ptx::Space::none || space == ptx::Space::generic) space = space_of(at[first]);
  if (space == ptx::Space::shared) return reach_shared(w, in, mask, at, bytes, is_write, values, host);
  if (space == ptx::Space::global) return reach_global(w, in, mask, at, bytes, is_write, values, host);
  raise(w, in, FaultKind::illegal_instruction, mask, at[first], bytes, is_write);
  w.block->fault->text = "moves a matrix to or from local memory, which no GPU can";
  return false;
}

// wmma.load, wmma.store.
template <bool is_store>
void move_matrix(Warp& w, const Inst& in, std::uint32_t mask) {
  const MatrixOp& op = op_of(w, in);
  const auto bytes = static_cast<std::uint32_t>(bits_of(op.d.type)) / 8;
  const std::uint32_t elements = op.d.count * per_register(op.d.type),
                      distinct = op.rows * op.columns / lanes;
  for (std::uint32_t e = 0; e < elements; ++e) {
    if (e >= distinct) {  // a repetition
      for (std::uint32_t l = 0; l < lanes && !is_store; ++l)
        if ((mask >> l & 1u) != 0) set_element(w, op.d, l, e, element(w, op.d, l, e % distinct));
      continue;
    }
    std::uint64_t at[lanes] = {}, values[lanes] = {};
    std::uint8_t* host[lanes] = {};
    for (std::uint32_t l = 0; l < lanes; ++l) {
      const Position p = opaque_position(l, e, op.rows, op.columns);
      const std::uint64_t stride = op.stride_row != ptx::no_index ? w.row<std::uint32_t>(op.stride_row)[l]
                                   : op.by_column                 ? op.rows
                                                                  : op.columns;
      const std::uint64_t number = op.by_column ? p.column * stride + p.row : p.row * stride + p.column;
      at[l] = address_of(w, in, op, l) + number * bytes;
      if (is_store) values[l] = element(w, op.d, l, e);
    }
    if (!reach(w, in, mask, at, bytes, is_store, values, host)) return;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const auto l = static_cast<std::uint32_t>(std::countr_zero(rest));
      if (is_store) {
        std::memcpy(host[l], &values[l], bytes);
      } else {
        std::uint64_t v = 0;
        std::memcpy(&v, host[l], bytes);
        set_element(w, op.d, l, e, v);
      }
    }
  }
}

// ldmatrix, stmatrix: lane i names row i % 8 of matrix i / 8; the row has 8 elements of 16 bits. Lane l holds
// elements 2 * (l % 4) and the next of row l / 4, or of column l / 4 when transposed.
template <bool is_store>
void move_rows(Warp& w, const Inst& in, std::uint32_t mask) {
  const MatrixOp& op = op_of(w, in);
  const std::uint32_t named = op.d.count == 4 ? full_mask : (1u << 8 * op.d.count) - 1;
  if ((named & ~mask) != 0) {
    raise(w, in, FaultKind::illegal_instruction, named & ~mask, 0, 16, is_store);
    w.block->fault->text = "needs the rows that these threads name, but they have ended or do not take part";
    return;
  }
  std::uint64_t at[lanes] = {};
  std::uint8_t* host[lanes] = {};
  for (std::uint32_t l = 0; l < lanes; ++l) at[l] = address_of(w, in, op, l);
  if (!reach(w, in, named, at, 16, is_store, at, host)) return;
  for (std::uint32_t j = 0; j < op.d.count; ++j)
    for (std::uint32_t l = 0; l < lanes; ++l)
      for (std::uint32_t e = 0; e < 2; ++e) {
        const std::uint32_t along = l % 4 * 2 + e, row = op.transposed ? along : l / 4,
                            column = op.transposed ? l / 4 : along;
        std::uint8_t* const place = host[j * 8 + row] + column * 2;
        if (is_store) {
          const auto v = static_cast<std::uint16_t>(element(w, op.d, l, j * 2 + e));
          std::memcpy(place, &v, 2);
        } else if ((mask >> l & 1u) != 0) {
          std::uint16_t v = 0;
          std::memcpy(&v, place, 2);
          set_element(w, op.d, l, j * 2 + e, v);
        }
      }
}

void transpose(Warp& w, const Inst& in, std::uint32_t mask) {
  const MatrixOp& op = op_of(w, in);
  std::uint64_t matrix[8][8];
  for (std::uint32_t l = 0; l < lanes; ++l)
    for (std::uint32_t e = 0; e < 2; ++e) matrix[l / 4][l % 4 * 2 + e] = element(w, op.a, l, e);
  for (std::uint32_t l = 0; l < lanes; ++l)
    for (std::uint32_t e = 0; e < 2; ++e)
      if ((mask >> l & 1u) != 0) set_element(w, op.d, l, e, matrix[l % 4 * 2 + e][l / 4]);
}

}  // namespace

Handler find_matrix(const MatrixOp& op) {
  switch (op.what) {
    case MatrixOp::What::multiply:
      return multiply;
    case MatrixOp::What::load:
      return move_matrix<false>;
    case MatrixOp::What::store:
      return move_matrix<true>;
    case MatrixOp::What::load_rows:
      return move_rows<false>;
    case MatrixOp::What::store_rows:
      return move_rows<true>;
    case MatrixOp::What::transpose:
      return transpose;
  }
  return nullptr;
}

}  // namespace workbook::sim
