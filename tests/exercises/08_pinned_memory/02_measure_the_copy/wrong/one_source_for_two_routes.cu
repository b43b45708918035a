// wrong: the second route takes the data of the first
// verdict: wrong
// code: not_produced_again
// message: produce filled pageable memory once
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>

// Fills a buffer with new data, as a loader would.
using Produce = std::function<void(void* h, std::size_t bytes)>;

// What each route needs for one array, in microseconds, from data in the host's memory to data on the device.
struct Routes {
  double pageable_us;  // pageable memory, copied to the device from there
  double staged_us;    // pageable memory, copied to a pinned buffer of your own, and from there to the device
  double pinned_us;    // pinned memory, filled by the producer itself
};

// A copy within the host: memcpy, and the simulated device's clock sees it, which it does not see of memcpy. Given.
inline void host_copy(void* to, const void* from, std::size_t bytes) {
  cudaMemcpy(to, from, bytes, cudaMemcpyHostToHost);
}

// Now, by the host's clock. Given.
inline double host_us() {
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

double gigabytes_per_second(std::size_t bytes, double us) {
  return bytes / (us * 1e3);
}
Routes measure_routes(int mib, void* d_data, const Produce& produce) {
  const std::size_t bytes = std::size_t(mib) << 20;
  Routes r{};
  void* h = std::malloc(bytes);
  void* p = nullptr;
  cudaMallocHost(&p, bytes);
  produce(h, bytes);
  double t = host_us();
  cudaMemcpy(d_data, h, bytes, cudaMemcpyHostToDevice);
  r.pageable_us = host_us() - t;
  t = host_us();
  host_copy(p, h, bytes);
  cudaMemcpy(d_data, p, bytes, cudaMemcpyHostToDevice);
  r.staged_us = host_us() - t;
  produce(p, bytes);
  t = host_us();
  cudaMemcpy(d_data, p, bytes, cudaMemcpyHostToDevice);
  r.pinned_us = host_us() - t;
  cudaFreeHost(p);
  std::free(h);
  return r;
}
