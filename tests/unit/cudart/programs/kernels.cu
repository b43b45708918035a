// Kernels that are right: results, launches of every kind, symbols, occupancy, printf, times.
#include <vector>

#include "program.h"

__constant__ float factor;
__device__ int counter[4];

__global__ void add(int n, const float* a, const float* b, float* c) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) c[i] = factor * (a[i] + b[i]);
}
__global__ void count() {
  atomicAdd(&counter[1], 1);
}
__global__ void reverse(float* x) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
__global__ void __launch_bounds__(128) bounded(float* x) {
  x[threadIdx.x] = 1;
}
__global__ void say(int x) {
  printf("thread %d says %d\n", static_cast<int>(threadIdx.x), x);
}

namespace {

void five_steps() {
  const int n = 1000;
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = 0.5f;
  }
  float *d_a, *d_b, *d_c;
  const std::size_t bytes = n * sizeof(float);
  CHECK_OK(cudaMalloc(&d_a, bytes));
  CHECK_OK(cudaMalloc(&d_b, bytes));
  CHECK_OK(cudaMalloc(&d_c, bytes));
  CHECK_OK(cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK_OK(cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice));
  const float two = 2;
  CHECK_OK(cudaMemcpyToSymbol(factor, &two, sizeof two));
  CHECK(cudaMemcpyToSymbol(factor, &two, 5) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  add<<<4, 256>>>(n, d_a, d_b, d_c);
  CHECK_OK(cudaGetLastError());
  CHECK_OK(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += c[i] != 2 * (static_cast<float>(i) + 0.5f);
  CHECK(wrong == 0);
  int size = n;
  void* arguments[] = {&size, &d_a, &d_b, &d_c};
  CHECK_OK(cudaLaunchKernel(reinterpret_cast<const void*>(add), dim3(4), dim3(256), arguments, 0, nullptr));
  CHECK_OK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(add), dim3(4), dim3(256), arguments, 0,
                                       nullptr));
  CHECK(cudaLaunchKernel(&size, dim3(1), dim3(1), arguments, 0, nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaLaunchKernel(nullptr, dim3(1), dim3(1), arguments, 0, nullptr) == cudaErrorInvalidDeviceFunction);
  cudaGetLastError();
  CHECK_OK(cudaDeviceSynchronize());
  for (float* d : {d_a, d_b, d_c}) CHECK_OK(cudaFree(d));
}

void symbols_and_shared() {
  count<<<3, 32>>>();
  int seen[4] = {};
  int zeros[4] = {};
  CHECK_OK(cudaMemcpyFromSymbol(seen, counter, sizeof seen));
  CHECK(seen[0] == 0 && seen[1] == 96);
  CHECK_OK(cudaMemcpyToSymbol(counter, zeros, sizeof zeros));
  float x[64], *d_x;
  for (int i = 0; i < 64; ++i) x[i] = static_cast<float>(i);
  CHECK_OK(cudaMalloc(&d_x, sizeof x));
  CHECK_OK(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
  reverse<<<1, 64, sizeof x>>>(d_x);
  CHECK_OK(cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost));
  CHECK(x[0] == 63 && x[63] == 0);
}

cudaError_t launched(dim3 grid, dim3 block, std::size_t shared = 0) {
  float* d_x = nullptr;
  reverse<<<grid, block, shared>>>(d_x);
  return cudaGetLastError();
}

void refused_launches() {  // the codes of an H200 with CUDA 13.0
  CHECK(launched(1, 2048) == cudaErrorInvalidValue);
  CHECK(launched(0, 32) == cudaErrorInvalidValue);
  CHECK(launched(1, 0) == cudaErrorInvalidValue);
  CHECK(launched(dim3(1, 65536), 32) == cudaErrorInvalidValue);
  CHECK(launched(1, dim3(1, 1, 65)) == cudaErrorInvalidValue);
  CHECK(launched(1, 32, 49153) == cudaErrorInvalidValue);
  bounded<<<1, 256>>>(nullptr);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK_OK(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  CHECK(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449) ==
        cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK_OK(cudaDeviceSynchronize());
}

void questions() {
  cudaFuncAttributes attributes{};
  CHECK_OK(cudaFuncGetAttributes(&attributes, bounded));
  CHECK(attributes.maxThreadsPerBlock == 128 && attributes.numRegs > 0);
  int blocks = 0, grid = 0, block = 0;
  CHECK_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0));
  CHECK(blocks == 8);
  CHECK_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 1025, 0));
  CHECK(blocks == 0);
  CHECK_OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add, 0, 0));
  CHECK(block == 1024 && grid == 2 * 132);
}

void times() {
  float* d_x;
  CHECK_OK(cudaMalloc(&d_x, 128 * sizeof(float)));
  bounded<<<1, 128>>>(d_x);
  CHECK_OK(cudaDeviceSynchronize());
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  const double t0 = now_us();
  bounded<<<1, 128>>>(d_x);
  const double t1 = now_us();
  cudaDeviceSynchronize();
  const double t2 = now_us();
  CHECK(t1 - t0 > 2 && t1 - t0 < 6 && t2 - t0 < 15);
  cudaEventRecord(begin);
  bounded<<<1, 128>>>(d_x);
  cudaEventRecord(end);
  CHECK_OK(cudaEventSynchronize(end));
  float ms = 0;
  CHECK_OK(cudaEventElapsedTime(&ms, begin, end));
  CHECK(ms > 0.003f && ms < 0.008f);
}

}  // namespace

int main() {
  now_us();
  five_steps();
  symbols_and_shared();
  refused_launches();
  questions();
  times();
  say<<<1, 2>>>(7);
  std::printf("before\n");
  cudaDeviceSynchronize();
  std::printf("after\n");
  return failures;
}
