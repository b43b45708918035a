// Matrices held by a warp: mma, wmma, ldmatrix, stmatrix, movmatrix. (compute_90)
//
// The operands are small integers, so that every sum is exact in any order; one behaviour a type asks for the
// rounding of large sums within the error of the type. The layout of the fragments is written here as the
// ISA's figures give it: register r of lane l holds p neighbours of one row (p: elements in 32 bits).
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "values.h"
using namespace suite;

struct Shape {
  int m, n, k;
};
enum class Kind { f16, bf16, tf32, s8, u8, s4, u4, f64 };
inline int bits_of(Kind k) {
  return k == Kind::f64                      ? 64
         : k == Kind::tf32                   ? 32
         : k == Kind::f16 || k == Kind::bf16 ? 16
         : k == Kind::s4 || k == Kind::u4    ? 4
                                             : 8;
}
inline u64 encoded(Kind k, int v) {
  switch (k) {
    case Kind::f16:
      return to_half(v);
    case Kind::bf16:
      return to_bfloat(v);
    case Kind::tf32:
      return to_bits(static_cast<f32>(v));
    case Kind::f64:
      return to_bits(static_cast<f64>(v));
    case Kind::s4:
    case Kind::u4:
      return static_cast<u64>(v) & 15u;
    default:
      return static_cast<u64>(v) & 255u;
  }
}
inline int value_a(Kind k, int i, int j) {
  return (i * 3 + j * 5) % 7 - (k == Kind::u8 || k == Kind::u4 ? 0 : 3);
}
inline int value_b(Kind k, int i, int j) {
  return (i * 2 + j * 7) % 5 - (k == Kind::u8 || k == Kind::u4 ? 0 : 2);
}
inline int value_c(int i, int j) {
  return (i * 8 + j) % 19 - 9;
}

// Registers of A and B, 64 bits each, register by register, lanes inside.
inline std::vector<u64> fragment_a(Shape s, Kind kind) {
  const int p = std::max(1, 32 / bits_of(kind)), rows = s.m / 8, count = s.m * s.k / 32 / p;
  std::vector<u64> regs(static_cast<size_t>(count) * 32, 0);
  for (int r = 0; r < count; ++r)
    for (int l = 0; l < 32; ++l)
      for (int e = 0; e < p; ++e) {
        const int row = l / 4 + r % rows * 8, column = l % 4 * p + e + r / rows * 4 * p;
        regs[r * 32 + l] |= encoded(kind, value_a(kind, row, column)) << (e * bits_of(kind));
      }
  return regs;
}
inline std::vector<u64> fragment_b(Shape s, Kind kind) {
  const int p = std::max(1, 32 / bits_of(kind)), count = s.n * s.k / 32 / p;
  std::vector<u64> regs(static_cast<size_t>(count) * 32, 0);
  for (int r = 0; r < count; ++r)
    for (int l = 0; l < 32; ++l)
      for (int e = 0; e < p; ++e)
        regs[r * 32 + l] |= encoded(kind, value_b(kind, l % 4 * p + e + r * 4 * p, l / 4))
                            << (e * bits_of(kind));
  return regs;
}
inline int row_of_c(int lane, int i) {
  return lane / 4 + i / 2 * 8;
}
inline int column_of_c(int lane, int i) {
  return lane % 4 * 2 + i % 2;
}

