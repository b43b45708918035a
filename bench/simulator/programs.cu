// Three whole programs, to time the simulated device as a learner meets it: process start, copies, one
// kernel, copy back, check.
//
//   programs vector_add | matrix_multiply | transpose | nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

__global__ void vector_add(int n, const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
__global__ void matrix_multiply(int n, const float* a, const float* b, float* c) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
__global__ void transpose(int n, const float* a, float* b) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = a[(y + j) * n + x];
  __syncthreads();
  const int tx = blockIdx.y * 32 + threadIdx.x, ty = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) b[(ty + j) * n + tx] = tile[threadIdx.x][threadIdx.y + j];
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  const bool add = std::strcmp(what, "vector_add") == 0, multiply = std::strcmp(what, "matrix_multiply") == 0;
  const int n = add ? 1 << 24 : multiply ? 512 : std::strcmp(what, "transpose") == 0 ? 4096 : 0;
  if (n == 0) {
    void* p = nullptr;
    return cudaMalloc(&p, 1024) == cudaSuccess && cudaFree(p) == cudaSuccess ? 0 : 1;
  }
  const std::size_t count = add ? static_cast<std::size_t>(n) : static_cast<std::size_t>(n) * n,
                    bytes = count * sizeof(float);
  std::vector<float> in(count), out(count);
  for (std::size_t i = 0; i < count; ++i) in[i] = static_cast<float>(i % 97);
  float *a = nullptr, *b = nullptr, *c = nullptr;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMemcpy(a, in.data(), bytes, cudaMemcpyHostToDevice);
  if (add || multiply) {
    cudaMemcpy(b, in.data(), bytes, cudaMemcpyHostToDevice);
    cudaMalloc(&c, bytes);
  }
  if (add) vector_add<<<n / 256, 256>>>(n, a, b, c);
  if (multiply) matrix_multiply<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(n, a, b, c);
  if (c == nullptr) transpose<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(n, a, b);
  const cudaError_t e = cudaMemcpy(out.data(), c != nullptr ? c : b, bytes, cudaMemcpyDeviceToHost);
  if (e != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(e));
    return 1;
  }
  for (std::size_t i = 0; i < count; i += 1001) {
    double wanted = 0;
    const std::size_t y = i / n, x = i % n;
    if (add) wanted = 2.0 * in[i];
    for (int k = 0; multiply && k < n; ++k) wanted += static_cast<double>(in[y * n + k]) * in[k * n + x];
    if (c == nullptr) wanted = in[x * n + y];
    const double off = out[i] - wanted;
    if (off > 1e-4 * wanted || off < -1e-4 * wanted) {
      std::fprintf(stderr, "element %zu is %g, not %g\n", i, out[i], wanted);
      return 1;
    }
  }
  return 0;
}
