// Exclusive prefix sum of an array of any length: scan each block, scan the blocks' sums, add them back.
#include <cstdio>
#include <vector>

constexpr int B = 256;            // threads
constexpr int PER_BLOCK = 2 * B;  // elements

#define BANKS 32
#define PAD(i) ((i) + (i) / BANKS)

__global__ void scan_blocks(const int* in, int* out, int* sums, int n) {
  __shared__ int tree[PAD(PER_BLOCK)];
  const int t = threadIdx.x, base = blockIdx.x * PER_BLOCK;
  tree[PAD(t)] = base + t < n ? in[base + t] : 0;
  tree[PAD(t + B)] = base + t + B < n ? in[base + t + B] : 0;

  int offset = 1;
  for (int d = PER_BLOCK >> 1; d > 0; d >>= 1) {  // up
    __syncthreads();
    if (t < d) {
      const int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
      tree[PAD(right)] += tree[PAD(left)];
    }
    offset *= 2;
  }
  __syncthreads();
  if (t == 0) {
    if (sums != nullptr) sums[blockIdx.x] = tree[PAD(PER_BLOCK - 1)];
    tree[PAD(PER_BLOCK - 1)] = 0;
  }
  for (int d = 1; d < PER_BLOCK; d *= 2) {  // down
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
      const int kept = tree[PAD(left)];
      tree[PAD(left)] = tree[PAD(right)];
      tree[PAD(right)] += kept;
    }
  }
  __syncthreads();
  if (base + t < n) out[base + t] = tree[PAD(t)];
  if (base + t + B < n) out[base + t + B] = tree[PAD(t + B)];
}

__global__ void add_sums(int* out, const int* sums, int n) {
  const int base = blockIdx.x * PER_BLOCK, sum = sums[blockIdx.x];
  for (int i = threadIdx.x; i < PER_BLOCK; i += blockDim.x) {
    if (base + i < n) out[base + i] += sum;
  }
}

void exclusive_scan(const int* in, int* out, int n) {
  const int blocks = (n + PER_BLOCK - 1) / PER_BLOCK;
  if (blocks == 1) {
    scan_blocks<<<1, B>>>(in, out, nullptr, n);
    return;
  }
  int* sums;
  cudaMalloc(&sums, blocks * sizeof(int));
  scan_blocks<<<blocks, B>>>(in, out, sums, n);
  exclusive_scan(sums, sums, blocks);
  add_sums<<<blocks, B>>>(out, sums, n);
  cudaFree(sums);
}

int main() {
  int failures = 0;
  for (int n : {1, 2, 511, 512, 513, 10000, 300000}) {
    std::vector<int> in(n), expected(n), got(n);
    int sum = 0;
    for (int i = 0; i < n; ++i) {
      in[i] = (i * 31) % 17;
      expected[i] = sum;
      sum += in[i];
    }
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    exclusive_scan(d_in, d_out, n);
    cudaMemcpy(got.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("n = %6d: last = %7d %s\n", n, got[n - 1], got == expected ? "ok" : "WRONG");
    failures += got != expected;
    cudaFree(d_in);
    cudaFree(d_out);
  }
  return failures;
}
