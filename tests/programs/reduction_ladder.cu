// One sum, six ways: each kernel is a step up from the one before it.
#include <cstdio>
#include <numeric>
#include <vector>

constexpr int THREADS = 256;

__global__ void interleaved(const int* in, int* out, int n) {
  __shared__ int s[THREADS];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    if (t % (2 * step) == 0) s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void interleaved_dense(const int* in, int* out, int n) {
  __shared__ int s[THREADS];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    unsigned place = 2 * step * t;
    if (place < blockDim.x) s[place] += s[place + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void sequential(const int* in, int* out, int n) {
  __shared__ int s[THREADS];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step >>= 1) {
    if (t < step) s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void first_add_on_load(const int* in, int* out, int n) {
  __shared__ int s[THREADS];
  unsigned t = threadIdx.x, i = blockIdx.x * (2 * blockDim.x) + t;
  int mine = i < n ? in[i] : 0;
  if (i + blockDim.x < n) mine += in[i + blockDim.x];
  s[t] = mine;
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step >>= 1) {
    if (t < step) s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// The last warp needs no block barrier, but it does need __syncwarp between reading and writing.
template <unsigned block>
__device__ void finish_in_warp(volatile int* s, unsigned t) {
  int v = s[t];
  if (block >= 64) {
    v += s[t + 32];
    __syncwarp();
    s[t] = v;
    __syncwarp();
  }
  if (block >= 32) {
    v += s[t + 16];
    __syncwarp();
    s[t] = v;
    __syncwarp();
  }
  if (block >= 16) {
    v += s[t + 8];
    __syncwarp();
    s[t] = v;
    __syncwarp();
  }
  if (block >= 8) {
    v += s[t + 4];
    __syncwarp();
    s[t] = v;
    __syncwarp();
  }
  if (block >= 4) {
    v += s[t + 2];
    __syncwarp();
    s[t] = v;
    __syncwarp();
  }
  if (block >= 2) {
    v += s[t + 1];
    __syncwarp();
    s[t] = v;
  }
}

template <unsigned block>
__global__ void unrolled(const int* in, int* out, int n) {
  __shared__ int s[block];
  unsigned t = threadIdx.x;
  int mine = 0;
  for (unsigned i = blockIdx.x * block * 2 + t; i < n; i += block * 2 * gridDim.x) {
    mine += in[i];
    if (i + block < n) mine += in[i + block];
  }
  s[t] = mine;
  __syncthreads();
  if (block >= 512) {
    if (t < 256) s[t] += s[t + 256];
    __syncthreads();
  }
  if (block >= 256) {
    if (t < 128) s[t] += s[t + 128];
    __syncthreads();
  }
  if (block >= 128) {
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
  }
  if (t < 32) finish_in_warp<block>(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void shuffled(const int* in, int* out, int n) {
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) mine += in[i];
  for (int offset = warpSize / 2; offset > 0; offset /= 2) mine += __shfl_down_sync(0xffffffff, mine, offset);
  __shared__ int of_warp[32];
  int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  if (lane == 0) of_warp[warp] = mine;
  __syncthreads();
  if (warp == 0) {
    mine = lane < blockDim.x / warpSize ? of_warp[lane] : 0;
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
      mine += __shfl_down_sync(0xffffffff, mine, offset);
    if (lane == 0) out[blockIdx.x] = mine;
  }
}

int main() {
  const int n = 100003;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = (i * 7 + 3) % 11 - 5;
  const int expected = std::accumulate(host.begin(), host.end(), 0);

  int *in, *partial;
  const int most_blocks = (n + THREADS - 1) / THREADS;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&partial, most_blocks * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);

  struct Step {
    const char* name;
    void (*kernel)(const int*, int*, int);
    int blocks;
  };
  const Step steps[] = {{"interleaved", interleaved, most_blocks},
                        {"interleaved, dense", interleaved_dense, most_blocks},
                        {"sequential", sequential, most_blocks},
                        {"first add on load", first_add_on_load, (most_blocks + 1) / 2},
                        {"unrolled", unrolled<THREADS>, 32},
                        {"shuffled", shuffled, 32}};
  int failures = 0;
  for (const Step& step : steps) {
    step.kernel<<<step.blocks, THREADS>>>(in, partial, n);
    std::vector<int> sums(step.blocks);
    cudaMemcpy(sums.data(), partial, step.blocks * sizeof(int), cudaMemcpyDeviceToHost);
    const int total = std::accumulate(sums.begin(), sums.end(), 0);
    std::printf("%-20s %4d blocks  sum %d  %s\n", step.name, step.blocks, total,
                total == expected ? "ok" : "WRONG");
    failures += total != expected;
  }
  cudaFree(in);
  cudaFree(partial);
  return failures;
}
