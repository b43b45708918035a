// Half of the blocks fill slots of a ring, the other half empties them; a flag a slot says whose turn it is.
#include <cstdio>

constexpr int SLOTS = 4, ITEMS = 40, SIZE = 64, PAIRS = 4;

struct Ring {
  int data[SLOTS][SIZE];
  int full[SLOTS];
};

__global__ void pipeline(Ring* rings, long long* totals) {
  Ring& ring = rings[blockIdx.x / 2];
  const bool producer = blockIdx.x % 2 == 0;
  long long total = 0;
  for (int k = 0; k < ITEMS; ++k) {
    const int slot = k % SLOTS;
    if (threadIdx.x == 0) {
      while (atomicAdd(&ring.full[slot], 0) != (producer ? 0 : 1)) __nanosleep(50);
      __threadfence();
    }
    __syncthreads();
    if (producer)
      ring.data[slot][threadIdx.x] = (blockIdx.x + 1) * k + threadIdx.x;
    else
      total += ring.data[slot][threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicExch(&ring.full[slot], producer ? 1 : 0);
    }
  }
  if (!producer) atomicAdd((unsigned long long*)&totals[blockIdx.x / 2], (unsigned long long)total);
}

int main() {
  Ring* rings;
  long long *totals, got[PAIRS];
  cudaMalloc(&rings, PAIRS * sizeof(Ring));
  cudaMalloc(&totals, PAIRS * sizeof(long long));
  cudaMemset(rings, 0, PAIRS * sizeof(Ring));
  cudaMemset(totals, 0, PAIRS * sizeof(long long));
  pipeline<<<2 * PAIRS, SIZE>>>(rings, totals);
  cudaMemcpy(got, totals, sizeof got, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int p = 0; p < PAIRS; ++p) {
    long long expected = 0;
    for (int k = 0; k < ITEMS; ++k)
      for (int t = 0; t < SIZE; ++t) expected += (2 * p + 1) * k + t;
    std::printf("pair %d: %lld %s\n", p, got[p], got[p] == expected ? "right" : "WRONG");
    wrong += got[p] != expected;
  }
  cudaFree(rings);
  cudaFree(totals);
  return wrong;
}
