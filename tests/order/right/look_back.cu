// A prefix sum in one pass: each block publishes its sum, looks back over the blocks before it until it meets
// one whose prefix is known, and publishes its own prefix. Blocks are numbered by ticket, so those before
// have all begun.
#include <cstdio>
#include <vector>

constexpr int B = 128;
constexpr unsigned long long NOTHING = 0, SUM = 1ull << 62, PREFIX = 2ull << 62, STATE = 3ull << 62;

__global__ void scan(const int* in, int* out, int n, unsigned* ticket, unsigned long long* published) {
  __shared__ unsigned block;
  __shared__ int s[B], before;
  const int t = threadIdx.x;
  if (t == 0) block = atomicAdd(ticket, 1u);
  __syncthreads();
  const int i = block * B + t;
  const int mine = i < n ? in[i] : 0;
  s[t] = mine;
  __syncthreads();
  for (int d = 1; d < B; d *= 2) {
    const int add = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += add;
    __syncthreads();
  }
  if (t == 0) {
    const unsigned sum = s[B - 1];
    int prefix = 0;
    if (block > 0) {
      atomicExch(&published[block], SUM | sum);
      for (int look = block - 1;;) {
        const unsigned long long seen = atomicAdd(&published[look], 0ull);
        if ((seen & STATE) == NOTHING) continue;
        prefix += static_cast<int>(seen & 0xffffffffu);
        if ((seen & STATE) == PREFIX) break;
        --look;
      }
    }
    atomicExch(&published[block], PREFIX | static_cast<unsigned>(prefix + static_cast<int>(sum)));
    before = prefix;
  }
  __syncthreads();
  if (i < n) out[i] = before + s[t] - mine;
}

int main() {
  const int n = 40000, blocks = (n + B - 1) / B;
  std::vector<int> in(n), expected(n), got(n);
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    in[i] = (i * 13) % 29;
    expected[i] = sum;
    sum += in[i];
  }
  int *d_in, *d_out;
  unsigned* d_ticket;
  unsigned long long* d_published;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMalloc(&d_ticket, sizeof(unsigned));
  cudaMalloc(&d_published, blocks * sizeof(unsigned long long));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_ticket, 0, sizeof(unsigned));
  cudaMemset(d_published, 0, blocks * sizeof(unsigned long long));
  scan<<<blocks, B>>>(d_in, d_out, n, d_ticket, d_published);
  cudaMemcpy(got.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d blocks; out[%d] = %d; %s\n", blocks, n - 1, got[n - 1],
              got == expected ? "right" : "WRONG");
  cudaFree(d_in);
  cudaFree(d_out);
  cudaFree(d_ticket);
  cudaFree(d_published);
  return got != expected;
}
