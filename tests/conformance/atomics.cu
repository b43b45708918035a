// atom and red of every type and operation, on global and shared memory. (compute_90, for bf16 and vectors.)
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "suite.h"
using namespace suite;

// Every thread of two blocks applies OP to one of eight cells; what it got back is kept. The host checks the
// cells, and that the old values are those of some order (their fold with the operands gives the final
// value).
constexpr int cells = 8, threads = 96, blocks = 2;

// Fetched values and final cells of `threads * blocks` operations; operand i is value(i).
template <class T, class Op>
__global__ void on_global(T* data, T* got, const T* operands) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  got[i] = Op::atomic(data + i % cells, operands[i], T(i % 5));
}
template <class T, class Op>
__global__ void on_shared(T* data, T* got, const T* operands) {
  __shared__ T copy[cells];
  const int i = threadIdx.x;
  if (i < cells) copy[i] = data[i];
  __syncthreads();
  got[i] = Op::atomic(copy + i % cells, operands[i], T(i % 5));
  __syncthreads();
  if (i < cells) data[i] = copy[i];
}
// Is there an order of a cell's operations that explains every value got and the last one? A search: from the
// start value, some operation that has not been taken must have got the present value.
template <class T, class Op>
bool explained(T start, T end, std::vector<T> got, std::vector<T> operands, std::vector<T> others) {
  T now = start;
  while (!got.empty()) {
    size_t at = got.size();
    for (size_t k = 0; k < got.size(); ++k) {
      if (memcmp(&got[k], &now, sizeof(T)) != 0) continue;
      const T next = Op::host(now, operands[k], others[k]);
      at = k;
      if (memcmp(&next, &now, sizeof(T)) == 0) break;  // those that change nothing go first
    }
    if (at == got.size()) return false;
    now = Op::host(now, operands[at], others[at]);
    got.erase(got.begin() + at);
    operands.erase(operands.begin() + at);
    others.erase(others.begin() + at);
  }
  return memcmp(&now, &end, sizeof(T)) == 0;
}
template <class T, class Op>
void check(Report& report, bool shared) {
  const int count = shared ? threads : threads * blocks;
  const auto operands = make(static_cast<size_t>(count), [](size_t i) { return Op::operand(i); });
  const auto start = make(static_cast<size_t>(cells), [](size_t i) { return T(3 * i + 1); });
  Buffer<T> data(start), got(static_cast<size_t>(count)), in(operands);
  if (shared)
    on_shared<T, Op><<<1, threads>>>(data, got, in);
  else
    on_global<T, Op><<<blocks, threads>>>(data, got, in);
  const auto end = data.get(), old = got.get();
  for (int c = 0; c < cells; ++c) {
    std::vector<T> g, o, x;
    for (int i = c; i < count; i += cells) {
      g.push_back(old[i]);
      o.push_back(operands[i]);
      x.push_back(T(i % 5));
    }
    if (!explained<T, Op>(start[c], end[c], g, o, x))
      report.fail("cell %d: no order of the operations gives these values (last %llx)", c, to_bits(end[c]));
  }
}
#define ATOMIC(NAME, ROWS, TYPE, OPERAND, DEVICE, HOST) \
  struct At_##NAME {                                    \
    using T = TYPE;                                     \
    static __device__ T atomic(T* p, T b, T c) {        \
      (void)c;                                          \
      return DEVICE;                                    \
    }                                                   \
    static T host(T a, T b, T c) {                      \
      (void)a, (void)b, (void)c;                        \
      return HOST;                                      \
    }                                                   \
    static T operand(size_t i) { return T(OPERAND); }   \
  };                                                    \
  BEHAVIOUR(atom_global_##NAME, ROWS) {                 \
    check<TYPE, At_##NAME>(report, false);              \
  }                                                     \
  BEHAVIOUR(atom_shared_##NAME, ROWS) {                 \
    check<TYPE, At_##NAME>(report, true);               \
  }

