// Blocks take their work by ticket: the order in which they come decides, and each part is done once.
#include <cstdio>
#include <vector>

__global__ void work(const int* in, long long* sums, unsigned* next, int parts, int per_part) {
  __shared__ unsigned part;
  __shared__ long long sum;
  for (;;) {
    if (threadIdx.x == 0) {
      part = atomicAdd(next, 1u);
      sum = 0;
    }
    __syncthreads();
    if (part >= parts) return;
    long long mine = 0;
    for (int i = threadIdx.x; i < per_part; i += blockDim.x) mine += in[part * per_part + i];
    atomicAdd((unsigned long long*)&sum, (unsigned long long)mine);
    __syncthreads();
    if (threadIdx.x == 0) sums[part] = sum;
    __syncthreads();  // part and sum are written anew above
  }
}

int main() {
  const int parts = 100, per_part = 300;
  std::vector<int> in(parts * per_part);
  std::vector<long long> expected(parts, 0), got(parts);
  for (int i = 0; i < parts * per_part; ++i) {
    in[i] = i % 1000 - 300;
    expected[i / per_part] += in[i];
  }
  int* d_in;
  long long* d_sums;
  unsigned* d_next;
  cudaMalloc(&d_in, in.size() * sizeof(int));
  cudaMalloc(&d_sums, parts * sizeof(long long));
  cudaMalloc(&d_next, sizeof(unsigned));
  cudaMemcpy(d_in, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_next, 0, sizeof(unsigned));
  work<<<12, 64>>>(d_in, d_sums, d_next, parts, per_part);
  cudaMemcpy(got.data(), d_sums, parts * sizeof(long long), cudaMemcpyDeviceToHost);
  unsigned tickets;
  cudaMemcpy(&tickets, d_next, sizeof tickets, cudaMemcpyDeviceToHost);
  std::printf("%u tickets, part 3: %lld, all %s\n", tickets, got[3], got == expected ? "right" : "WRONG");
  cudaFree(d_in);
  cudaFree(d_sums);
  cudaFree(d_next);
  return got != expected;
}