// D = A * B + C by one instruction; OP has device(a, b, c, d) on arrays of registers.
template <class Op>
__global__ void multiply(const u64* a, const u64* b, const u64* c, u64* d) {
  u64 ra[Op::na], rb[Op::nb], rc[Op::nc], rd[Op::nc];
  for (int r = 0; r < Op::na; ++r) ra[r] = a[r * 32 + threadIdx.x];
  for (int r = 0; r < Op::nb; ++r) rb[r] = b[r * 32 + threadIdx.x];
  for (int r = 0; r < Op::nc; ++r) rc[r] = c[r * 32 + threadIdx.x];
  Op::device(ra, rb, rc, rd);
  for (int r = 0; r < Op::nc; ++r) d[r * 32 + threadIdx.x] = rd[r];
}
// `packed`: C and D are pairs of halves.
template <class Op>
void check_mma(Report& report, Shape s, Kind kind_a, Kind kind_b, u64 (*encode)(int), bool packed) {
  const int elements = s.m * s.n / 32;
  const auto number = [&](int l, int i) { return encode(value_c(row_of_c(l, i), column_of_c(l, i))); };
  std::vector<u64> c(static_cast<size_t>(Op::nc) * 32), wanted(c.size());
  for (int l = 0; l < 32; ++l)
    for (int i = 0; i < elements; ++i) {
      int sum = value_c(row_of_c(l, i), column_of_c(l, i));
      for (int k = 0; k < s.k; ++k)
        sum += value_a(kind_a, row_of_c(l, i), k) * value_b(kind_b, k, column_of_c(l, i));
      const int at = (packed ? i / 2 : i) * 32 + l, shift = packed ? i % 2 * 16 : 0;
      c[at] |= number(l, i) << shift;
      wanted[at] |= encode(sum) << shift;
    }
  Buffer<u64> a(fragment_a(s, kind_a)), b(fragment_b(s, kind_b)), in(c), out(c.size());
  multiply<Op><<<1, 32>>>(a, b, in, out);
  report.equal("d", out.get(), wanted);
}
inline u64 as_f32(int v) {
  return to_bits(static_cast<f32>(v));
}
inline u64 as_f64(int v) {
  return to_bits(static_cast<f64>(v));
}
inline u64 as_s32(int v) {
  return static_cast<u32>(v);
}
inline u64 as_f16(int v) {
  return to_half(v);
}

#define R4(x)                                                                            \
  "r"(static_cast<u32>(x[0])), "r"(static_cast<u32>(x[1])), "r"(static_cast<u32>(x[2])), \
      "r"(static_cast<u32>(x[3]))
#define R2(x) "r"(static_cast<u32>(x[0])), "r"(static_cast<u32>(x[1]))
#define R1(x) "r"(static_cast<u32>(x[0]))
#define F4(x) \
  "f"(from_bits<f32>(x[0])), "f"(from_bits<f32>(x[1])), "f"(from_bits<f32>(x[2])), "f"(from_bits<f32>(x[3]))
#define D4(x) \
  "d"(from_bits<f64>(x[0])), "d"(from_bits<f64>(x[1])), "d"(from_bits<f64>(x[2])), "d"(from_bits<f64>(x[3]))

// D of four f32.
#define MMA_F32(NAME, M, N, K, KIND, WORD, NA, NB, LIST, ...)                         \
  struct op_##NAME {                                                                  \
    static constexpr int na = NA, nb = NB, nc = 4;                                    \
    static __device__ void device(const u64* a, const u64* b, const u64* c, u64* d) { \
      f32 x[4];                                                                       \
      asm volatile(WORD " {%0,%1,%2,%3}, " LIST ";"                                   \
                   : "=f"(x[0]), "=f"(x[1]), "=f"(x[2]), "=f"(x[3])                   \
                   : __VA_ARGS__, F4(c));                                             \
      for (int i = 0; i < 4; ++i) d[i] = to_bits(x[i]);                               \
    }                                                                                 \
  };                                                                                  \
  BEHAVIOUR(NAME, WORD) {                                                             \
    check_mma<op_##NAME>(report, {M, N, K}, KIND, KIND, as_f32, false);               \
  }
#define LIST_421 "{%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13}"
#define LIST_211 "{%4,%5}, {%6}, {%7,%8,%9,%10}"
MMA_F32(mma_m16n8k16_f16_f32, 16, 8, 16, Kind::f16, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 4, 2,
        LIST_421, R4(a), R2(b))
MMA_F32(mma_m16n8k8_f16_f32, 16, 8, 8, Kind::f16, "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 2, 1,
        LIST_211, R2(a), R1(b))
MMA_F32(mma_m16n8k16_bf16_f32, 16, 8, 16, Kind::bf16, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
        4, 2, LIST_421, R4(a), R2(b))
MMA_F32(mma_m16n8k8_bf16_f32, 16, 8, 8, Kind::bf16, "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", 2,
        1, LIST_211, R2(a), R1(b))
MMA_F32(mma_m16n8k8_tf32, 16, 8, 8, Kind::tf32, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2,
        LIST_421, R4(a), R2(b))
MMA_F32(mma_m16n8k4_tf32, 16, 8, 4, Kind::tf32, "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 2, 1,
        LIST_211, R2(a), R1(b))

