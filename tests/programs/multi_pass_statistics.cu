// Mean, variance, least, greatest and median of many numbers in double: several kernels, results that stay on
// the device.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <vector>

struct Statistics {
  double sum, squares, least, greatest;
};

__device__ Statistics join(const Statistics& a, const Statistics& b) {
  return {a.sum + b.sum, a.squares + b.squares, fmin(a.least, b.least), fmax(a.greatest, b.greatest)};
}

__global__ void per_block(const double* x, int n, Statistics* out) {
  __shared__ Statistics s[128];
  Statistics mine{0, 0, DBL_MAX, -DBL_MAX};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine = join(mine, {x[i], x[i] * x[i], x[i], x[i]});
  s[threadIdx.x] = mine;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (threadIdx.x < d) s[threadIdx.x] = join(s[threadIdx.x], s[threadIdx.x + d]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

__global__ void of_all(const Statistics* in, int count, Statistics* out) {
  if (threadIdx.x != 0) return;
  Statistics all = in[0];
  for (int k = 1; k < count; ++k) all = join(all, in[k]);
  *out = all;
}

// The median by bisection of the range: how many numbers lie at or below the middle?
__global__ void count_below(const double* x, int n, double limit, unsigned* count) {
  unsigned mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i] <= limit;
  atomicAdd(count, mine);
}

int main() {
  const int n = 20001, blocks = 24;
  std::vector<double> x(n);
  for (int i = 0; i < n; ++i) x[i] = ((i * 7919LL) % n) * 0.25 - 1000.0;
  double* d_x;
  Statistics *d_partial, *d_all, all;
  unsigned *d_count, count;
  cudaMalloc(&d_x, n * sizeof(double));
  cudaMalloc(&d_partial, blocks * sizeof(Statistics));
  cudaMalloc(&d_all, sizeof(Statistics));
  cudaMalloc(&d_count, sizeof(unsigned));
  cudaMemcpy(d_x, x.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  per_block<<<blocks, 128>>>(d_x, n, d_partial);
  of_all<<<1, 32>>>(d_partial, blocks, d_all);
  cudaMemcpy(&all, d_all, sizeof all, cudaMemcpyDeviceToHost);
  double low = all.least, high = all.greatest;
  int rounds = 0;
  while (high - low > 1e-6) {
    const double middle = 0.5 * (low + high);
    cudaMemset(d_count, 0, sizeof(unsigned));
    count_below<<<blocks, 128>>>(d_x, n, middle, d_count);
    cudaMemcpy(&count, d_count, sizeof count, cudaMemcpyDeviceToHost);
    (count > n / 2 ? high : low) = middle;
    ++rounds;
  }
  std::sort(x.begin(), x.end());
  double mean = 0, variance = 0;
  for (double v : x) mean += v / n;
  for (double v : x) variance += (v - mean) * (v - mean) / n;
  const double got_mean = all.sum / n, got_variance = all.squares / n - got_mean * got_mean;
  std::printf("mean %.4f, deviation %.3f, from %.2f to %.2f\n", got_mean, std::sqrt(got_variance), all.least,
              all.greatest);
  std::printf("median %.4f after %d rounds\n", high, rounds);
  const bool good = std::fabs(got_mean - mean) < 1e-6 && std::fabs(got_variance / variance - 1) < 1e-6 &&
                    std::fabs(high - x[n / 2]) < 1e-4;
  std::printf(good ? "the CPU agrees\n" : "the CPU does NOT agree\n");
  cudaFree(d_x);
  cudaFree(d_partial);
  cudaFree(d_all);
  cudaFree(d_count);
  return good ? 0 : 1;
}
