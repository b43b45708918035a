// right: the shortest of three, after one to warm up
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

// A copy within the host: memcpy, and the simulated device's clock sees it, which it does not see of memcpy.
// Given.
inline void host_copy(void* to, const void* from, std::size_t bytes) {
  cudaMemcpy(to, from, bytes, cudaMemcpyHostToHost);
}

// Now, by the host's clock. Given.
inline double host_us() {
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

// GB/s, the unit of data sheets: 1 GB is 10^9 bytes.
double gigabytes_per_second(std::size_t bytes, double us) {
  return bytes / us * 1e-3;
}

// The first time is not like the others; of three further ones the shortest is the least disturbed.
template <class Route>
double shortest_us(Route route) {
  route();
  double shortest = 1e300;
  for (int i = 0; i < 3; ++i) {
    const double begin = host_us();
    route();
    shortest = std::min(shortest, host_us() - begin);
  }
  return shortest;
}

// Measures the three routes for `mib` MiB (2^20 bytes each), to d_data, which has room for them. Before each
// route, produce fills the source; after it, that data is on the device. Making and giving back the buffers
// is not part of the times, nor is producing. What it makes, it gives back.
Routes measure_routes(int mib, void* d_data, const Produce& produce) {
  const std::size_t bytes = static_cast<std::size_t>(mib) << 20;
  Routes routes{};
  void *pageable = std::malloc(bytes), *pinned = nullptr;
  cudaMallocHost(&pinned, bytes);

  produce(pageable, bytes);
  routes.pageable_us = shortest_us([&] { cudaMemcpy(d_data, pageable, bytes, cudaMemcpyHostToDevice); });

  produce(pageable, bytes);
  routes.staged_us = shortest_us([&] {
    host_copy(pinned, pageable, bytes);
    cudaMemcpy(d_data, pinned, bytes, cudaMemcpyHostToDevice);
  });

  produce(pinned, bytes);
  routes.pinned_us = shortest_us([&] { cudaMemcpy(d_data, pinned, bytes, cudaMemcpyHostToDevice); });

  cudaFreeHost(pinned);
  std::free(pageable);
  return routes;
}
