// Behaviours that are one instruction applied to a table of operands (see suite.h).
#pragma once

#include "suite.h"
#include "values.h"

namespace suite {

// How a result is judged: bit for bit, any NaN for a NaN of f64, or within an error.
enum class Judge { bits, any_nan };

struct Tolerance {
  double ulps = 0, absolute = 0, relative = 0;
};

template <class Op>
__global__ void apply(const u64* in, u64* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = Op::device(in + 4 * i);
}

// All combinations of the pools' values, or an even sample of them when there are many.
inline std::vector<u64> combinations(const std::vector<std::vector<u64>>& pools) {
  constexpr size_t most = 3000;
  size_t all = 1;
  for (const auto& p : pools) all *= p.size();
  const size_t count = all < most ? all : most;
  std::vector<u64> table(count * 4, 0);
  u64 state = 1;
  for (size_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    size_t n = all < most ? i : static_cast<size_t>((state >> 11) % all);
    for (size_t k = 0; k < pools.size(); ++k) {
      table[4 * i + k] = pools[k][n % pools[k].size()];
      n /= pools[k].size();
    }
  }
  return table;
}

template <class Op>
std::vector<u64> results(const std::vector<u64>& table) {
  const int count = static_cast<int>(table.size() / 4);
  Buffer<u64> in(table), out(static_cast<size_t>(count));
  apply<Op><<<(count + 127) / 128, 128>>>(in, out, count);
  return out.get();
}

template <class Op>
void run_table(Report& report) {
  const std::vector<u64> table = combinations(Op::pools());
  const std::vector<u64> got = results<Op>(table);
  for (size_t i = 0; i < got.size(); ++i) {
    const u64* x = &table[4 * i];
    const u64 wanted = Op::host(x);
    if (got[i] == wanted || Op::both_nan(got[i], wanted)) continue;
    report.fail("(%llx, %llx, %llx, %llx) gives %llx, expected %llx", x[0], x[1], x[2], x[3], got[i], wanted);
  }
}

// The true value is known in double precision; the result is an f32.
template <class Op>
void run_approximate(Report& report) {
  const std::vector<u64> table = combinations(Op::pools());
  const std::vector<u64> got = results<Op>(table);
  const Tolerance t = Op::tolerance();
  for (size_t i = 0; i < got.size(); ++i) {
    const u64* x = &table[4 * i];
    const double wanted = Op::host(x), value = from_bits<f32>(got[i]);
    if (Op::left_out(x)) continue;
    const double size = std::fabs(wanted);
    const double ulp = std::ldexp(1.0, std::max(std::ilogb(size < 1e-300 ? 1e-300 : size), -126) - 23);
    const double room = std::max(std::max(t.ulps * ulp, t.absolute), t.relative * size);
    const bool overflow = size >= 3.4028235677973366e38;  // rounds to infinity
    const bool good = wanted != wanted ? value != value
                      : overflow       ? std::isinf(value) && (value > 0) == (wanted > 0)
                                       : std::fabs(value - wanted) <= room;
    if (!good)
      report.fail("(%a, %a) gives %a, expected %a +- %g", from_bits<f32>(x[0]), from_bits<f32>(x[1]), value,
                  wanted, room);
  }
}

template <class D>
inline bool nan_of_f64(u64 a, u64 b) {
  if (!std::is_same<D, f64>::value) return false;
  const double x = from_bits<f64>(a), y = from_bits<f64>(b);
  return x != x && y != y;
}

}  // namespace suite

#define SUITE_TABLE(NAME, PTX) \
  static ::suite::Registration registered_##NAME(#NAME, ::suite::words_of(PTX), ::suite::run_table<op_##NAME>)

#define UNARY_IN(NAME, PTX, D, A, POOL, ...)                           \
  struct op_##NAME {                                                   \
    static __device__ u64 device(const u64* x) {                       \
      raw<A> a = from_bits<raw<A>>(x[0]);                              \
      raw<D> d;                                                        \
      asm(PTX : "=" C_##D(d) : C_##A(a));                              \
      return to_bits(d);                                               \
    }                                                                  \
    static u64 host(const u64* x) {                                    \
      raw<A> a = from_bits<raw<A>>(x[0]);                              \
      return to_bits(static_cast<raw<D>>(__VA_ARGS__));                \
    }                                                                  \
    static bool both_nan(u64 p, u64 q) { return nan_of_f64<D>(p, q); } \
    static std::vector<std::vector<u64>> pools() { return {POOL}; }    \
  };                                                                   \
  SUITE_TABLE(NAME, PTX)
