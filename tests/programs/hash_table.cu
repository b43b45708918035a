// Counting words in a hash table with open addressing: compare and swap claims a slot.
#include <cstdio>
#include <map>
#include <vector>

typedef unsigned long long u64;
constexpr u64 EMPTY = ~0ull;
constexpr unsigned CAPACITY = 4096;

struct Slot {
  u64 key;
  unsigned count;
};

__device__ unsigned hash(u64 k) {
  k ^= k >> 33;
  k *= 0xff51afd7ed558ccdull;
  k ^= k >> 33;
  k *= 0xc4ceb9fe1a85ec53ull;
  k ^= k >> 33;
  return static_cast<unsigned>(k) & (CAPACITY - 1);
}

__global__ void insert(Slot* table, const u64* keys, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const u64 key = keys[i];
  for (unsigned slot = hash(key);; slot = (slot + 1) & (CAPACITY - 1)) {
    const u64 found = atomicCAS(&table[slot].key, EMPTY, key);
    if (found == EMPTY || found == key) {
      atomicAdd(&table[slot].count, 1u);
      return;
    }
  }
}

__global__ void look_up(const Slot* table, const u64* keys, unsigned* counts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned slot = hash(keys[i]);
  while (table[slot].key != keys[i] && table[slot].key != EMPTY) slot = (slot + 1) & (CAPACITY - 1);
  counts[i] = table[slot].key == EMPTY ? 0 : table[slot].count;
}

int main() {
  const int n = 20000, questions = 3000;
  std::vector<u64> keys(n), asked(questions);
  std::map<u64, unsigned> expected;
  u64 x = 88172645463325252ull;
  for (auto& k : keys) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    k = x % 2500 * 1000003;
    ++expected[k];
  }
  for (int i = 0; i < questions; ++i) asked[i] = i * 1000003ull;
  Slot* table;
  u64 *d_keys, *d_asked;
  unsigned* d_counts;
  cudaMalloc(&table, CAPACITY * sizeof(Slot));
  cudaMalloc(&d_keys, n * sizeof(u64));
  cudaMalloc(&d_asked, questions * sizeof(u64));
  cudaMalloc(&d_counts, questions * sizeof(unsigned));
  std::vector<Slot> empty(CAPACITY, Slot{EMPTY, 0});
  cudaMemcpy(table, empty.data(), CAPACITY * sizeof(Slot), cudaMemcpyHostToDevice);
  cudaMemcpy(d_keys, keys.data(), n * sizeof(u64), cudaMemcpyHostToDevice);
  cudaMemcpy(d_asked, asked.data(), questions * sizeof(u64), cudaMemcpyHostToDevice);
  insert<<<(n + 255) / 256, 256>>>(table, d_keys, n);
  look_up<<<(questions + 255) / 256, 256>>>(table, d_asked, d_counts, questions);
  std::vector<unsigned> counts(questions);
  cudaMemcpy(counts.data(), d_counts, questions * sizeof(unsigned), cudaMemcpyDeviceToHost);
  int wrong = 0;
  long long total = 0;
  for (int i = 0; i < questions; ++i) {
    const auto at = expected.find(asked[i]);
    wrong += counts[i] != (at == expected.end() ? 0 : at->second);
    total += counts[i];
  }
  std::printf("%zu distinct keys, %lld of %d found again, %d wrong\n", expected.size(), total, n, wrong);
  cudaFree(table);
  cudaFree(d_keys);
  cudaFree(d_asked);
  cudaFree(d_counts);
  return wrong != 0 || total != n;
}
