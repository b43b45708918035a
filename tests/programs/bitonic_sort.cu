// Bitonic sort: steps of short distance in shared memory, the others in global memory.
#include <algorithm>
#include <cstdio>
#include <vector>

#define SHARED_SIZE 512

__device__ inline void order(unsigned& a, unsigned& b, bool up) {
  if ((a > b) == up) {
    unsigned t = a;
    a = b;
    b = t;
  }
}

__global__ void sort_in_shared(unsigned* keys) {
  __shared__ unsigned s[SHARED_SIZE];
  const unsigned t = threadIdx.x, base = blockIdx.x * SHARED_SIZE;
  s[t] = keys[base + t];
  s[t + SHARED_SIZE / 2] = keys[base + t + SHARED_SIZE / 2];
  for (unsigned size = 2; size <= SHARED_SIZE; size <<= 1) {
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      const unsigned pos = 2 * t - (t & (stride - 1));
      order(s[pos], s[pos + stride], ((base + pos) & size) == 0);
    }
  }
  __syncthreads();
  keys[base + t] = s[t];
  keys[base + t + SHARED_SIZE / 2] = s[t + SHARED_SIZE / 2];
}

__global__ void merge_in_global(unsigned* keys, unsigned size, unsigned stride) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned pos = 2 * t - (t & (stride - 1));
  order(keys[pos], keys[pos + stride], (pos & size) == 0);
}

__global__ void merge_in_shared(unsigned* keys, unsigned size) {
  __shared__ unsigned s[SHARED_SIZE];
  const unsigned t = threadIdx.x, base = blockIdx.x * SHARED_SIZE;
  s[t] = keys[base + t];
  s[t + SHARED_SIZE / 2] = keys[base + t + SHARED_SIZE / 2];
  for (unsigned stride = SHARED_SIZE / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    const unsigned pos = 2 * t - (t & (stride - 1));
    order(s[pos], s[pos + stride], ((base + pos) & size) == 0);
  }
  __syncthreads();
  keys[base + t] = s[t];
  keys[base + t + SHARED_SIZE / 2] = s[t + SHARED_SIZE / 2];
}

int main() {
  const unsigned n = 1 << 14;
  std::vector<unsigned> keys(n);
  unsigned x = 2463534242u;
  for (auto& k : keys) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    k = x % 100000;
  }
  auto expected = keys;
  std::sort(expected.begin(), expected.end());

  unsigned* d;
  cudaMalloc(&d, n * sizeof(unsigned));
  cudaMemcpy(d, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  int launches = 1;
  sort_in_shared<<<n / SHARED_SIZE, SHARED_SIZE / 2>>>(d);
  for (unsigned size = 2 * SHARED_SIZE; size <= n; size <<= 1) {
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      ++launches;
      if (stride >= SHARED_SIZE) {
        merge_in_global<<<n / 512, 256>>>(d, size, stride);
      } else {
        merge_in_shared<<<n / SHARED_SIZE, SHARED_SIZE / 2>>>(d, size);
        break;
      }
    }
  }
  cudaMemcpy(keys.data(), d, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  cudaFree(d);
  std::printf("%d launches; smallest %u, median %u, greatest %u: %s\n", launches, keys[0], keys[n / 2],
              keys[n - 1], keys == expected ? "sorted" : "NOT SORTED");
  return keys != expected;
}
