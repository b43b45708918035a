// The first program of every course: c = a + b.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    cudaError_t status = (call);                                                           \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                                             \
    }                                                                                      \
  } while (0)

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main() {
  const int n = 50000;
  const size_t bytes = n * sizeof(float);
  float* h_a = (float*)std::malloc(bytes);
  float* h_b = (float*)std::malloc(bytes);
  float* h_c = (float*)std::malloc(bytes);
  for (int i = 0; i < n; ++i) {
    h_a[i] = i * 0.5f;
    h_b[i] = n - i;
  }

  float *d_a, *d_b, *d_c;
  CHECK(cudaMalloc(&d_a, bytes));
  CHECK(cudaMalloc(&d_b, bytes));
  CHECK(cudaMalloc(&d_c, bytes));
  CHECK(cudaMemcpy(d_a, h_a, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, h_b, bytes, cudaMemcpyHostToDevice));

  const int threads = 256;
  const int blocks = (n + threads - 1) / threads;
  std::printf("launching %d blocks of %d threads\n", blocks, threads);
  add<<<blocks, threads>>>(d_a, d_b, d_c, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h_c, d_c, bytes, cudaMemcpyDeviceToHost));

  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += h_c[i] != h_a[i] + h_b[i];
  std::printf("c[0] = %.1f, c[123] = %.1f, c[%d] = %.1f\n", h_c[0], h_c[123], n - 1, h_c[n - 1]);
  std::printf("%s\n", wrong == 0 ? "PASSED" : "FAILED");

  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
  CHECK(cudaFree(d_c));
  std::free(h_a);
  std::free(h_b);
  std::free(h_c);
  return wrong != 0;
}
