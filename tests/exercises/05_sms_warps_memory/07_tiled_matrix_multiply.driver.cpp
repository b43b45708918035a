// Calls the learner's matmul, and times it against one without tiles.
#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <algorithm>
#include <cstddef>

#include "kernels/matmul/matmul.h"

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int k);

namespace {

struct Arrays {
  const float *a, *b;
  float* c;
  int m, n, k;

  explicit Arrays(workbook::Call& call)
      : a(call.device_in<float>("a")),
        b(call.device_in<float>("b")),
        c(call.device_out<float>("c")),
        m(call.value<int>("m")),
        n(call.value<int>("n")),
        k(call.value<int>("k")) {}
};

}  // namespace

WORKBOOK_DRIVER(product) {
  const Arrays x(call);
  call.learner([&] { matmul(x.a, x.b, x.c, x.m, x.n, x.k); });
}

// Every run writes 64 numbers further on, so each leaves its first 64 behind: a run that did nothing leaves a
// gap. Once more afterwards, so that the counters of one run are known.
WORKBOOK_DRIVER(product_timed) {
  const Arrays x(call);
  const int slots = call.value<int>("slots");
  float* theirs = nullptr;
  cudaMalloc(&theirs, std::size_t(x.m) * x.n * sizeof(float));
  int runs = 0;
  const auto next = [&] {
    const std::size_t slot = std::size_t(std::min(runs, slots - 1));
    matmul(x.a + 96 * slot, x.b, x.c + 64 * slot, x.m, x.n, x.k);
    ++runs;
  };
  call.measure("naive", next,
               [&] { workbook::kernels::rungs::matmul_naive(x.a, x.b, theirs, x.m, x.n, x.k); });
  call.learner(next);
  call.result("runs", runs);
  cudaFree(theirs);
}
