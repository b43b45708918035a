// wrong: measures one size and scales it to the other
// verdict: wrong
// code: not_copied
// message: Where does your number for this size come from?
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>

// What there is to know of one size, in microseconds.
struct Costs {
  double allocate_us, free_us;     // one block of pinned memory
  double pageable_us, pinned_us;   // one copy to the device, from either memory
};

// Now, by the host's clock. Given.
inline double host_us() {
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

// What one call of `body` takes: of three, the one in the middle. Between them `undo` runs, unseen by the clock. Given.
template <class Body, class Undo>
double middle_of_three(Body body, Undo undo) {
  double times[3];
  for (double& t : times) {
    const double begin = host_us();
    body();
    t = host_us() - begin;
    undo();
  }
  std::sort(times, times + 3);
  return times[1];
}

long long break_even(const Costs& c) {
  const double gain = c.pageable_us - c.pinned_us, price = c.allocate_us + c.free_us;
  if (price <= 0) return gain >= 0 ? 1 : -1;
  if (gain <= 0) return -1;
  const double n = std::ceil(price / gain);
  return n > 9e18 ? -1 : std::max(1LL, static_cast<long long>(n));
}
Costs measure_costs(std::size_t bytes, void* d_data) {
  Costs c{};
  void* p = nullptr;
  c.allocate_us = middle_of_three([&] { cudaMallocHost(&p, bytes); }, [&] { cudaFreeHost(p); });
  cudaMallocHost(&p, bytes);
  c.free_us = middle_of_three([&] { cudaFreeHost(p); }, [&] { cudaMallocHost(&p, bytes); });
  std::memset(p, 1, bytes);
  c.pinned_us = middle_of_three([&] { cudaMemcpy(d_data, p, bytes, cudaMemcpyHostToDevice); }, [] {});
  cudaFreeHost(p);
  static Costs seen{};
  static std::size_t at = 0;
  void* h = std::malloc(bytes);
  std::memset(h, 1, bytes);
  c.pageable_us = middle_of_three([&] { cudaMemcpy(d_data, h, bytes, cudaMemcpyHostToDevice); }, [] {});
  std::free(h);
  if (at != 0) { const double k = double(bytes) / at; return {seen.allocate_us * k, seen.free_us * k, seen.pageable_us * k, seen.pinned_us * k}; }
  at = bytes; seen = c;
  return c;
}
