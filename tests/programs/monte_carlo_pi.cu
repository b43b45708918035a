// Pi by throwing darts; each thread has its own generator.
#include <cstdio>

struct Random {  // PCG, 32 bits out of 64
  unsigned long long state, stream;
  __host__ __device__ Random(unsigned long long seed, unsigned long long sequence)
      : state(0), stream(2 * sequence + 1) {
    next();
    state += seed;
    next();
  }
  __host__ __device__ unsigned next() {
    const unsigned long long old = state;
    state = old * 6364136223846793005ull + stream;
    const unsigned x = ((old >> 18) ^ old) >> 27, turn = old >> 59;
    return x >> turn | x << (-turn & 31);
  }
};

__host__ __device__ unsigned darts(unsigned thread, unsigned count) {
  Random random(2024, thread);
  unsigned inside = 0;
  for (unsigned k = 0; k < count; ++k) {
    const unsigned long long x = random.next() >> 1, y = random.next() >> 1;
    inside += x * x + y * y < 1ull << 62;
  }
  return inside;
}

__device__ unsigned warp_sum(unsigned v) {
  for (int d = 1; d < 32; d *= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

__global__ void throw_darts(unsigned long long* inside, unsigned count) {
  unsigned mine = darts(blockIdx.x * blockDim.x + threadIdx.x, count);
  mine = warp_sum(mine);
  if (threadIdx.x % 32 == 0) atomicAdd(inside, mine);
}

int main() {
  const unsigned threads = 2048, count = 200;
  unsigned long long *d_inside, inside, expected = 0;
  cudaMalloc(&d_inside, sizeof inside);
  cudaMemset(d_inside, 0, sizeof inside);
  throw_darts<<<threads / 128, 128>>>(d_inside, count);
  cudaMemcpy(&inside, d_inside, sizeof inside, cudaMemcpyDeviceToHost);
  for (unsigned t = 0; t < threads; ++t) expected += darts(t, count);
  std::printf("%llu of %u darts inside (CPU: %llu), pi is about %.5f\n", inside, threads * count, expected,
              4.0 * inside / (threads * count));
  cudaFree(d_inside);
  return inside != expected;
}