#define MMA_S32(NAME, M, N, K, KIND_A, KIND_B, WORD, NA, NB, LIST, ...)               \
  struct op_##NAME {                                                                  \
    static constexpr int na = NA, nb = NB, nc = 4;                                    \
    static __device__ void device(const u64* a, const u64* b, const u64* c, u64* d) { \
      u32 x[4];                                                                       \
      asm volatile(WORD " {%0,%1,%2,%3}, " LIST ";"                                   \
                   : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])                   \
                   : __VA_ARGS__, R4(c));                                             \
      for (int i = 0; i < 4; ++i) d[i] = x[i];                                        \
    }                                                                                 \
  };                                                                                  \
  BEHAVIOUR(NAME, WORD) {                                                             \
    check_mma<op_##NAME>(report, {M, N, K}, KIND_A, KIND_B, as_s32, false);           \
  }
MMA_S32(mma_m16n8k16_s8, 16, 8, 16, Kind::s8, Kind::s8, "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32", 2,
        1, LIST_211, R2(a), R1(b))
MMA_S32(mma_m16n8k32_s8, 16, 8, 32, Kind::s8, Kind::s8, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 4,
        2, LIST_421, R4(a), R2(b))
MMA_S32(mma_m16n8k32_u8_s8, 16, 8, 32, Kind::u8, Kind::s8, "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32",
        4, 2, LIST_421, R4(a), R2(b))
MMA_S32(mma_m16n8k64_s4, 16, 8, 64, Kind::s4, Kind::s4, "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", 4,
        2, LIST_421, R4(a), R2(b))
struct op_m8n8k16 {
  static constexpr int na = 1, nb = 1, nc = 2;
  static __device__ void device(const u64* a, const u64* b, const u64* c, u64* d) {
    u32 x, y;
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 {%0,%1}, {%2}, {%3}, {%4,%5};"
                 : "=r"(x), "=r"(y)
                 : R1(a), R1(b), R2(c));
    d[0] = x;
    d[1] = y;
  }
};
BEHAVIOUR(mma_m8n8k16_u8, "mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32") {
  check_mma<op_m8n8k16>(report, {8, 8, 16}, Kind::u8, Kind::u8, as_s32, false);
}
struct op_f16_f16 {
  static constexpr int na = 4, nb = 2, nc = 2;
  static __device__ void device(const u64* a, const u64* b, const u64* c, u64* d) {
    u32 x, y;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};"
                 : "=r"(x), "=r"(y)
                 : R4(a), R2(b), R2(c));
    d[0] = x;
    d[1] = y;
  }
};
BEHAVIOUR(mma_m16n8k16_f16_f16, "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16") {
  check_mma<op_f16_f16>(report, {16, 8, 16}, Kind::f16, Kind::f16, as_f16, true);
}
struct op_f64 {
  static constexpr int na = 1, nb = 1, nc = 2;
  static __device__ void device(const u64* a, const u64* b, const u64* c, u64* d) {
    f64 x, y;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%5};"
                 : "=d"(x), "=d"(y)
                 : "d"(from_bits<f64>(a[0])), "d"(from_bits<f64>(b[0])), "d"(from_bits<f64>(c[0])),
                   "d"(from_bits<f64>(c[1])));
    d[0] = to_bits(x);
    d[1] = to_bits(y);
  }
};
BEHAVIOUR(mma_m8n8k4_f64, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64") {
  check_mma<op_f64>(report, {8, 8, 4}, Kind::f64, Kind::f64, as_f64, false);
}

