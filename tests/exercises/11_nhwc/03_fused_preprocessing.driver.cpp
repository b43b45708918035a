#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <workbook/driver.h>

#include "kernels/preprocess/preprocess.h"

struct Normalisation {
  float scale[3], bias[3];
};

cudaError_t preprocess(const unsigned char* d_in, __half* d_out, int n, int h, int w, Normalisation how,
                       float* d_floats, __half* d_halves);

namespace {

// What both versions work on: the judge's bytes and result, and work space.
struct Images {
  const unsigned char* in;
  __half* out;
  int n, h, w;
  Normalisation how;
  float* floats = nullptr;
  __half* halves = nullptr;

  explicit Images(workbook::Call& call)
      : in(call.device_in<unsigned char>("in")),
        out(reinterpret_cast<__half*>(call.device_out<std::uint16_t>("out"))),
        n(call.value<int>("n")),
        h(call.value<int>("h")),
        w(call.value<int>("w")) {
    const float *scale = call.host_in<float>("scale"), *bias = call.host_in<float>("bias");
    for (int c = 0; c < 3; ++c) how.scale[c] = scale[c], how.bias[c] = bias[c];
    cudaMalloc(&floats, call.count("in") * sizeof(float) + 1);
    cudaMalloc(&halves, call.count("in") * sizeof(__half) + 1);
  }
  ~Images() {
    cudaFree(floats);
    cudaFree(halves);
  }
  cudaError_t learner() const { return preprocess(in, out, n, h, w, how, floats, halves); }
};

void report(workbook::Call& call, cudaError_t status) {
  call.result("status", static_cast<int>(status));
  call.result("status_name", cudaGetErrorName(status));
}

}  // namespace

WORKBOOK_DRIVER(preprocess) {
  const Images images(call);
  cudaError_t status = cudaSuccess;
  call.learner([&] { status = images.learner(); });
  report(call, status);
}

// Against the starter's four kernels.
WORKBOOK_DRIVER(preprocess_timed) {
  const Images images(call);
  workbook::kernels::Normalisation how;
  for (int c = 0; c < 3; ++c) how.scale[c] = images.how.scale[c], how.bias[c] = images.how.bias[c];
  __half* out = nullptr;
  cudaMalloc(&out, call.count("out") * sizeof(__half));
  cudaError_t status = cudaSuccess;
  call.fresh_each_time({"in"});
  call.measure(
      "whole", [&] { status = images.learner(); },
      [&] {
        workbook::kernels::rungs::preprocess_eager(images.in, out, images.n, images.h, images.w, how,
                                                   images.floats, images.halves);
      });
  cudaFree(out);
  report(call, status);
}
