// The look-back with value and flag apart: the value is written, then a fence, then the volatile flag.
#include <cstdio>
#include <vector>

constexpr int B = 128;

struct Shared {
  volatile int flag[512];
  volatile int sum[512];
  volatile int prefix[512];
  unsigned ticket;
};

__global__ void scan(const int* in, int* out, int n, Shared* board) {
  __shared__ unsigned block;
  __shared__ int s[B], before;
  const int t = threadIdx.x;
  if (t == 0) block = atomicAdd(&board->ticket, 1u);
  __syncthreads();
  const int i = block * B + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < B; d *= 2) {
    const int add = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += add;
    __syncthreads();
  }
  if (t == 0) {
    board->sum[block] = s[B - 1];
    __threadfence();
    board->flag[block] = 1;
    int prefix = 0;
    for (int look = static_cast<int>(block) - 1; look >= 0; --look) {
      int flag;
      while ((flag = board->flag[look]) == 0) {
      }
      __threadfence();
      if (flag == 2) {
        prefix += board->prefix[look];
        break;
      }
      prefix += board->sum[look];
    }
    board->prefix[block] = prefix + s[B - 1];
    __threadfence();
    board->flag[block] = 2;
    before = prefix;
  }
  __syncthreads();
  if (i < n) out[i] = before + s[t];
}

int main() {
  const int n = 30000, blocks = (n + B - 1) / B;
  std::vector<int> in(n), expected(n), got(n);
  int sum = 0;
  for (int i = 0; i < n; ++i) expected[i] = sum += in[i] = i % 9;
  int *d_in, *d_out;
  Shared* d_board;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMalloc(&d_board, sizeof(Shared));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_board, 0, sizeof(Shared));
  scan<<<blocks, B>>>(d_in, d_out, n, d_board);
  cudaMemcpy(got.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("last: %d; %s\n", got[n - 1], got == expected ? "right" : "WRONG");
  cudaFree(d_in);
  cudaFree(d_out);
  cudaFree(d_board);
  return got != expected;
}
