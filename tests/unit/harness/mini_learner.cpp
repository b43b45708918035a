// The learner's part of the mini exercise, with a mistake for each value of `mistake`.
#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

// to[i] = 2 * from[i]; both are "device" memory, which is host memory on the stub.
void twice(const std::string& mistake, int n, const float* from, float* to) {
  const int end = mistake == "tail" ? n / 2 : mistake == "past_the_end" ? n + 1 : n;
  for (int i = 0; i < end; ++i) to[i] = 2 * from[i];
  if (mistake == "changes_input") const_cast<float*>(from)[3] = 7;
  if (mistake == "crash") std::raise(SIGSEGV);
  if (mistake == "exit") std::exit(0);
  if (mistake == "throw") throw std::runtime_error("no more");
  if (mistake == "api_error") cudaMemcpy(to, from, 4, static_cast<cudaMemcpyKind>(1)), cudaFree(to + 1);
  if (mistake == "print") std::puts("PASSED");
}

// The five steps, as far as the stub goes. The error it got.
int five_steps(const float* from, float* to, int n) {
  float* d = nullptr;
  if (const auto error = cudaMalloc(reinterpret_cast<void**>(&d), n * sizeof(float))) return error;
  cudaMemcpy(d, from, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(to, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  return cudaFree(d);
}

// Two batches in an epoch, each with a range around its copy.
void ranged(const float* from, float* to) {
  nvtxRangePushA("epoch");
  for (int batch = 0; batch < 2; ++batch) {
    nvtxRangePushA("batch");
    nvtxRangePushA("h2d");
    cudaMemcpy(to, from, sizeof(float), cudaMemcpyHostToDevice);
    nvtxRangePop();
    cudaDeviceSynchronize();
    nvtxRangePop();
  }
  nvtxRangePop();
  nvtxRangePushA("open");
}

extern "C" void stub_work(double us);  // work of the stub's device

void busy(double us) {
  stub_work(us);
}