ATOMIC(add_u32, "atom.add.u32", u32, i* i + 1, atomicAdd(p, b), a + b)
ATOMIC(add_s32, "atom.add.s32", s32, -1 - static_cast<int>(i), atomicAdd(p, b), a + b)
ATOMIC(add_u64, "atom.add.u64", u64, i * 0x123456789ull, atomicAdd(p, b), a + b)
ATOMIC(sub_s32, "atom.add.s32", s32, i, atomicSub(p, b), a - b)
ATOMIC(min_s32, "atom.min.s32", s32, 40 - static_cast<int>(i * 7 % 90), atomicMin(p, b), b < a ? b : a)
ATOMIC(max_s32, "atom.max.s32", s32, static_cast<int>(i * 7 % 90) - 40, atomicMax(p, b), b > a ? b : a)
ATOMIC(min_u32, "atom.min.u32", u32, i % 3 == 0 ? 0xfffffff0u : 20 - i % 20, atomicMin(p, b), b < a ? b : a)
ATOMIC(max_u32, "atom.max.u32", u32, i % 3 == 0 ? 5u : 0xffffff00u + i, atomicMax(p, b), b > a ? b : a)
ATOMIC(min_s64, "atom.min.s64", s64, -static_cast<s64>(i * 7 % 90) * 0x100000000ll, atomicMin(p, b),
       b < a ? b : a)
ATOMIC(max_u64, "atom.max.u64", u64, (i * 7 % 90) << 60, atomicMax(p, b), b > a ? b : a)
ATOMIC(inc_u32, "atom.inc.u32", u32, 12 + i % 4, atomicInc(p, b), a >= b ? 0 : a + 1)
ATOMIC(dec_u32, "atom.dec.u32", u32, 12 + i % 4, atomicDec(p, b), a == 0 || a > b ? b : a - 1)
ATOMIC(and_b32, "atom.and.b32", u32, ~(1u << (i % 32)), atomicAnd(p, b), a& b)
ATOMIC(or_b32, "atom.or.b32", u32, 1u << (i % 32), atomicOr(p, b), a | b)
ATOMIC(xor_b32, "atom.xor.b32", u32, 1u << i / 8, atomicXor(p, b), a ^ b)
ATOMIC(and_b64, "atom.and.b64", u64, ~(1ull << (i % 64)), atomicAnd(p, b), a& b)
ATOMIC(or_b64, "atom.or.b64", u64, 1ull << (i % 64), atomicOr(p, b), a | b)
ATOMIC(xor_b64, "atom.xor.b64", u64, 0x10000000000ull << i / 8, atomicXor(p, b), a ^ b)
ATOMIC(exch_b32, "atom.exch.b32", u32, 1000 + i, atomicExch(p, b), b)
ATOMIC(exch_b64, "atom.exch.b64", u64, 1000 + i, atomicExch(p, b), b)
ATOMIC(exch_f32, "atom.exch.b32", f32, 0.5 * i + 0.25, atomicExch(p, b), b)
ATOMIC(cas_b32, "atom.cas.b32", u32, 3 * (i % 8) + 1 + i / 8 * 5 % 24, atomicCAS(p, b, T(b + 1)),
       a == b ? T(b + 1) : a)
ATOMIC(cas_b64, "atom.cas.b64", u64, 3 * (i % 8) + 1 + i / 8 * 5 % 24, atomicCAS(p, b, T(b + 1)),
       a == b ? T(b + 1) : a)
ATOMIC(cas_b16, "atom.cas.b16", u16, 3 * (i % 8) + 1 + i / 8 * 5 % 24, atomicCAS(p, b, T(b + 1)),
       a == b ? T(b + 1) : a)
ATOMIC(add_f32, "atom.add.f32", f32, 0.37f * i, atomicAdd(p, b), a + b)
ATOMIC(add_f64, "atom.add.f64", f64, 0.37 * i, atomicAdd(p, b), a + b)
ATOMIC(add_block_scope, "atom.cta.global.add.u32", u32, i + 1, atomicAdd(p, b), a + b)
ATOMIC(add_system_scope, "atom.sys.add.u32", u32, i + 1, atomicAdd_system(p, b), a + b)
ATOMIC(max_block_scope, "atom.cta.max.s32", s32, i * 3 % 50, atomicMax_block(p, b), b > a ? b : a)