#define UNARY(NAME, PTX, D, A, ...) UNARY_IN(NAME, PTX, D, A, pool<A>(), __VA_ARGS__)

#define BINARY_IN(NAME, PTX, D, A, B, POOL_A, POOL_B, ...)                    \
  struct op_##NAME {                                                          \
    static __device__ u64 device(const u64* x) {                              \
      raw<A> a = from_bits<raw<A>>(x[0]);                                     \
      raw<B> b = from_bits<raw<B>>(x[1]);                                     \
      raw<D> d;                                                               \
      asm(PTX : "=" C_##D(d) : C_##A(a), C_##B(b));                           \
      return to_bits(d);                                                      \
    }                                                                         \
    static u64 host(const u64* x) {                                           \
      raw<A> a = from_bits<raw<A>>(x[0]);                                     \
      raw<B> b = from_bits<raw<B>>(x[1]);                                     \
      return to_bits(static_cast<raw<D>>(__VA_ARGS__));                       \
    }                                                                         \
    static bool both_nan(u64 p, u64 q) { return nan_of_f64<D>(p, q); }        \
    static std::vector<std::vector<u64>> pools() { return {POOL_A, POOL_B}; } \
  };                                                                          \
  SUITE_TABLE(NAME, PTX)
#define BINARY(NAME, PTX, D, A, B, ...) BINARY_IN(NAME, PTX, D, A, B, pool<A>(), pool<B>(), __VA_ARGS__)

#define TERNARY_IN(NAME, PTX, D, A, B, C, POOL_A, POOL_B, POOL_C, ...)                \
  struct op_##NAME {                                                                  \
    static __device__ u64 device(const u64* x) {                                      \
      raw<A> a = from_bits<raw<A>>(x[0]);                                             \
      raw<B> b = from_bits<raw<B>>(x[1]);                                             \
      raw<C> c = from_bits<raw<C>>(x[2]);                                             \
      raw<D> d;                                                                       \
      asm(PTX : "=" C_##D(d) : C_##A(a), C_##B(b), C_##C(c));                         \
      return to_bits(d);                                                              \
    }                                                                                 \
    static u64 host(const u64* x) {                                                   \
      raw<A> a = from_bits<raw<A>>(x[0]);                                             \
      raw<B> b = from_bits<raw<B>>(x[1]);                                             \
      raw<C> c = from_bits<raw<C>>(x[2]);                                             \
      return to_bits(static_cast<raw<D>>(__VA_ARGS__));                               \
    }                                                                                 \
    static bool both_nan(u64 p, u64 q) { return nan_of_f64<D>(p, q); }                \
    static std::vector<std::vector<u64>> pools() { return {POOL_A, POOL_B, POOL_C}; } \
  };                                                                                  \
  SUITE_TABLE(NAME, PTX)
#define TERNARY(NAME, PTX, D, A, B, C, ...) \
  TERNARY_IN(NAME, PTX, D, A, B, C, pool<A>(), pool<B>(), pool<C>(), __VA_ARGS__)

// An f32 result that may be off by the tolerance (braces of Tolerance); DEVICE computes d from a and b.
#define APPROXIMATE(NAME, ROWS, POOL_A, POOL_B, TOLERANCE, LEFT_OUT, TRUTH, DEVICE) \
  struct op_##NAME {                                                                \
    static __device__ u64 device(const u64* x) {                                    \
      const f32 a = from_bits<f32>(x[0]), b = from_bits<f32>(x[1]);                 \
      (void)b;                                                                      \
      f32 d = 0;                                                                    \
      DEVICE;                                                                       \
      return to_bits(d);                                                            \
    }                                                                               \
    static double host(const u64* x) {                                              \
      const double a = from_bits<f32>(x[0]), b = from_bits<f32>(x[1]);              \
      (void)b;                                                                      \
      return TRUTH;                                                                 \
    }                                                                               \
    static bool left_out(const u64* x) {                                            \
      const double a = from_bits<f32>(x[0]), b = from_bits<f32>(x[1]);              \
      (void)a;                                                                      \
      (void)b;                                                                      \
      return LEFT_OUT;                                                              \
    }                                                                               \
    static Tolerance tolerance() { return TOLERANCE; }                              \
    static std::vector<std::vector<u64>> pools() { return {POOL_A, POOL_B}; }       \
  };                                                                                \
  static ::suite::Registration registered_##NAME(#NAME, ROWS, ::suite::run_approximate<op_##NAME>)
