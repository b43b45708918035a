// Cooperative groups: tiles, coalesced groups, blocks, the grid; and what CUDA's headers build from
// instructions.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "suite.h"
using namespace suite;
namespace cg = cooperative_groups;

template <int size>
__global__ void tiles(int* out) {
  const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  int x = threadIdx.x;
  for (int o = tile.size() / 2; o > 0; o /= 2) x += tile.shfl_down(x, o);
  x = tile.shfl(x, 0);
  out[threadIdx.x] =
      x * 1000 + tile.thread_rank() * 10 + tile.any(threadIdx.x == 5) + 2 * tile.all(threadIdx.x < 64);
}
template <int size>
void check_tiles(Report& report) {
  Buffer<int> out(64);
  tiles<size><<<1, 64>>>(out);
  report.equal("out", out.get(), make(64, [](size_t t) {
                 const int first = static_cast<int>(t) / size * size;
                 int sum = 0;
                 for (int k = 0; k < size; ++k) sum += first + k;
                 return sum * 1000 + static_cast<int>(t % size) * 10 +
                        (first <= 5 && 5 < first + size ? 1 : 0) + 2;
               }));
}
BEHAVIOUR(tile_of_32, "shfl.sync.down.b32 shfl.sync.idx.b32 vote.sync.any.pred vote.sync.all.pred") {
  check_tiles<32>(report);
}
BEHAVIOUR(tile_of_16, "shfl.sync.down.b32") {
  check_tiles<16>(report);
}
BEHAVIOUR(tile_of_4, "shfl.sync.down.b32") {
  check_tiles<4>(report);
}
BEHAVIOUR(tile_of_1, "") {
  check_tiles<1>(report);
}
__global__ void reductions(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto eight = cg::tiled_partition<8>(cg::this_thread_block());
  const int t = threadIdx.x;
  out[t] = cg::reduce(warp, t, cg::plus<int>());
  out[64 + t] = cg::reduce(eight, t * 3 % 17, cg::greater<int>());
  out[128 + t] = static_cast<int>(cg::reduce(warp, t * 0.5f, cg::plus<float>()));
  out[192 + t] = cg::inclusive_scan(warp, t);
  out[256 + t] = cg::exclusive_scan(eight, 1, cg::plus<int>());
}
BEHAVIOUR(group_reduce_and_scan, "redux.sync.add.s32 shfl.sync.up.b32 shfl.sync.bfly.b32") {
  Buffer<int> out(320);
  reductions<<<1, 64>>>(out);
  report.equal("out", out.get(), make(320, [](size_t i) {
                 const int t = static_cast<int>(i % 64), first = t / 32 * 32;
                 switch (i / 64) {
                   case 0:
                     return first * 32 + 496;
                   case 1: {
                     int m = 0;
                     for (int k = t / 8 * 8; k < t / 8 * 8 + 8; ++k) m = std::max(m, k * 3 % 17);
                     return m;
                   }
                   case 2:
                     return (first * 32 + 496) / 2;
                   case 3:
                     return (first + t) * (t - first + 1) / 2;
                   default:
                     return t % 8;
                 }
               }));
}
__global__ void coalesced(int* out, int* counter) {
  out[threadIdx.x] = -1;
  if (threadIdx.x % 3 == 1) {
    const auto group = cg::coalesced_threads();
    int base = 0;
    if (group.thread_rank() == 0) base = atomicAdd(counter, static_cast<int>(group.size()));
    out[threadIdx.x] = group.shfl(base, 0) * 0 + group.thread_rank() * 100 + group.size();
  }
}
BEHAVIOUR(coalesced_group, "activemask.b32 shfl.sync.idx.b32 bfind.u32") {
  Buffer<int> out(32), counter(1, 0);
  coalesced<<<1, 32>>>(out, counter);
  report.equal("out", out.get(),
               make(32, [](size_t t) { return t % 3 == 1 ? static_cast<int>(t / 3 * 100 + 11) : -1; }));
  report.equal("counter", counter.get()[0], 11);
}
__global__ void partitions(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto odd = cg::binary_partition(warp, threadIdx.x % 4 == 1);
  const auto labels = cg::labeled_partition(warp, static_cast<int>(threadIdx.x % 5));
  out[threadIdx.x] = odd.size() * 1000 + labels.size() * 100 + labels.thread_rank();
}
BEHAVIOUR(partitions_by_predicate_and_label, "match.any.sync.b32 vote.sync.ballot.b32") {
  Buffer<int> out(32);
  partitions<<<1, 32>>>(out);
  report.equal("out", out.get(), make(32, [](size_t t) {
                 return (t % 4 == 1 ? 8 : 24) * 1000 + (t % 5 < 2 ? 7 : 6) * 100 + static_cast<int>(t / 5);
               }));
}
__global__ void block_group(int* out) {
  __shared__ int x[96];
  const auto block = cg::this_thread_block();
  x[block.thread_rank()] = block.thread_rank() * 2;
  block.sync();
  out[block.group_index().x * block.size() + block.thread_rank()] =
      x[block.size() - 1 - block.thread_rank()] + block.group_index().x;
}
BEHAVIOUR(block_as_group, "barrier.sync") {
  Buffer<int> out(192);
  block_group<<<2, dim3(12, 8)>>>(out);
  report.equal("out", out.get(),
               make(192, [](size_t i) { return static_cast<int>((95 - i % 96) * 2 + i / 96); }));
}
__global__ void grid_group(int* data, int* out, int rounds) {
  const auto grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank()), n = static_cast<int>(grid.size());
  for (int r = 0; r < rounds; ++r) {
    int* from = data + (r & 1) * n;
    int* to = data + ((r + 1) & 1) * n;
    to[i] = from[(i + 1) % n] + 1;
    grid.sync();
  }
  out[i] = data[(rounds & 1) * n + i];
}
BEHAVIOUR(grid_as_group, "barrier.sync atom.add.release.gpu.u32 ld.acquire.gpu.u32") {
  const int n = 6 * 64;
  int rounds = 5;
  Buffer<int> data(make(2 * n, [](size_t i) { return static_cast<int>(i * 10); })), out(n);
  int *d = data, *o = out;
  void* arguments[] = {&d, &o, &rounds};
  MUST(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid_group), 6, 64, arguments, 0, nullptr));
  report.equal("out", out.get(), make(n, [&](size_t i) { return static_cast<int>((i + 5) % n * 10 + 5); }));
}
__global__ void async_group(const int* in, int* out) {
  __shared__ alignas(16) int tile[128];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof tile);
  cg::wait(block);
  out[threadIdx.x] = tile[127 - threadIdx.x];
}
BEHAVIOUR(group_memcpy_async, "cp.async.cg.shared.global") {
  Buffer<int> in(make(128, [](size_t i) { return static_cast<int>(i * i); })), out(128);
  async_group<<<1, 128>>>(in, out);
  report.equal("out", out.get(), make(128, [](size_t i) { return static_cast<int>((127 - i) * (127 - i)); }));
}

