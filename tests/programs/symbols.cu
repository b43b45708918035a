// Constant memory and device variables: copies to and from symbols, their addresses and sizes, counters that
// live on.
#include <cstdio>

__constant__ double coefficients[8];
__constant__ int degree;
__device__ unsigned long long evaluations = 0;
__device__ double results[64];
__device__ int lookup[5] = {10, 20, 30, 40, 50};
struct Settings {
  int mode;
  float scale;
  char name[8];
};
__constant__ Settings settings = {1, 2.5f, "start"};

__global__ void evaluate(double x0, double step) {
  const double x = x0 + threadIdx.x * step;
  double sum = 0;
  for (int k = degree; k >= 0; --k) sum = sum * x + coefficients[k];
  results[threadIdx.x] = sum * settings.mode;
  atomicAdd(&evaluations, 1ull);
}
__global__ void change_lookup() {
  if (threadIdx.x < 5) lookup[threadIdx.x] += threadIdx.x;
}

int main() {
  const double p[4] = {1, -2, 0, 0.5};  // 1 - 2x + x^3/2
  const int three = 3;
  double got[64];
  cudaMemcpyToSymbol(coefficients, p, sizeof p);
  cudaMemcpyToSymbol(degree, &three, sizeof three);
  int wrong = 0;
  for (int round = 0; round < 3; ++round) {
    Settings s;
    cudaMemcpyFromSymbol(&s, settings, sizeof s);
    evaluate<<<1, 64>>>(-2.0, 0.125);
    cudaMemcpyFromSymbol(got, results, sizeof got);
    for (int t = 0; t < 64; ++t) {
      const double x = -2.0 + t * 0.125;
      wrong += got[t] != (((0.5 * x + 0.0) * x - 2.0) * x + 1.0) * s.mode;
    }
    std::printf("round %d: mode %d, scale %.2f, '%s', results[16] = %.4f\n", round, s.mode, s.scale, s.name,
                got[16]);
    s.mode += 1;
    s.scale *= 2;
    s.name[0] = 'A' + round;
    cudaMemcpyToSymbol(settings, &s, sizeof s);
  }
  unsigned long long count;
  cudaMemcpyFromSymbol(&count, evaluations, sizeof count);
  std::printf("%llu evaluations, %d wrong\n", count, wrong);

  void* address;
  size_t size;
  cudaGetSymbolAddress(&address, lookup);
  cudaGetSymbolSize(&size, lookup);
  change_lookup<<<1, 32>>>();
  int table[5];
  cudaMemcpy(table, address, size, cudaMemcpyDeviceToHost);
  int part;
  cudaMemcpyFromSymbol(&part, lookup, sizeof part, 3 * sizeof(int));
  std::printf("lookup has %zu bytes: %d %d %d %d %d, and [3] is %d\n", size, table[0], table[1], table[2],
              table[3], table[4], part);
  return wrong;
}