__global__ void saturating(u32* out) {
  u32 d[4];
  const u32 big = 0x7f7f7f7f, top = 0x7ffffff0;
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%4}, {%4}, {%5,%5,%6,%6};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(big), "r"(top), "r"(0));
  for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = d[i];
}
BEHAVIOUR(mma_satfinite, "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32") {
  Buffer<u32> out(128);
  saturating<<<1, 32>>>(out);
  report.equal("d", out.get(), make(128, [](size_t i) { return i % 4 < 2 ? 0x7fffffffu : 16u * 127 * 127; }));
}
// Sums that round: against double precision, within what fp32 accumulation of 16 products may lose.
__global__ void real_sums(const u32* a, const u32* b, f32* out) {
  f32 d[4];
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%10,%10,%10,%10};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[threadIdx.x]), "r"(a[32 + threadIdx.x]), "r"(a[64 + threadIdx.x]), "r"(a[96 + threadIdx.x]),
        "r"(b[threadIdx.x]), "r"(b[32 + threadIdx.x]), "f"(0.1f));
  for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = d[i];
}
BEHAVIOUR(mma_rounding, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32") {
  const auto random = noise(1024, 5);
  std::vector<u32> am(256), bm(128), ra(128), rb(64);
  for (int i = 0; i < 256; ++i) am[i] = to_half(static_cast<double>(random[i] >> 40) * 0x1p-24 * 4 - 2);
  for (int i = 0; i < 128; ++i) bm[i] = to_half(static_cast<double>(random[500 + i] >> 40) * 0x1p-24 * 4 - 2);
  for (int r = 0; r < 4; ++r)
    for (int l = 0; l < 32; ++l)
      for (int e = 0; e < 2; ++e) {
        ra[r * 32 + l] |= am[(l / 4 + r % 2 * 8) * 16 + l % 4 * 2 + e + r / 2 * 8] << 16 * e;
        if (r < 2) rb[r * 32 + l] |= bm[(l % 4 * 2 + e + r * 8) * 8 + l / 4] << 16 * e;
      }
  Buffer<u32> a(ra), b(rb);
  Buffer<f32> out(128);
  real_sums<<<1, 32>>>(a, b, out);
  const auto got = out.get();
  for (int l = 0; l < 32; ++l)
    for (int i = 0; i < 4; ++i) {
      double sum = 0.1f, size = 0.1;
      for (int k = 0; k < 16; ++k) {
        const double p = static_cast<double>(from_half(am[row_of_c(l, i) * 16 + k]) *
                                             from_half(bm[k * 8 + column_of_c(l, i)]));
        sum += p;
        size += std::fabs(p);
      }
      if (!(std::fabs(got[l * 4 + i] - sum) <= size * 0x1p-21))
        report.fail("lane %d, %d: %g, expected %g", l, i, got[l * 4 + i], sum);
    }
}

// ldmatrix: each lane names a row of 16 bytes; lane l gets elements 2*(l%4) and the next of row l/4.
template <int count, bool transposed>
__global__ void load_matrices(u32* out) {
  __shared__ alignas(16) u16 tile[32 * 8];
  for (int k = 0; k < 8; ++k) tile[threadIdx.x * 8 + k] = static_cast<u16>(threadIdx.x * 8 + k);
  __syncwarp();
  const auto row = static_cast<u32>(__cvta_generic_to_shared(tile + threadIdx.x * 8));
  u32 r[4] = {};
  if (count == 1 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(row));
  if (count == 2 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(row));
  if (count == 4 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(row));
  if (count == 4 && transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(row));
  if (count == 2 && transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(row));
  for (int k = 0; k < 4; ++k) out[threadIdx.x * 4 + k] = r[k];
}
template <int count, bool transposed>
void check_load(Report& report) {
  Buffer<u32> out(128);
  load_matrices<count, transposed><<<1, 32>>>(out);
  report.equal("r", out.get(), make(128, [](size_t i) {
                 const u32 lane = static_cast<u32>(i / 4), matrix = static_cast<u32>(i % 4), row = lane / 4,
                           column = lane % 4 * 2;
                 if (static_cast<int>(matrix) >= count) return 0u;
                 const auto element = [&](u32 r, u32 c) {
                   return matrix * 64 + (transposed ? c * 8 + r : r * 8 + c);
                 };
                 return element(row, column) | element(row, column + 1) << 16;
               }));
}
BEHAVIOUR(ldmatrix_x1, "ldmatrix.sync.aligned.m8n8.x1.shared.b16") {
  check_load<1, false>(report);
}
BEHAVIOUR(ldmatrix_x2, "ldmatrix.sync.aligned.m8n8.x2.shared.b16") {
  check_load<2, false>(report);
}
BEHAVIOUR(ldmatrix_x4, "ldmatrix.sync.aligned.m8n8.x4.shared.b16") {
  check_load<4, false>(report);
}
BEHAVIOUR(ldmatrix_x2_trans, "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16") {
  check_load<2, true>(report);
}
BEHAVIOUR(ldmatrix_x4_trans, "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16") {
  check_load<4, true>(report);
}
template <bool transposed>
__global__ void store_matrices(u32* out) {
  __shared__ alignas(16) u32 tile[16 * 4];
  const auto row = static_cast<u32>(__cvta_generic_to_shared(tile + threadIdx.x % 16 * 4));
  const u32 a = threadIdx.x * 2 | (threadIdx.x * 2 + 1) << 16, b = a + 0x00640064;
  if (transposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1,%2};" ::"r"(row), "r"(a), "r"(b));
  else
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1,%2};" ::"r"(row), "r"(a), "r"(b));
  __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x];
  out[32 + threadIdx.x] = tile[32 + threadIdx.x];
}
template <bool transposed>
void check_store(Report& report) {
  Buffer<u32> out(64);
  store_matrices<transposed><<<1, 32>>>(out);
  report.equal("tile", out.get(), make(64, [](size_t i) {
                 const u32 matrix = static_cast<u32>(i / 32), row = static_cast<u32>(i % 32 / 4),
                           column = static_cast<u32>(i % 4 * 2);
                 const auto element = [&](u32 r, u32 c) {
                   return (transposed ? c * 8 + r : r * 8 + c) + matrix * 100;
                 };
                 return element(row, column) | element(row, column + 1) << 16;
               }));
}
BEHAVIOUR(stmatrix_x2, "stmatrix.sync.aligned.m8n8.x2.shared.b16") {
  check_store<false>(report);
}
BEHAVIOUR(stmatrix_x2_trans, "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16") {
  check_store<true>(report);
}
__global__ void moved(u32* out) {
  u32 d;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
               : "=r"(d)
               : "r"(threadIdx.x * 2 | (threadIdx.x * 2 + 1) << 16));
  out[threadIdx.x] = d;
}
BEHAVIOUR(movmatrix_trans, "movmatrix.sync.aligned.m8n8.trans.b16") {
  Buffer<u32> out(32);
  moved<<<1, 32>>>(out);
  report.equal("d", out.get(), make(32, [](size_t l) {
                 const u32 row = static_cast<u32>(l / 4), column = static_cast<u32>(l % 4 * 2);
                 return (column * 8 + row) | ((column + 1) * 8 + row) << 16;
               }));
}

