// Calls the learner's transpose, and times it against copying as many bytes.
#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <algorithm>
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
  const int width = call.value<int>("width"), height = call.value<int>("height"),
            slots = call.value<int>("slots");
  const std::size_t bytes = std::size_t(width) * height * sizeof(float);
  void *from = nullptr, *to = nullptr;
  cudaMalloc(&from, bytes);
  cudaMalloc(&to, bytes);
  cudaMemset(from, 1, bytes);
  int runs = 0;
  const auto next = [&] {
    const std::size_t slot = std::size_t(std::min(runs, slots - 1));
    transpose(d_in + 512 * slot, d_out + 256 * slot, width, height);
    ++runs;
  };
  call.measure("copy", next, [&] { workbook::kernels::copy(from, to, bytes); });
  call.learner(next);
  call.result("runs", runs);
  cudaFree(from);
  cudaFree(to);
}