// Orders, scopes and red by their own words.
__global__ void words(u32* p, u64* wide, f32* real, f64* real64, u32* out) {
  u32 old;
  asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 3;" : "=r"(old) : "l"(p));
  atomicAdd(out, old < 10000 ? 0 : 1);
  asm volatile("atom.acquire.gpu.global.add.u32 %0, [%1], 3;" : "=r"(old) : "l"(p));
  asm volatile("atom.release.sys.global.add.u32 %0, [%1], 3;" : "=r"(old) : "l"(p));
  asm volatile("atom.acq_rel.cta.global.add.u32 %0, [%1], 3;" : "=r"(old) : "l"(p));
  asm volatile("red.global.add.u32 [%0], 1;" ::"l"(p + 1));
  asm volatile("red.relaxed.gpu.global.max.s32 [%0], %1;" ::"l"(p + 2),
               "r"(static_cast<int>(threadIdx.x) - 40));
  asm volatile("red.global.or.b32 [%0], %1;" ::"l"(p + 3), "r"(1u << threadIdx.x % 32));
  asm volatile("red.global.add.u64 [%0], %1;" ::"l"(wide), "l"(0x100000000ull));
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(real), "f"(0.5f));
  asm volatile("red.global.add.f64 [%0], %1;" ::"l"(real64), "d"(0.25));
  asm volatile("red.global.min.u32 [%0], %1;" ::"l"(p + 4), "r"(100 + threadIdx.x));
  asm volatile("red.release.gpu.global.inc.u32 [%0], %1;" ::"l"(p + 5), "r"(1000));
  asm volatile("red.global.and.b32 [%0], %1;" ::"l"(p + 6), "r"(~(1u << threadIdx.x % 32)));
}
BEHAVIOUR(red_and_orders,
          "atom.relaxed.gpu.global.add.u32 atom.acquire.gpu.global.add.u32 atom.release.sys.global.add.u32 "
          "atom.acq_rel.cta.global.add.u32 red.global.add.u32 red.relaxed.gpu.global.max.s32 "
          "red.global.or.b32 red.global.add.u64 red.global.add.f32 red.global.add.f64 red.global.min.u32 "
          "red.release.gpu.global.inc.u32 red.global.and.b32") {
  Buffer<u32> p(std::vector<u32>{0, 0, 0x80000000u, 0, ~0u, 0, ~0u}), out(1, 0);
  Buffer<u64> wide(1, 0);
  Buffer<f32> real(1, 0);
  Buffer<f64> real64(1, 0);
  words<<<2, 64>>>(p, wide, real, real64, out);
  report.equal("words", p.get(), std::vector<u32>{128 * 12, 128, 23, ~0u, 100, 128, 0});
  report.equal("wide", wide.get(), std::vector<u64>{128ull << 32});
  report.equal("f32", real.get(), std::vector<f32>{64.0f});
  report.equal("f64", real64.get(), std::vector<f64>{32.0});
}
__global__ void red_shared(u32* out) {
  __shared__ u32 x[2];
  if (threadIdx.x < 2) x[threadIdx.x] = 0;
  __syncthreads();
  const auto at = static_cast<u32>(__cvta_generic_to_shared(x));
  asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(at), "r"(threadIdx.x));
  asm volatile("red.shared.max.u32 [%0+4], %1;" ::"r"(at), "r"(threadIdx.x * 3));
  __syncthreads();
  if (threadIdx.x < 2) out[threadIdx.x] = x[threadIdx.x];
}
BEHAVIOUR(red_shared, "red.shared.add.u32 red.shared.max.u32") {
  Buffer<u32> out(2);
  red_shared<<<1, 128>>>(out);
  report.equal("out", out.get(), std::vector<u32>{127 * 64, 381});
}
// Small integers added as floats are exact in any order.
__global__ void halves(__half2* h2, __half* h, __nv_bfloat162* b2, __nv_bfloat16* b) {
  atomicAdd(h2, __floats2half2_rn(1, 2));
  atomicAdd(h, __float2half(3));
  atomicAdd(b2, __floats2bfloat162_rn(1, 2));
  atomicAdd(b, __float2bfloat16(1));
}
BEHAVIOUR(atom_add_halves,
          "atom.add.noftz.f16x2 atom.add.noftz.f16 atom.add.noftz.bf16x2 atom.add.noftz.bf16") {
  Buffer<u32> h2(1, 0), h(1, 0), b2(1, 0), b(1, 0);
  halves<<<2, 32>>>(reinterpret_cast<__half2*>(static_cast<u32*>(h2)),
                    reinterpret_cast<__half*>(static_cast<u32*>(h)),
                    reinterpret_cast<__nv_bfloat162*>(static_cast<u32*>(b2)),
                    reinterpret_cast<__nv_bfloat16*>(static_cast<u32*>(b)));
  report.equal("f16x2", h2.get()[0], 0x58005400);   // 128, 64
  report.equal("f16", h.get()[0], 0x5a00);          // 192
  report.equal("bf16x2", b2.get()[0], 0x43004280);  // 128, 64
  report.equal("bf16", b.get()[0], 0x4280);         // 64
}
__global__ void halves_shared(u32* out) {
  __shared__ __half2 h2;
  __shared__ __nv_bfloat162 b2;
  if (threadIdx.x == 0) {
    h2 = __floats2half2_rn(0, 0);
    b2 = __floats2bfloat162_rn(0, 0);
  }
  __syncthreads();
  atomicAdd(&h2, __floats2half2_rn(1, 2));
  atomicAdd(&b2, __floats2bfloat162_rn(2, 1));
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = *reinterpret_cast<u32*>(&h2);
    out[1] = *reinterpret_cast<u32*>(&b2);
  }
}
BEHAVIOUR(atom_add_halves_shared, "atom.add.noftz.f16x2 atom.add.noftz.bf16x2") {
  Buffer<u32> out(2);
  halves_shared<<<1, 64>>>(out);
  report.equal("f16x2", out.get()[0], 0x58005400);
  report.equal("bf16x2", out.get()[1], 0x42804300);
}
__global__ void vector_reds(float4* v4, float2* v2) {
  atomicAdd(v4, make_float4(1, 2, 3, 4));
  atomicAdd(v2, make_float2(5, 6));
}
BEHAVIOUR(atom_add_vectors, "atom.global.v4.f32.add atom.global.v2.f32.add") {
  Buffer<f32> v4(4, 0), v2(2, 0);
  vector_reds<<<2, 32>>>(reinterpret_cast<float4*>(static_cast<f32*>(v4)),
                         reinterpret_cast<float2*>(static_cast<f32*>(v2)));
  report.equal("v4", v4.get(), std::vector<f32>{64, 128, 192, 256});
  report.equal("v2", v2.get(), std::vector<f32>{320, 384});
}
__global__ void flush_f32(f32* p) {
  atomicAdd(p, from_bits<f32>(1));
  __shared__ f32 s;
  s = from_bits<f32>(0x00000010);
  atomicAdd(&s, from_bits<f32>(1));
  p[1] = s;
}
// On global memory f32 addition flushes denormals, on shared memory it keeps them.
BEHAVIOUR(atom_add_f32_denormals, "atom.add.f32 atom.shared.add.f32") {
  Buffer<f32> p(std::vector<f32>{from_bits<f32>(0x00000010), 0});
  flush_f32<<<1, 1>>>(p);
  report.equal("global", to_bits(p.get()[0]), 0);
  report.equal("shared", to_bits(p.get()[1]), 0x11);
}
// The last block of a grid sums what the others wrote: fence, then ticket.
__global__ void last_block(const int* in, int* partial, u32* ticket, int* out) {
  __shared__ bool last;
  int sum = 0;
  for (int k = 0; k < 4; ++k) sum += in[(blockIdx.x * blockDim.x + threadIdx.x) * 4 + k];
  atomicAdd(&partial[blockIdx.x], sum);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!last || threadIdx.x != 0) return;
  int all = 0;
  for (u32 b = 0; b < gridDim.x; ++b) all += *const_cast<volatile int*>(&partial[b]);
  *out = all;
}
BEHAVIOUR(last_block_reduction, "atom.global.inc.u32 membar.gl ld.volatile.global.u32") {
  Buffer<int> in(make(4 * 64 * 12, [](size_t i) { return static_cast<int>(i % 11); })), partial(12, 0),
      out(1);
  Buffer<u32> ticket(1, 0);
  last_block<<<12, 64>>>(in, partial, ticket, out);
  int wanted = 0;
  for (int i = 0; i < 4 * 64 * 12; ++i) wanted += i % 11;
  report.equal("sum", out.get()[0], wanted);
  report.equal("ticket", ticket.get()[0], 0);
}
__global__ void lock(u32* mutex, int* count) {
  for (bool done = false; !done;) {
    if (atomicCAS(mutex, 0, 1) == 0) {
      __threadfence();
      *const_cast<volatile int*>(count) = *const_cast<volatile int*>(count) + 1;
      __threadfence();
      atomicExch(mutex, 0);
      done = true;
    }
  }
}
BEHAVIOUR(spin_lock, "atom.global.cas.b32 atom.global.exch.b32") {
  Buffer<u32> mutex(1, 0);
  Buffer<int> count(1, 0);
  lock<<<4, 40>>>(mutex, count);
  report.equal("count", count.get()[0], 160);
}

SUITE_MAIN
