// Keep the elements that satisfy a test, in their order: ballots within a warp, a scan over warps, one pass
// over blocks.
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(cudaError_t e, int line) {
  if (e != cudaSuccess) {
    printf("CUDA error %s at line %d\n", cudaGetErrorName(e), line);
    exit(1);
  }
}
#define CK(x) check((x), __LINE__)

struct IsKept {
  unsigned modulus;
  __host__ __device__ bool operator()(unsigned v) const { return v % modulus == 1; }
};

template <class Predicate>
__global__ void count_kept(const unsigned* in, int n, int* counts, Predicate keep) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool mine = i < n && keep(in[i]);
  const unsigned ballot = __ballot_sync(0xffffffffu, mine);
  if ((threadIdx.x & 31) == 0) atomicAdd(&total, __popc(ballot));
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = total;
}

// One block turns counts into starts. There are few enough of them.
__global__ void scan_counts(int* counts, int blocks, int* total) {
  extern __shared__ int s[];
  int running = 0;
  for (int base = 0; base < blocks; base += blockDim.x) {
    const int i = base + threadIdx.x;
    s[threadIdx.x] = i < blocks ? counts[i] : 0;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {  // Hillis and Steele
      int add = threadIdx.x >= d ? s[threadIdx.x - d] : 0;
      __syncthreads();
      s[threadIdx.x] += add;
      __syncthreads();
    }
    if (i < blocks) counts[i] = running + (threadIdx.x > 0 ? s[threadIdx.x - 1] : 0);
    running += s[blockDim.x - 1];
    __syncthreads();
  }
  if (threadIdx.x == 0) *total = running;
}

template <class Predicate>
__global__ void write_kept(const unsigned* in, int n, const int* starts, unsigned* out, Predicate keep) {
  __shared__ int warp_starts[33];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  const bool mine = i < n && keep(in[i]);
  const unsigned ballot = __ballot_sync(0xffffffffu, mine);
  if (lane == 0) warp_starts[warp + 1] = __popc(ballot);
  __syncthreads();
  if (threadIdx.x == 0) {
    warp_starts[0] = starts[blockIdx.x];
    for (int w = 1; w <= warps; ++w) warp_starts[w] += warp_starts[w - 1];
  }
  __syncthreads();
  if (mine) out[warp_starts[warp] + __popc(ballot & ((1u << lane) - 1))] = in[i];
}

int main() {
  const int n = 70001, threads = 128, blocks = (n + threads - 1) / threads;
  const IsKept keep{7};
  std::vector<unsigned> in(n), expected;
  unsigned state = 12345;
  for (auto& v : in) {
    state = state * 1664525u + 1013904223u;
    v = state >> 8;
    if (keep(v)) expected.push_back(v);
  }
  unsigned *d_in, *d_out;
  int *d_counts, *d_total;
  CK(cudaMalloc(&d_in, n * sizeof *d_in));
  CK(cudaMalloc(&d_out, n * sizeof *d_out));
  CK(cudaMalloc(&d_counts, blocks * sizeof *d_counts));
  CK(cudaMalloc(&d_total, sizeof *d_total));
  CK(cudaMemcpy(d_in, in.data(), n * sizeof *d_in, cudaMemcpyHostToDevice));

  count_kept<<<blocks, threads>>>(d_in, n, d_counts, keep);
  scan_counts<<<1, 256, 256 * sizeof(int)>>>(d_counts, blocks, d_total);
  write_kept<<<blocks, threads>>>(d_in, n, d_counts, d_out, keep);
  CK(cudaPeekAtLastError());

  int total = 0;
  CK(cudaMemcpy(&total, d_total, sizeof total, cudaMemcpyDeviceToHost));
  std::vector<unsigned> out(total);
  CK(cudaMemcpy(out.data(), d_out, total * sizeof(unsigned), cudaMemcpyDeviceToHost));
  printf("%d of %d kept (%zu expected), first %u, last %u\n", total, n, expected.size(), out.front(),
         out.back());
  printf(out == expected ? "same order as on the CPU\n" : "MISMATCH\n");
  CK(cudaFree(d_in));
  CK(cudaFree(d_out));
  CK(cudaFree(d_counts));
  CK(cudaFree(d_total));
  return out != expected;
}
