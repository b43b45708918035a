// What the lanes of a warp do together. (compute_80, for redux.)
#include "suite.h"
using namespace suite;

// A kernel of 64 threads writes one u32 a thread for each of `count` questions.
#define ASK(NAME, ROWS, COUNT, DEVICE, HOST)                                                           \
  __global__ void ask_##NAME(u32* out) {                                                               \
    const u32 lane = threadIdx.x & 31;                                                                 \
    (void)lane;                                                                                        \
    u32 r[COUNT];                                                                                      \
    DEVICE                                                                                             \
    for (int k = 0; k < COUNT; ++k) out[threadIdx.x * COUNT + k] = r[k];                               \
  }                                                                                                    \
  BEHAVIOUR(NAME, ROWS) {                                                                              \
    Buffer<u32> out(64 * COUNT);                                                                       \
    ask_##NAME<<<1, 64>>>(out);                                                                        \
    const auto got = out.get();                                                                        \
    for (u32 t = 0; t < 64; ++t) {                                                                     \
      const u32 lane = t & 31;                                                                         \
      (void)lane;                                                                                      \
      const std::vector<u32> wanted = HOST;                                                            \
      for (u32 k = 0; k < COUNT; ++k)                                                                  \
        if (got[t * COUNT + k] != wanted[k])                                                           \
          report.fail("thread %u, question %u: %x, expected %x", t, k, got[t * COUNT + k], wanted[k]); \
    }                                                                                                  \
  }
inline std::vector<u32> words_list(std::initializer_list<s64> values) {
  std::vector<u32> v;
  for (const s64 x : values) v.push_back(static_cast<u32>(x));
  return v;
}
#define LIST(...) words_list({__VA_ARGS__})

ASK(
    shfl_up, "shfl.sync.up.b32", 3,
    {
      const u32 x = threadIdx.x * 10;
      r[0] = __shfl_up_sync(~0u, x, 1);
      r[1] = __shfl_up_sync(~0u, x, 5);
      r[2] = __shfl_up_sync(~0u, x, 3, 8);
    },
    LIST((lane >= 1 ? t - 1 : t) * 10, (lane >= 5 ? t - 5 : t) * 10, (lane % 8 >= 3 ? t - 3 : t) * 10))
ASK(
    shfl_down, "shfl.sync.down.b32", 3,
    {
      const u32 x = threadIdx.x * 10;
      r[0] = __shfl_down_sync(~0u, x, 1);
      r[1] = __shfl_down_sync(~0u, x, 16);
      r[2] = __shfl_down_sync(~0u, x, 2, 4);
    },
    LIST((lane < 31 ? t + 1 : t) * 10, (lane < 16 ? t + 16 : t) * 10, (lane % 4 < 2 ? t + 2 : t) * 10))
ASK(
    shfl_xor, "shfl.sync.bfly.b32", 3,
    {
      const u32 x = threadIdx.x * 10;
      r[0] = __shfl_xor_sync(~0u, x, 1);
      r[1] = __shfl_xor_sync(~0u, x, 31);
      r[2] = __shfl_xor_sync(~0u, x, 4, 4);
    },
    LIST((t ^ 1) * 10, (t ^ 31) * 10, ((lane ^ 4) < (lane & ~3u) + 4 ? t ^ 4 : t) * 10))
ASK(
    shfl_idx, "shfl.sync.idx.b32", 4,
    {
      const u32 x = threadIdx.x * 10;
      r[0] = __shfl_sync(~0u, x, 7);
      r[1] = __shfl_sync(~0u, x, lane + 3);
      r[2] = __shfl_sync(~0u, x, 1, 8);
      r[3] = __shfl_sync(~0u, x, 33);
    },
    LIST(((t & ~31u) + 7) * 10, ((t & ~31u) + (lane + 3) % 32) * 10, ((t & ~7u) + 1) * 10,
         ((t & ~31u) + 1) * 10))
ASK(
    shfl_in_range, "shfl.sync.up.b32 shfl.sync.down.b32 shfl.sync.bfly.b32 shfl.sync.idx.b32", 4,
    {
      const u32 x = threadIdx.x;
      u32 y = 0;
      asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, 4, 0, -1; selp.u32 %1, 1, 0, p; }"
                   : "=r"(y), "=r"(r[0])
                   : "r"(x));
      asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, 4, 31, -1; selp.u32 %1, 1, 0, p; }"
                   : "=r"(y), "=r"(r[1])
                   : "r"(x));
      asm volatile("{ .reg .pred p; shfl.sync.bfly.b32 %0|p, %2, 16, 0x180f, -1; selp.u32 %1, 1, 0, p; }"
                   : "=r"(y), "=r"(r[2])
                   : "r"(x));
      asm volatile("{ .reg .pred p; shfl.sync.idx.b32 %0|p, %2, 9, 7, -1; selp.u32 %1, 1, 0, p; }"
                   : "=r"(y), "=r"(r[3])
                   : "r"(x));
      (void)y;
    },
    LIST(lane >= 4, lane + 4 <= 31, (lane ^ 16) <= ((lane & 0x18) | (0xf & ~0x18u)), 0))
