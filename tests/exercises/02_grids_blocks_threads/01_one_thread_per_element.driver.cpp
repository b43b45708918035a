// Calls the learner's saxpy, and times it against a device-to-device copy that moves as many bytes.
#include <workbook/driver.h>

#include <cstddef>
#include <cstdint>

#include "kernels/copy/copy.h"

// The learner writes these.
int ceil_div(int n, int group);
std::size_t bytes_moved(int n);
void saxpy(int n, float a, const float* d_x, float* d_y);

WORKBOOK_DRIVER(saxpy) {
  const int n = call.value<int>("n");
  const float a = call.value<float>("a");
  const float* d_x = call.device_in<float>("x");
  float* d_y = call.device_inout<float>("y");
  call.learner([&] { saxpy(n, a, d_x, d_y); });
}

WORKBOOK_DRIVER(counts) {
  const int n = call.value<int>("n");
  const int group = call.value<int>("group");
  call.result("blocks", std::int64_t{ceil_div(n, group)});
  call.result("bytes", static_cast<std::int64_t>(bytes_moved(n)));
}

WORKBOOK_DRIVER(saxpy_timed) {
  const int n = call.value<int>("n");
  const float a = call.value<float>("a");
  const float* d_x = call.device_in<float>("x");
  float* d_y = call.device_inout<float>("y");

  // A copy of 6 bytes an element reads 6 and writes 6: the 12 bytes an element that saxpy moves.
  const std::size_t copied = std::size_t{6} * n;
  void *from = nullptr, *to = nullptr;
  cudaMalloc(&from, copied);
  cudaMalloc(&to, copied);
  cudaMemset(from, 1, copied);

  std::int64_t runs = 0;  // each adds a*x once more, so the judge sees whether every run did its work
  call.measure(
      "roof",
      [&] {
        ++runs;
        saxpy(n, a, d_x, d_y);
      },
      [&] { workbook::kernels::copy(from, to, copied); });
  call.result("runs", runs);
  cudaFree(from);
  cudaFree(to);
}
