// Heat in a plate: Jacobi's method until the greatest change is small, which the host asks every 50 rounds.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

__global__ void jacobi(const double* t, double* next, int n, unsigned long long* greatest) {
  __shared__ double change[256];
  int c = blockIdx.x * blockDim.x + threadIdx.x + 1, r = blockIdx.y * blockDim.y + threadIdx.y + 1;
  int lane = threadIdx.y * blockDim.x + threadIdx.x;
  change[lane] = 0;
  if (c < n - 1 && r < n - 1) {
    double v = 0.25 * (t[(r - 1) * n + c] + t[(r + 1) * n + c] + t[r * n + c - 1] + t[r * n + c + 1]);
    change[lane] = fabs(v - t[r * n + c]);
    next[r * n + c] = v;
  }
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (lane < d) change[lane] = fmax(change[lane], change[lane + d]);
    __syncthreads();
  }
  // Doubles that are not negative are in the order of their bits.
  if (lane == 0) atomicMax(greatest, (unsigned long long)__double_as_longlong(change[0]));
}

int main() {
  const int n = 40;
  const double tolerance = 1e-3;
  std::vector<double> plate(n * n, 0.0), cpu;
  for (int c = 0; c < n; ++c) plate[c] = 100.0;
  cpu = plate;
  double *a, *b;
  unsigned long long *d_greatest, bits;
  cudaMalloc(&a, n * n * sizeof(double));
  cudaMalloc(&b, n * n * sizeof(double));
  cudaMalloc(&d_greatest, sizeof bits);
  cudaMemcpy(a, plate.data(), n * n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(b, a, n * n * sizeof(double), cudaMemcpyDeviceToDevice);
  dim3 block(16, 16), grid((n + 13) / 16, (n + 13) / 16);
  int rounds = 0;
  double change;
  do {
    for (int k = 0; k < 50; ++k, ++rounds) {
      cudaMemsetAsync(d_greatest, 0, sizeof bits);
      jacobi<<<grid, block>>>(a, b, n, d_greatest);
      std::swap(a, b);
    }
    cudaMemcpy(&bits, d_greatest, sizeof bits, cudaMemcpyDeviceToHost);
    std::memcpy(&change, &bits, sizeof change);
    std::printf("%4d rounds: greatest change %.6f\n", rounds, change);
  } while (change > 20 * tolerance);
  cudaMemcpy(plate.data(), a, n * n * sizeof(double), cudaMemcpyDeviceToHost);
  auto other = cpu;
  for (int k = 0; k < rounds; ++k) {
    for (int r = 1; r < n - 1; ++r)
      for (int c = 1; c < n - 1; ++c)
        other[r * n + c] =
            0.25 * (cpu[(r - 1) * n + c] + cpu[(r + 1) * n + c] + cpu[r * n + c - 1] + cpu[r * n + c + 1]);
    cpu.swap(other);
  }
  double worst = 0;
  for (int i = 0; i < n * n; ++i) worst = std::fmax(worst, std::fabs(cpu[i] - plate[i]));
  std::printf("in the middle %.4f; %s\n", plate[n / 2 * n + n / 2],
              worst < 1e-9 ? "the CPU agrees" : "WRONG");
  cudaFree(a);
  cudaFree(b);
  cudaFree(d_greatest);
  return worst >= 1e-9;
}