// wmma, by the names of mma.h: one warp, D = A * B + C from global or shared memory.
namespace wmma = nvcuda::wmma;
template <int M, int N, int K, class T, class Acc, class LayoutA, class LayoutB, bool shared>
__global__ void tile_product(const T* a, const T* b, const Acc* c, Acc* d, bool column_out) {
  __shared__ alignas(32) T sa[M * K];
  if (shared) {
    for (int i = threadIdx.x; i < M * K; i += 32) sa[i] = a[i];
    __syncwarp();
    a = sa;
  }
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Acc> fc, fd;
  constexpr bool row_a = std::is_same<LayoutA, wmma::row_major>::value,
                 row_b = std::is_same<LayoutB, wmma::row_major>::value;
  wmma::load_matrix_sync(fa, a, row_a ? K : M);
  wmma::load_matrix_sync(fb, b, row_b ? N : K);
  wmma::load_matrix_sync(fc, c, N, wmma::mem_row_major);
  wmma::mma_sync(fd, fa, fb, fc);
  for (int i = 0; i < fd.num_elements; ++i) fd.x[i] = fd.x[i] + fd.x[i];
  wmma::store_matrix_sync(d, fd, column_out ? M : N, column_out ? wmma::mem_col_major : wmma::mem_row_major);
}
template <class T>
T number(int v) {
  return static_cast<T>(v);
}
template <>
inline __half number<__half>(int v) {
  return __float2half(static_cast<f32>(v));
}
template <>
inline __nv_bfloat16 number<__nv_bfloat16>(int v) {
  return __float2bfloat16(static_cast<f32>(v));
}
template <int M, int N, int K, class T, class Acc, class LayoutA, class LayoutB, bool shared = false>
void check_wmma(Report& report, bool column_out) {
  constexpr bool row_a = std::is_same<LayoutA, wmma::row_major>::value,
                 row_b = std::is_same<LayoutB, wmma::row_major>::value;
  std::vector<T> a(M * K), b(K * N);
  std::vector<Acc> c(M * N), wanted(M * N);
  for (int i = 0; i < M; ++i)
    for (int k = 0; k < K; ++k) a[row_a ? i * K + k : k * M + i] = number<T>(value_a(Kind::s8, i, k) + 3);
  for (int k = 0; k < K; ++k)
    for (int j = 0; j < N; ++j) b[row_b ? k * N + j : j * K + k] = number<T>(value_b(Kind::s8, k, j) + 2);
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      int sum = value_c(i, j);
      c[i * N + j] = number<Acc>(sum);
      for (int k = 0; k < K; ++k) sum += (value_a(Kind::s8, i, k) + 3) * (value_b(Kind::s8, k, j) + 2);
      wanted[column_out ? j * M + i : i * N + j] = number<Acc>(2 * sum);
    }
  Buffer<T> da(a), db(b);
  Buffer<Acc> dc(c), dd(c.size());
  tile_product<M, N, K, T, Acc, LayoutA, LayoutB, shared><<<1, 32>>>(da, db, dc, dd, column_out);
  report.equal("d", dd.get(), wanted);
}
using Row = wmma::row_major;
using Column = wmma::col_major;
#define WMMA_ROWS(SHAPE, T)                                                           \
  "wmma.load.a.sync.aligned.row." SHAPE "." T " wmma.mma.sync.aligned.row.row." SHAPE \
  " wmma.store.d.sync.aligned.row." SHAPE
