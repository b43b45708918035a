// The sieve of Eratosthenes with a bit a number: small primes first, then one kernel crosses out their
// multiples.
#include <cstdio>
#include <vector>

__global__ void small_primes(const int* primes, int count, unsigned* bits, int limit) {
  // A block a prime; its threads go through the multiples.
  for (int k = blockIdx.x; k < count; k += gridDim.x) {
    const int p = primes[k];
    for (long long m = (long long)p * p + (long long)threadIdx.x * p; m < limit;
         m += (long long)blockDim.x * p)
      atomicOr(&bits[m / 32], 1u << (m % 32));
  }
}

__global__ void count_primes(const unsigned* bits, int words, int* total) {
  int mine = 0;
  for (int w = blockIdx.x * blockDim.x + threadIdx.x; w < words; w += gridDim.x * blockDim.x)
    mine += __popc(~bits[w]);
  for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(0xffffffffu, mine, d);
  if (threadIdx.x % 32 == 0) atomicAdd(total, mine);
}

int main() {
  const int limit = 1 << 17, words = limit / 32;
  std::vector<int> primes;
  for (int p = 2; p * p < limit; ++p) {
    bool prime = true;
    for (int q : primes) prime = prime && p % q != 0;
    if (prime) primes.push_back(p);
  }
  int *d_primes, *d_total, total;
  unsigned* d_bits;
  cudaMalloc(&d_primes, primes.size() * sizeof(int));
  cudaMalloc(&d_bits, words * sizeof(unsigned));
  cudaMalloc(&d_total, sizeof(int));
  cudaMemcpy(d_primes, primes.data(), primes.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_bits, 0, words * sizeof(unsigned));
  cudaMemset(d_total, 0, sizeof(int));
  small_primes<<<24, 128>>>(d_primes, primes.size(), d_bits, limit);
  count_primes<<<16, 128>>>(d_bits, words, d_total);
  cudaMemcpy(&total, d_total, sizeof total, cudaMemcpyDeviceToHost);
  total -= 2;  // 0 and 1
  std::printf("%d primes below %d\n", total, limit);
  std::vector<unsigned> bits(words);
  cudaMemcpy(bits.data(), d_bits, words * sizeof(unsigned), cudaMemcpyDeviceToHost);
  std::printf("the last five:");
  int shown = 0;
  for (int v = limit - 1; shown < 5; --v)
    if (!(bits[v / 32] >> (v % 32) & 1u)) std::printf(" %d", v), ++shown;
  std::printf("\n");
  cudaFree(d_primes);
  cudaFree(d_bits);
  cudaFree(d_total);
  return total != 12251;
}
