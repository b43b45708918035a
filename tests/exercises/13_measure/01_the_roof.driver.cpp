#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "kernels/multiply_add/multiply_add.h"

struct Roof {
  double gigabytes_per_second, gigaflops;
};
struct Place {
  double least_us;
  bool memory;
  double share;
};
void copy(const void* d_from, void* d_to, std::size_t bytes);
void multiply_add(float* d_x, int n, float a, float b, int rounds);
Roof measure_roof(const void* d_from, void* d_to, std::size_t bytes, float* d_x, int n, int rounds);
Place place(double bytes, double flops, double us, const Roof& roof);

namespace {

// Warm, behind a run that covers the launch: as the given device_us does it.
double own_us(bool simulated, const std::function<void()>& work) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<double> times;
  for (int i = 0; i < (simulated ? 1 : 9); ++i) {
    work();
    work();
    cudaEventRecord(begin, nullptr);
    work();
    cudaEventRecord(end, nullptr);
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    times.push_back(1000.0 * static_cast<double>(milliseconds));
  }
  cudaEventDestroy(end);
  cudaEventDestroy(begin);
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace

WORKBOOK_DRIVER(copy) {
  const auto* from = call.device_in<unsigned char>("from");
  auto* to = call.device_out<unsigned char>("to");
  call.learner([&] { copy(from, to, call.count("from")); });
}

WORKBOOK_DRIVER(multiply_add) {
  float* x = call.device_inout<float>("x");
  const int n = static_cast<int>(call.count("x"));
  call.learner(
      [&] { multiply_add(x, n, call.value<float>("a"), call.value<float>("b"), call.value<int>("rounds")); });
}

// Several times the L2 cache to copy, and enough threads and rounds for every unit of the device.
WORKBOOK_DRIVER(roof) {
  const std::size_t bytes = std::size_t{call.simulated() ? 64u : 512u} << 20;
  const int n = 132 * 2048 * (call.simulated() ? 1 : 4), rounds = call.simulated() ? 1024 : 4096;
  void *from = nullptr, *to = nullptr, *x = nullptr;
  cudaMalloc(&from, bytes);
  cudaMalloc(&to, bytes);
  cudaMalloc(&x, sizeof(float) * n);
  const std::vector<float> ones(n, 0.75f);
  cudaMemset(from, 0x3c, bytes);
  cudaMemset(to, 0, bytes);
  cudaMemcpy(x, ones.data(), sizeof(float) * n, cudaMemcpyHostToDevice);
  float* const d_x = static_cast<float*>(x);
  const auto copies = [&] { copy(from, to, bytes); };
  const auto computes = [&] { multiply_add(d_x, n, 0.999f, 0.001f, rounds); };
  call.measure("copy", copies, [&] { cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, nullptr); });
  call.measure("multiply_add", computes,
               [&] { workbook::kernels::multiply_add(d_x, n, 0.999f, 0.001f, rounds); });
  Roof said{};
  call.learner([&] { said = measure_roof(from, to, bytes, d_x, n, rounds); });
  call.result("said.rate", said.gigabytes_per_second);
  call.result("said.flops", said.gigaflops);
  call.result("rate", 2e-3 * static_cast<double>(bytes) / own_us(call.simulated(), copies));
  call.result("flops", 2e-3 * n * rounds / own_us(call.simulated(), computes));
  for (void* p : {from, to, x}) cudaFree(p);
}

WORKBOOK_DRIVER(place) {
  Place said{};
  call.learner([&] {
    said = place(call.value<double>("bytes"), call.value<double>("flops"), call.value<double>("us"),
                 {call.value<double>("rate"), call.value<double>("gigaflops")});
  });
  call.result("least_us", said.least_us);
  call.result("memory", said.memory ? 1 : 0);
  call.result("share", said.share);
}