BEHAVIOUR(wmma_16x16x16_f16_f32, WMMA_ROWS("m16n16k16", "f16")) {
  check_wmma<16, 16, 16, __half, f32, Row, Row>(report, false);
}
BEHAVIOUR(wmma_16x16x16_column, WMMA_ROWS("m16n16k16", "f16")) {
  check_wmma<16, 16, 16, __half, f32, Column, Column>(report, true);
}
BEHAVIOUR(wmma_16x16x16_f16_f16, WMMA_ROWS("m16n16k16", "f16")) {
  check_wmma<16, 16, 16, __half, __half, Row, Column>(report, false);
}
BEHAVIOUR(wmma_32x8x16_f16_f32, WMMA_ROWS("m32n8k16", "f16")) {
  check_wmma<32, 8, 16, __half, f32, Row, Column>(report, true);
}
BEHAVIOUR(wmma_8x32x16_f16_f32, WMMA_ROWS("m8n32k16", "f16")) {
  check_wmma<8, 32, 16, __half, f32, Column, Row>(report, false);
}
BEHAVIOUR(wmma_16x16x16_bf16, WMMA_ROWS("m16n16k16", "bf16")) {
  check_wmma<16, 16, 16, __nv_bfloat16, f32, Row, Row>(report, false);
}
BEHAVIOUR(wmma_16x16x16_s8, WMMA_ROWS("m16n16k16", "s8")) {
  check_wmma<16, 16, 16, signed char, int, Row, Column>(report, false);
}
BEHAVIOUR(wmma_16x16x16_u8, WMMA_ROWS("m16n16k16", "u8")) {
  check_wmma<16, 16, 16, unsigned char, int, Column, Row>(report, true);
}
BEHAVIOUR(wmma_from_shared_memory, WMMA_ROWS("m16n16k16.shared", "f16")) {
  check_wmma<16, 16, 16, __half, f32, Row, Row, true>(report, false);
}
__global__ void tf32_product(const f32* a, const f32* b, f32* d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, Row> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, Row> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 8, f32> fc;
  wmma::load_matrix_sync(fa, a, 8);
  wmma::load_matrix_sync(fb, b, 16);
  for (int i = 0; i < fa.num_elements; ++i) fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
  for (int i = 0; i < fb.num_elements; ++i) fb.x[i] = wmma::__float_to_tf32(fb.x[i]);
  wmma::fill_fragment(fc, 1.0f);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
}
BEHAVIOUR(wmma_16x16x8_tf32,
          "wmma.load.a.sync.aligned.row.m16n16k8.tf32 "
          "wmma.mma.sync.aligned.row.row.m16n16k8.f32.tf32.tf32.f32 cvt.rna.tf32.f32") {
  Buffer<f32> a(make(128, [](size_t i) { return static_cast<f32>(i % 9) - 4; })),
      b(make(128, [](size_t i) { return static_cast<f32>(i % 5) - 2; })), d(256);
  tf32_product<<<1, 32>>>(a, b, d);
  report.equal("d", d.get(), make(256, [](size_t i) {
                 int sum = 1;
                 for (size_t k = 0; k < 8; ++k)
                   sum += (static_cast<int>((i / 16 * 8 + k) % 9) - 4) *
                          (static_cast<int>((k * 16 + i % 16) % 5) - 2);
                 return static_cast<f32>(sum);
               }));
}

SUITE_MAIN
