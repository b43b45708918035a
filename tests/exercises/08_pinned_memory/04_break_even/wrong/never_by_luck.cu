// wrong: casts the infinite quotient of a division by nothing, and takes what comes for "never"
// verdict: wrong
// code: cast_of_infinity
// message: as it should, and by luck
// message: on purpose
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
  const long long n = std::ceil((c.allocate_us + c.free_us) / (c.pageable_us - c.pinned_us));
  return n > 0 ? n : -1;
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
  void* h = std::malloc(bytes);
  std::memset(h, 1, bytes);
  c.pageable_us = middle_of_three([&] { cudaMemcpy(d_data, h, bytes, cudaMemcpyHostToDevice); }, [] {});
  std::free(h);
  return c;
}
