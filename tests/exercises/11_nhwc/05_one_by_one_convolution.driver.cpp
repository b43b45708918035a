#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <workbook/driver.h>

#include "kernels/matmul/matmul.h"

cudaError_t convolve_1x1(const __half* d_x, const __half* d_w, float* d_y, int pixels, int c, int k);

namespace {

struct Layer {
  const __half *x, *w;
  float* y;
  int pixels, c, k;

  explicit Layer(workbook::Call& call)
      : x(reinterpret_cast<const __half*>(call.device_in<std::uint16_t>("x"))),
        w(reinterpret_cast<const __half*>(call.device_in<std::uint16_t>("w"))),
        y(call.device_out<float>("y")),
        pixels(call.value<int>("pixels")),
        c(call.value<int>("c")),
        k(call.value<int>("k")) {}
  cudaError_t learner() const { return convolve_1x1(x, w, y, pixels, c, k); }
};

void report(workbook::Call& call, cudaError_t status) {
  call.result("status", static_cast<int>(status));
  call.result("status_name", cudaGetErrorName(status));
}

}  // namespace

WORKBOOK_DRIVER(convolve) {
  const Layer layer(call);
  cudaError_t status = cudaSuccess;
  call.learner([&] { status = layer.learner(); });
  report(call, status);
}

// Against the tiled product of floats, of the same sizes.
WORKBOOK_DRIVER(convolve_timed) {
  const Layer layer(call);
  const auto size = [](int a, int b) {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b) * sizeof(float);
  };
  float *a = nullptr, *b = nullptr, *product = nullptr;
  cudaMalloc(&a, size(layer.pixels, layer.c));
  cudaMalloc(&b, size(layer.c, layer.k));
  cudaMalloc(&product, size(layer.pixels, layer.k));
  cudaMemset(a, 0, size(layer.pixels, layer.c));
  cudaMemset(b, 0, size(layer.c, layer.k));
  cudaError_t status = cudaSuccess;
  call.fresh_each_time({"x"});
  call.measure(
      "tiled", [&] { status = layer.learner(); },
      [&] { workbook::kernels::rungs::matmul_tiled(a, b, product, layer.pixels, layer.k, layer.c); });
  cudaFree(a);
  cudaFree(b);
  cudaFree(product);
  report(call, status);
}
