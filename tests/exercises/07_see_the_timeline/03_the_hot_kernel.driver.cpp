#include <cuda_runtime.h>
#include <workbook/driver.h>

#include "kernels/histogram/histogram.h"

cudaError_t equalise(const float* d_x, float* d_y, int n, int bins, int threads, unsigned* d_bin,
                     unsigned* d_counts, unsigned* d_below);

namespace {

struct Arrays {
  const float* x;
  float* y;
  int n, bins, threads;
  unsigned *bin, *counts, *below;

  explicit Arrays(workbook::Call& call)
      : x(call.device_in<float>("d_x")),
        y(call.device_out<float>("d_y")),
        n(static_cast<int>(call.count("d_x"))),
        bins(call.value<int>("bins")),
        threads(call.value<int>("threads")),
        bin(call.device_out<unsigned>("d_bin")),
        counts(call.device_out<unsigned>("d_counts")),
        below(call.device_out<unsigned>("d_below")) {}

  cudaError_t learner() const { return equalise(x, y, n, bins, threads, bin, counts, below); }
};

void report(workbook::Call& call, cudaError_t status) {
  call.result("status", static_cast<int>(status));
  call.result("status_name", cudaGetErrorName(status));
}

}  // namespace

// Twice, on the same work space: the second call finds what the first one left.
WORKBOOK_DRIVER(equalise_twice) {
  const Arrays a(call);
  cudaError_t status = cudaSuccess;
  for (int i = 0; i < 2 && status == cudaSuccess; ++i) call.learner([&] { status = a.learner(); });
  report(call, status);
}

// Against the starter's program, with work space of its own.
WORKBOOK_DRIVER(equalise_timed) {
  const Arrays a(call);
  float* y = nullptr;
  unsigned *bin = nullptr, *counts = nullptr, *below = nullptr;
  cudaMalloc(&y, a.n * sizeof(float));
  cudaMalloc(&bin, a.n * sizeof(unsigned));
  cudaMalloc(&counts, a.bins * sizeof(unsigned));
  cudaMalloc(&below, a.bins * sizeof(unsigned));
  cudaError_t status = cudaSuccess;
  call.fresh_each_time({"d_x"});
  call.measure(
      "whole", [&] { status = a.learner(); },
      [&] {
        workbook::kernels::equalise(workbook::kernels::rungs::count_global, a.x, y, a.n, a.bins, a.threads,
                                    bin, counts, below);
      });
  cudaFree(y);
  cudaFree(bin);
  cudaFree(counts);
  cudaFree(below);
  report(call, status);
}
