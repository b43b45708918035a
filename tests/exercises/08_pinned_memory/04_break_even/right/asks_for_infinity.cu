// right: divides first, and asks whether the quotient is a number of copies
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

// Pinning a buffer, copying from it n times, and giving it back: from which n on does that take no longer than n copies
// from pageable memory? At least 1; -1 if it never pays.
long long break_even(const Costs& costs) {
  const double n = std::ceil((costs.allocate_us + costs.free_us) / (costs.pageable_us - costs.pinned_us));
  if (std::isinf(n) || std::isnan(n) || n < 0) return -1;
  return n < 1 ? 1 : static_cast<long long>(n);
}

// The four costs for `bytes` bytes, measured on this machine; d_data has room for them. The sources of the copies have
// been written to. Nothing stays locked: at any time at most one block of `bytes` bytes is.
Costs measure_costs(std::size_t bytes, void* d_data) {
  Costs costs{};
  void *pageable = std::malloc(bytes), *pinned = nullptr;
  const auto nothing = [] {};
  const auto allocate = [&] { cudaMallocHost(&pinned, bytes); };
  const auto release = [&] { cudaFreeHost(pinned); };
  const auto copy_from = [&](void* h) { cudaMemcpy(d_data, h, bytes, cudaMemcpyHostToDevice); };

  costs.allocate_us = middle_of_three(allocate, release);
  allocate();
  costs.free_us = middle_of_three(release, allocate);
  std::memset(pageable, 1, bytes);
  std::memset(pinned, 1, bytes);
  costs.pageable_us = middle_of_three([&] { copy_from(pageable); }, nothing);
  costs.pinned_us = middle_of_three([&] { copy_from(pinned); }, nothing);
  release();
  std::free(pageable);
  return costs;
}