// Half precision by the headers' names.
__global__ void half_functions(const float* x, float* out) {
  const __half a = __float2half(x[0]), b = __float2half(x[1]);
  const __half2 p = __floats2half2_rn(x[0], x[1]), q = __float2half2_rn(x[2]);
  out[0] = __half2float(a + b);
  out[1] = __half2float(a * b);
  out[2] = __half2float(__hfma(a, b, a));
  out[3] = __half2float(a / b);
  out[4] = __half2float(hsqrt(a));
  out[5] = __low2float(__hfma2(p, q, p));
  out[6] = __high2float(__hmax2(p, q));
  out[7] = __hlt(a, b);
  out[8] = __half2float(__habs(-a));
  out[9] = static_cast<float>(__half2int_rz(b));
  out[10] = __half2float(__int2half_rn(77));
  out[11] = __hbeq2(p, p);
  out[12] = __half2float(hexp2(a));
  out[13] = __half2float(__shfl_xor_sync(1u, a, 0));
  out[14] = __half2float(hrcp(b));
  out[15] = __half2float(hfloor(b));
}
BEHAVIOUR(
    half_functions,
    "add.f16 mul.f16 fma.rn.f16 fma.rn.f16x2 max.f16x2 setp.lt.f16 abs.f16 cvt.rzi.s32.f16 cvt.rn.f16.s32") {
  Buffer<float> in(std::vector<float>{1.5f, 2.5f, 3.0f}), out(16);
  half_functions<<<1, 1>>>(in, out);
  const auto got = out.get();
  const float wanted[] = {4,    3.75f, 5.25f, 0.6f, 1.2247449f, 6,    3,    1,
                          1.5f, 2,     77,    1,    2.8284271f, 1.5f, 0.4f, 2};
  for (int k = 0; k < 16; ++k)
    if (std::fabs(got[k] - wanted[k]) > 0.001 * std::fabs(wanted[k]))
      report.fail("function %d gives %g, expected %g", k, got[k], wanted[k]);
}
__global__ void bfloat_functions(const float* x, float* out) {
  const __nv_bfloat16 a = __float2bfloat16(x[0]), b = __float2bfloat16(x[1]);
  const __nv_bfloat162 p = __floats2bfloat162_rn(x[0], x[1]);
  out[0] = __bfloat162float(a + b);
  out[1] = __bfloat162float(a * b);
  out[2] = __bfloat162float(__hfma(a, b, a));
  out[3] = __high2float(__hmul2(p, p));
  out[4] = __bfloat162float(a / b);
  out[5] = __hgt(a, b);
  out[6] = __bfloat162float(hsqrt(b));
  out[7] = __bfloat162float(__hneg(a));
}
BEHAVIOUR(bfloat_functions, "add.bf16 mul.bf16 fma.rn.bf16 mul.bf16x2 setp.gt.bf16 neg.bf16") {
  Buffer<float> in(std::vector<float>{1.5f, 2.5f}), out(8);
  bfloat_functions<<<1, 1>>>(in, out);
  const auto got = out.get();
  const float wanted[] = {4, 3.75f, 5.25f, 6.25f, 0.6f, 0, 1.5811388f, -1.5f};
  for (int k = 0; k < 8; ++k)
    if (std::fabs(got[k] - wanted[k]) > 0.005 * std::fabs(wanted[k]))
      report.fail("function %d gives %g, expected %g", k, got[k], wanted[k]);
}
// Integer and SIMD-in-a-word intrinsics.
__global__ void intrinsics(u32* out, u32 a, u32 b) {
  out[0] = __byte_perm(a, b, 0x6240);
  out[1] = __funnelshift_l(a, b, 7);
  out[2] = __ffs(a) + __clz(b) * 100;
  out[3] = __umulhi(a, b);
  out[4] = __vadd4(a, b);
  out[5] = __vabsdiffu4(a, b);
  out[6] = __vmaxs2(a, b);
  out[7] = __dp4a(static_cast<int>(a), static_cast<int>(b), 5);
  out[8] = __usad(a, b, 3);
  out[9] = __rhadd(static_cast<int>(a), static_cast<int>(b));
  out[10] = __float_as_uint(__uint2float_rz(a));
  out[11] = __float2uint_rn(1e10f);
  out[12] = static_cast<u32>(__double2ll_rd(-1.5));
  out[13] = __brev(a);
  out[14] = __vcmpgtu4(a, b);
  out[15] = __fns(a, 0, 3);
}
BEHAVIOUR(integer_intrinsics,
          "vabsdiff4.u32.u32.u32 max.s16x2 prmt.b32 shf.l.wrap.b32 mul.hi.u32 dp4a.s32.s32 sad.u32") {
  const u32 a = 0x81234567, b = 0x0fedcba9;
  Buffer<u32> out(16);
  intrinsics<<<1, 1>>>(out, a, b);
  const auto bytes = [&](auto f) {
    u32 d = 0;
    for (int k = 0; k < 4; ++k) d |= (f(a >> 8 * k & 255u, b >> 8 * k & 255u) & 255u) << 8 * k;
    return d;
  };
  int dot = 5;
  for (int k = 0; k < 4; ++k) dot += static_cast<s8>(a >> 8 * k) * static_cast<s8>(b >> 8 * k);
  const u32 wanted[] = {0xed23a967u,
                        b << 7 | a >> 25,
                        1 + 4 * 100,
                        static_cast<u32>(u64{a} * b >> 32),
                        bytes([](u32 x, u32 y) { return x + y; }),
                        bytes([](u32 x, u32 y) { return x > y ? x - y : y - x; }),
                        (static_cast<s16>(a >> 16) > static_cast<s16>(b >> 16) ? a : b) >> 16 << 16 |
                            ((static_cast<s16>(a) > static_cast<s16>(b) ? a : b) & 0xffffu),
                        static_cast<u32>(dot),
                        (a > b ? a - b : b - a) + 3,
                        static_cast<u32>((s64{static_cast<s32>(a)} + static_cast<s32>(b) + 1) >> 1),
                        0x4f012345u,
                        ~0u,
                        static_cast<u32>(-2),
                        0xe6a2c481u,
                        bytes([](u32 x, u32 y) { return x > y ? 255u : 0u; }),
                        2};
  report.equal("out", out.get(), std::vector<u32>(wanted, wanted + 16));
}

SUITE_MAIN
