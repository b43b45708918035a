// Calls the learner's sum twice on the same place, and times it against a tree in shared memory.
#include <cuda_runtime.h>
#include <workbook/driver.h>

#include "kernels/reduction/reduction.h"

void sum(const float* d_x, int n, float* d_sum, int threads);

WORKBOOK_DRIVER(sum_twice) {
  const auto* d_x = call.device_in<float>("x");
  float* d_sum = call.device_out<float>("sum");
  const int n = static_cast<int>(call.count("x")), threads = call.value<int>("threads");
  for (int i = 0; i < 2; ++i) call.learner([&] { sum(d_x, n, d_sum, threads); });
}

// Every run has a place of its own for its sum, and begins a sector further on.
WORKBOOK_DRIVER(sum_timed) {
  const auto* d_x = call.device_in<float>("x");
  float* d_sums = call.device_out<float>("sums");
  const int n = call.value<int>("n"), threads = call.value<int>("threads");
  const int slots = static_cast<int>(call.count("sums"));
  float* d_theirs = nullptr;
  cudaMalloc(&d_theirs, sizeof(float));
  int runs = 0;
  const auto next = [&] {
    const int slot = runs++ % slots;
    sum(d_x + 8 * slot, n, d_sums + slot, threads);
  };
  call.measure("tree", next,
               [&] { workbook::kernels::rungs::sum_tree(d_x, d_theirs, static_cast<std::size_t>(n)); });
  call.learner(next);
  call.result("runs", runs);
  cudaFree(d_theirs);
}
