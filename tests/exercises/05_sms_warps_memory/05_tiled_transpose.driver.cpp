// Calls the learner's transpose, and times it against copying as many bytes.
#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <cstddef>

#include "kernels/copy/copy.h"

void transpose(const float* d_in, float* d_out, int width, int height);

WORKBOOK_DRIVER(transposed) {
  const auto* d_in = call.device_in<float>("in");
  float* d_out = call.device_out<float>("out");
  const int width = call.value<int>("width"), height = call.value<int>("height");
  call.learner([&] { transpose(d_in, d_out, width, height); });
}

// Every run writes 256 numbers further on, so each leaves its first 256 behind: a run that did nothing leaves
// a gap. Once more afterwards, so that the counters of one run are known.
WORKBOOK_DRIVER(transposed_timed) {
  const auto* d_in = call.device_in<float>("in");
  float* d_out = call.device_out<float>("out");
  const int width = call.value<int>("width"), height = call.value<int>("height");
  const std::size_t bytes = std::size_t(width) * height * sizeof(float);
  void *from = nullptr, *to = nullptr;
  cudaMalloc(&from, bytes);
  cudaMalloc(&to, bytes);
  cudaMemset(from, 1, bytes);
  call.fresh_each_time({"in"});
  call.measure(
      "copy", [&] { transpose(d_in, d_out, width, height); },
      [&] { workbook::kernels::copy(from, to, bytes); });
  // Once more, to elsewhere, so that the counters of one run are known.
  call.learner([&] { transpose(d_in, static_cast<float*>(to), width, height); });
  cudaFree(from);
  cudaFree(to);
}