ASK(
    shfl_part_of_a_warp, "shfl.sync.idx.b32", 1,
    {
      r[0] = 0;
      if (lane >= 8) r[0] = __shfl_sync(0xffffff00u, threadIdx.x, 8 + lane % 3);
    },
    LIST(lane >= 8 ? (t & ~31u) + 8 + lane % 3 : 0))
ASK(
    shfl_64_bits, "shfl.sync.idx.b32 mov.b64", 2,
    {
      const u64 y = __shfl_sync(~0u, threadIdx.x * 0x100000003ull, (lane * 5) % 32);
      r[0] = static_cast<u32>(y);
      r[1] = static_cast<u32>(y >> 32);
    },
    LIST(((t & 32) + lane * 5 % 32) * 3, (t & 32) + lane * 5 % 32))
ASK(
    shfl_reduction, "shfl.sync.down.b32 add.f32", 1,
    {
      float x = threadIdx.x * 0.5f;
      for (int o = 16; o > 0; o /= 2) x += __shfl_down_sync(~0u, x, o);
      x = __shfl_sync(~0u, x, 0);
      r[0] = __float_as_uint(x);
    },
    LIST(static_cast<u32>(to_bits(t < 32 ? 248.0f : 760.0f))))

ASK(
    vote_all, "vote.sync.all.pred", 2,
    {
      r[0] = __all_sync(~0u, threadIdx.x < 40);
      r[1] = __all_sync(~0u, threadIdx.x < 32);
    },
    LIST(t < 32, t < 32))
ASK(
    vote_any, "vote.sync.any.pred", 2,
    {
      r[0] = __any_sync(~0u, threadIdx.x == 37);
      r[1] = __any_sync(~0u, false);
    },
    LIST(t >= 32, 0))
ASK(
    vote_uni, "vote.sync.uni.pred", 3,
    {
      r[0] = __uni_sync(~0u, threadIdx.x < 40);
      r[1] = __uni_sync(~0u, threadIdx.x > 31);
      r[2] = __uni_sync(~0u, lane == 3);
    },
    LIST(t < 32, 1, 0))
ASK(
    vote_ballot, "vote.sync.ballot.b32", 3,
    {
      r[0] = __ballot_sync(~0u, lane % 3 == 0);
      r[1] = __ballot_sync(~0u, threadIdx.x >= 32);
      r[2] = 0;
      if (lane < 16) r[2] = __ballot_sync(0xffffu, lane & 1);
    },
    LIST(0x49249249u, t >= 32 ? ~0u : 0, lane < 16 ? 0xaaaau : 0))
ASK(
    vote_negated, "vote.sync.any.pred vote.sync.ballot.b32", 2,
    {
      asm volatile(
          "{ .reg .pred p; .reg .pred q; setp.lt.u32 p, %1, 31; vote.sync.any.pred q, !p, -1; selp.u32 %0, "
          "1, 0, q; }"
          : "=r"(r[0])
          : "r"(lane));
      asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 31; vote.sync.ballot.b32 %0, !p, -1; }"
                   : "=r"(r[1])
                   : "r"(lane));
    },
    LIST(1, 0x80000000u))
inline u32 same_bits(u32 lane, u32 (*f)(u32)) {
  u32 bits = 0;
  for (u32 k = 0; k < 32; ++k) bits |= static_cast<u32>(f(k) == f(lane)) << k;
  return bits;
}
ASK(
    match_any_32, "match.any.sync.b32", 1, { r[0] = __match_any_sync(~0u, lane / 3); },
    LIST(same_bits(lane, [](u32 k) { return k / 3; })))
ASK(
    match_any_64, "match.any.sync.b64", 1,
    { r[0] = __match_any_sync(~0u, static_cast<u64>(lane % 5) << 40); },
    LIST(same_bits(lane, [](u32 k) { return k % 5; })))
ASK(
    match_all, "match.all.sync.b32 match.all.sync.b64", 4,
    {
      int p;
      r[0] = __match_all_sync(~0u, 7, &p);
      r[1] = p;
      r[2] = __match_all_sync(~0u, static_cast<u64>(threadIdx.x / 33), &p);
      r[3] = p;
    },
    LIST(~0u, 1, t < 32 ? ~0u : 0, t < 32))
ASK(
    match_part, "match.any.sync.b32", 1,
    {
      r[0] = 0;
      if (lane & 1) r[0] = __match_any_sync(0xaaaaaaaau, lane / 8);
    },
    LIST(lane & 1 ? 0xaau << (lane / 8 * 8) : 0))
ASK(
    redux_unsigned, "redux.sync.add.u32 redux.sync.min.u32 redux.sync.max.u32", 3,
    {
      r[0] = __reduce_add_sync(~0u, threadIdx.x);
      r[1] = __reduce_min_sync(~0u, (lane * 7 + 3) % 32 + 5);
      r[2] = __reduce_max_sync(~0u, lane == 9 ? 0xfffffff0u : lane);
    },
    LIST(t < 32 ? 496u : 1520u, 5, 0xfffffff0u))
