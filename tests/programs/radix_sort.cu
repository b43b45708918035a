// Least significant digit radix sort of keys with values, four bits a pass: count, scan, scatter.
#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

constexpr int BITS = 4, DIGITS = 1 << BITS, THREADS = 128;

__global__ void count_digits(const unsigned* keys, int n, int shift, unsigned* counts) {
  __shared__ unsigned bins[DIGITS];
  if (threadIdx.x < DIGITS) bins[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n) atomicAdd(&bins[keys[i] >> shift & (DIGITS - 1)], 1u);
  __syncthreads();
  // One row a digit, so that the scan below goes through all blocks of digit 0 first.
  if (threadIdx.x < DIGITS) counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

__global__ void scan_in_place(unsigned* values, int n) {
  __shared__ unsigned s[512];
  __shared__ unsigned carry;
  if (threadIdx.x == 0) carry = 0;
  for (int base = 0; base < n; base += 512) {
    const int i = base + threadIdx.x;
    const unsigned mine = i < n ? values[i] : 0;
    s[threadIdx.x] = mine;
    __syncthreads();
    for (int d = 1; d < 512; d <<= 1) {
      unsigned v = s[threadIdx.x];
      if (threadIdx.x >= d) v += s[threadIdx.x - d];
      __syncthreads();
      s[threadIdx.x] = v;
      __syncthreads();
    }
    if (i < n) values[i] = carry + s[threadIdx.x] - mine;
    __syncthreads();
    if (threadIdx.x == 511) carry += s[511];
    __syncthreads();
  }
}

__global__ void scatter(const unsigned* keys, const int* values, unsigned* keys_out, int* values_out, int n,
                        int shift, const unsigned* starts) {
  __shared__ unsigned char digits[THREADS];
  const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
  const unsigned digit = i < n ? keys[i] >> shift & (DIGITS - 1) : 255;
  digits[t] = digit;
  __syncthreads();
  if (i >= n) return;
  int before = 0;  // equal digits to the left keep their order
  for (int k = 0; k < t; ++k) before += digits[k] == digit;
  const unsigned place = starts[digit * gridDim.x + blockIdx.x] + before;
  keys_out[place] = keys[i];
  values_out[place] = values[i];
}

int main() {
  const int n = 10000, blocks = (n + THREADS - 1) / THREADS;
  std::vector<std::pair<unsigned, int>> pairs(n);
  std::vector<unsigned> keys(n);
  std::vector<int> values(n);
  unsigned lcg = 42;
  for (int i = 0; i < n; ++i) {
    lcg = lcg * 1103515245u + 12345u;
    keys[i] = lcg >> 12 & 0xffff;
    values[i] = i;
    pairs[i] = {keys[i], i};
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](auto& a, auto& b) { return a.first < b.first; });

  unsigned *k0, *k1, *counts;
  int *v0, *v1;
  cudaMalloc(&k0, n * sizeof(unsigned));
  cudaMalloc(&k1, n * sizeof(unsigned));
  cudaMalloc(&v0, n * sizeof(int));
  cudaMalloc(&v1, n * sizeof(int));
  cudaMalloc(&counts, DIGITS * blocks * sizeof(unsigned));
  cudaMemcpy(k0, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemcpy(v0, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  for (int shift = 0; shift < 16; shift += BITS) {
    count_digits<<<blocks, THREADS>>>(k0, n, shift, counts);
    scan_in_place<<<1, 512>>>(counts, DIGITS * blocks);
    scatter<<<blocks, THREADS>>>(k0, v0, k1, v1, n, shift, counts);
    std::swap(k0, k1);
    std::swap(v0, v1);
  }
  cudaMemcpy(keys.data(), k0, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  cudaMemcpy(values.data(), v0, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += keys[i] != pairs[i].first || values[i] != pairs[i].second;
  std::printf("first (%u, %d), middle (%u, %d), last (%u, %d); %d wrong\n", keys[0], values[0], keys[n / 2],
              values[n / 2], keys[n - 1], values[n - 1], wrong);
  for (void* p : {(void*)k0, (void*)k1, (void*)v0, (void*)v1, (void*)counts}) cudaFree(p);
  return wrong != 0;
}
