// One kernel and the ways to time it: the figures of chapter 13.
//
//   ./workbook run bench/measure/one_kernel.cu                        on a GPU, or on the simulated device
//
// Microseconds, the median of 25 where there are several.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

// One block reads `count` times 16 bytes.
__global__ void read_all(const uint4* d_in, unsigned* d_out, int count) {
  unsigned sum = 0;
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    const uint4 v = d_in[i];
    sum += v.x ^ v.y ^ v.z ^ v.w;
  }
  atomicAdd(d_out, sum);
}

double host_us() {
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

double middle(const std::function<double()>& once, int times = 25) {
  std::vector<double> us(times);
  for (double& t : us) t = once();
  std::sort(us.begin(), us.end());
  return us[us.size() / 2];
}

int main() {
  constexpr int bytes = 1 << 20, runs = 50;
  int l2 = 0;
  uint4* d_in = nullptr;
  unsigned* d_out = nullptr;
  void* d_other = nullptr;
  cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0);
  cudaMalloc(&d_in, bytes);
  cudaMalloc(&d_out, sizeof(unsigned));
  cudaMalloc(&d_other, 3 * static_cast<size_t>(l2));
  cudaMemset(d_in, 1, bytes);
  cudaMemset(d_out, 0, sizeof(unsigned));
  cudaDeviceSynchronize();
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  const auto launch = [&] { read_all<<<1, 1024>>>(d_in, d_out, bytes / 16); };
  const auto between_us = [&](int n) {
    float milliseconds = 0;
    cudaEventRecord(begin);
    for (int i = 0; i < n; ++i) launch();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&milliseconds, begin, end);
    return 1000.0 * milliseconds / n;
  };
  double start = host_us();
  launch();
  cudaDeviceSynchronize();
  std::printf("the first run, until the device is idle    %8.2f\n", host_us() - start);
  for (int i = 0; i < 2000; ++i) launch();
  cudaDeviceSynchronize();
  std::printf("the host's clock, no wait                  %8.2f\n", middle([&] {
                cudaDeviceSynchronize();
                start = host_us();
                launch();
                return host_us() - start;
              }));
  std::printf("the host's clock, until the device is idle %8.2f\n", middle([&] {
                cudaDeviceSynchronize();
                start = host_us();
                launch();
                cudaDeviceSynchronize();
                return host_us() - start;
              }));
  std::printf("one run between two events                 %8.2f\n", middle([&] { return between_us(1); }));
  std::printf("%d runs between two events, each          %8.2f\n", runs,
              middle([&] { return between_us(runs); }, 5));
  std::printf("the cache emptied before each run          %8.2f\n", middle([&] {
                cudaMemsetAsync(d_other, 0, 3 * static_cast<size_t>(l2));
                return between_us(1);
              }));
  return 0;
}