ASK(
    redux_signed, "redux.sync.add.s32 redux.sync.min.s32 redux.sync.max.s32", 3,
    {
      const int x = static_cast<int>(lane) - 20;
      r[0] = __reduce_add_sync(~0u, x);
      r[1] = __reduce_min_sync(~0u, x);
      r[2] = __reduce_max_sync(~0u, x);
    },
    LIST(static_cast<u32>(-144), static_cast<u32>(-20), 11))
ASK(
    redux_bits, "redux.sync.and.b32 redux.sync.or.b32 redux.sync.xor.b32", 3,
    {
      r[0] = __reduce_and_sync(~0u, 0xff00u | lane);
      r[1] = __reduce_or_sync(~0u, 1u << (lane / 2));
      r[2] = __reduce_xor_sync(~0u, 1u << (lane % 5));
    },
    LIST(0xff00u, 0xffffu, 0x3u ^ 0x0u))
ASK(
    redux_part, "redux.sync.add.u32", 1,
    {
      r[0] = 0;
      if (lane < 10) r[0] = __reduce_add_sync(0x3ffu, lane + 1);
    },
    LIST(lane < 10 ? 55 : 0))
ASK(
    active_mask, "activemask.b32", 2,
    {
      r[0] = __activemask();
      r[1] = 0;
      if (lane < 4) r[1] = __activemask();
    },
    LIST(~0u, lane < 4 ? 15u : 0))
ASK(
    lane_masks, "mov.u32", 6,
    {
      r[0] = lane;
      asm volatile("mov.u32 %0, %%lanemask_eq;" : "=r"(r[1]));
      asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(r[2]));
      asm volatile("mov.u32 %0, %%lanemask_le;" : "=r"(r[3]));
      asm volatile("mov.u32 %0, %%lanemask_gt;" : "=r"(r[4]));
      asm volatile("mov.u32 %0, %%lanemask_ge;" : "=r"(r[5]));
    },
    LIST(lane, 1u << lane, (1u << lane) - 1, (1u << lane) | ((1u << lane) - 1),
         ~((1u << lane) | ((1u << lane) - 1)), ~((1u << lane) - 1)))
ASK(
    syncwarp, "bar.warp.sync", 1,
    {
      __shared__ u32 x[64];
      x[threadIdx.x] = threadIdx.x * 3;
      __syncwarp();
      r[0] = x[threadIdx.x ^ 5];
    },
    LIST((t ^ 5) * 3))
ASK(
    syncwarp_halves, "bar.warp.sync", 1,
    {
      __shared__ u32 x[64];
      x[threadIdx.x] = 0;
      __syncwarp();
      if (lane < 16) {
        x[threadIdx.x] = threadIdx.x + 1;
        __syncwarp(0xffffu);
        r[0] = x[threadIdx.x ^ 1];
      } else {
        x[threadIdx.x] = threadIdx.x + 100;
        __syncwarp(0xffff0000u);
        r[0] = x[threadIdx.x ^ 2];
      }
    },
    LIST(lane < 16 ? (t ^ 1) + 1 : (t ^ 2) + 100))
ASK(
    collective_after_loop, "shfl.sync.idx.b32", 1,
    {
      u32 x = 0;
      for (u32 k = 0; k < lane; ++k) x += k;  // every lane leaves at its own time
      r[0] = __shfl_sync(~0u, x, 31 - lane);
    },
    LIST((31 - lane) * (30 - lane) / 2))
ASK(
    two_branches_one_ballot, "vote.sync.ballot.b32", 1,
    {
      // Two places in the code, one set of lanes each.
      if (lane & 1)
        r[0] = __ballot_sync(0xaaaaaaaau, lane > 15);
      else
        r[0] = __ballot_sync(0x55555555u, lane < 8);
    },
    LIST(lane & 1 ? 0xaaaa0000u : 0x55u))
__global__ void partial_warp(u32* out) {
  out[threadIdx.x] = __ballot_sync(__activemask(), true) * 100 + __popc(__activemask());
}
BEHAVIOUR(last_warp_is_short, "activemask.b32 vote.sync.ballot.b32") {
  Buffer<u32> out(37);
  partial_warp<<<1, 37>>>(out);
  report.equal("out", out.get(),
               make(37, [](size_t t) { return t < 32 ? ~0u * 100u + 32u : 31u * 100u + 5u; }));
}
__global__ void elected(u32* out) {
#if __CUDA_ARCH__ >= 900
  u32 who, is;
  asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p; }" : "=r"(who), "=r"(is));
  const u32 count = __popc(__ballot_sync(~0u, is != 0));
  const u32 leader = __shfl_sync(~0u, is, who);
  out[threadIdx.x] = count == 1 && leader == 1 && __all_sync(~0u, who == __shfl_sync(~0u, who, 0));
#else
  out[threadIdx.x] = 1;
#endif
}
BEHAVIOUR(elect_one, "elect.sync") {
  Buffer<u32> out(64);
  elected<<<1, 64>>>(out);
  report.equal("one leader", out.get(), std::vector<u32>(64, 1));
}

SUITE_MAIN
