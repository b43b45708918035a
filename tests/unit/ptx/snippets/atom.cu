#include <cuda/atomic>
__global__ void at(int* p, unsigned long long* q, float* f, double* d, unsigned* u, int i) {
  __shared__ int s;
  s = 0;
  __syncthreads();
  atomicAdd(&s, 1);
  atomicAdd(p, i);
  atomicSub(p, i);
  atomicExch(f, 1.f);
  atomicMin(p, i);
  atomicMax(u, 7u);
  atomicInc(u, 8u);
  atomicDec(u, 3u);
  atomicAnd(p, i);
  atomicOr(p, i);
  atomicXor(p, i);
  q[1] = atomicCAS(q, 1ull, 2ull);
  atomicAdd(d, 2.0);
  atomicAdd(f, 1.f);
  p[1] = atomicCAS_block(p, 1, 2);
  atomicAdd_system(p, 1);
  cuda::atomic_ref<int, cuda::thread_scope_device> r(*p);
  r.fetch_add(1, cuda::memory_order_acq_rel);
  r.store(4, cuda::memory_order_release);
  p[2] = r.load(cuda::memory_order_acquire);
  __threadfence();
  __threadfence_block();
  __threadfence_system();
  unsigned short us = 1;
  atomicCAS((unsigned short*)p, us, us);
  p[3] = s;
}
