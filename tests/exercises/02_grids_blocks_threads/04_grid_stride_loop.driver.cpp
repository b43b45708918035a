// Calls the learner's saxpy_range with grids of every shape, on ranges that lie far out in a huge array, and
// times it against one thread per element.
#include <workbook/driver.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/elementwise/saxpy.h"

// The learner writes this.
void saxpy_range(int blocks, int threads, std::int64_t first, std::int64_t n, float a, const float* d_x,
                 float* d_y);

namespace {

// The address at which element 0 would lie, when element `first` lies at `at`.
template <class T>
T* array_around(T* at, std::int64_t first) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(at) -
                              static_cast<std::uint64_t>(first) * sizeof(T));
}

}  // namespace

WORKBOOK_DRIVER(saxpy_range) {
  const auto first = call.value<std::int64_t>("first");
  const auto n = call.value<std::int64_t>("n");
  const float a = call.value<float>("a");
  const float* d_x = call.device_in<float>("x");
  float* d_y = call.device_inout<float>("y");
  call.learner(
      [&] { saxpy_range(call.value<int>("blocks"), call.value<int>("threads"), first, n, a, d_x, d_y); });
}

// A huge array of which only the elements first to n - 1 are there: x and y hold these alone.
WORKBOOK_DRIVER(far_out) {
  const auto first = call.value<std::int64_t>("first");
  const auto n = call.value<std::int64_t>("n");
  const float a = call.value<float>("a");
  // On the simulated device memory that nobody touches is free: what lies before `first` may be there, never
  // written, so that a read at a wrapped index is told as what it is.
  void* before = nullptr;
  const std::int64_t reach = std::max(first, std::int64_t{1} << 32) + 4096;
  if (call.simulated()) cudaMalloc(&before, static_cast<std::size_t>(reach) * sizeof(float));
  const float* d_x = array_around(call.device_in<float>("x"), first);
  float* d_y = array_around(call.device_inout<float>("y"), first);
  call.learner(
      [&] { saxpy_range(call.value<int>("blocks"), call.value<int>("threads"), first, n, a, d_x, d_y); });
  cudaFree(before);
}

WORKBOOK_DRIVER(saxpy_timed) {
  const int n = call.value<int>("n");
  const float a = call.value<float>("a");
  const float* d_x = call.device_in<float>("x");
  float* d_y = call.device_inout<float>("y");
  void* d_other = nullptr;
  cudaMalloc(&d_other, n * sizeof(float));
  cudaMemset(d_other, 0, n * sizeof(float));
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);

  int runs = 0;  // each adds a*x once more, so the judge sees whether every run did its work
  call.measure(
      "one_each",
      [&] {
        ++runs;
        saxpy_range(8 * sms, 256, 0, n, a, d_x, d_y);
      },
      [&] { workbook::kernels::saxpy(n, a, d_x, static_cast<float*>(d_other)); });
  call.result("runs", runs);
  cudaFree(d_other);
}
