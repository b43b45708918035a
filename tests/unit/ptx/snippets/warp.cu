#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void w(int* p, float* f) {
  int i = threadIdx.x;
  int v = p[i];
  v += __shfl_sync(~0u, v, 3) + __shfl_up_sync(~0u, v, 1) + __shfl_xor_sync(~0u, v, 2, 16) +
       __ballot_sync(~0u, v > 1) + __any_sync(~0u, v) + __all_sync(~0u, v > 2) + __popc(__activemask());
  v += __match_any_sync(~0u, v);
  int pr;
  v += __match_all_sync(~0u, v, &pr);
  v += pr;
  __syncwarp();
  v += __syncthreads_count(v > 3) + __syncthreads_or(v) + __syncthreads_and(v);
#if __CUDA_ARCH__ >= 800
  v += __reduce_add_sync(~0u, v);
#endif
  auto t = cg::tiled_partition<16>(cg::this_thread_block());
  v += cg::reduce(t, v, cg::plus<int>());
  f[i] = cg::reduce(t, f[i], cg::greater<float>());
  cg::coalesced_group c = cg::coalesced_threads();
  v += c.thread_rank();
  cg::this_grid().sync();
  cg::this_thread_block().sync();
  v += __ffs(v) + __clz(v) + __brev(v) + __byte_perm(v, 3, 0x4321) + __funnelshift_l(v, 3, 4) + __clzll(v) +
       __popcll(v) + __dp4a(v, v, v) + __mulhi(v, v) + __sad(v, 3, v) + __ldg(p + 4) + clock() + clock64();
  __nanosleep(100);
  unsigned sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  asm("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p bra L; L: }" ::"r"(sm));
  asm("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p bra L; L: }" ::"r"(sm));
  int lo;
  asm("lop3.b32 %0, %1, %1, %2, 0x96;" : "=r"(lo) : "r"(v), "r"(sm));
  p[i] = v + sm + lo + (int)__fadd_rz(f[i], f[i + 1]);
}
