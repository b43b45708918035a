#include <cuda_runtime.h>
#include <workbook/driver.h>

#include "kernels/copy/copy.h"

cudaError_t nchw_to_nhwc(const float* d_in, float* d_out, int n, int c, int h, int w);

namespace {

void report(workbook::Call& call, cudaError_t status) {
  call.result("status", static_cast<int>(status));
  call.result("status_name", cudaGetErrorName(status));
}

}  // namespace

WORKBOOK_DRIVER(nchw_to_nhwc) {
  const float* in = call.device_in<float>("in");
  float* out = call.device_out<float>("out");
  const int n = call.value<int>("n"), c = call.value<int>("c"), h = call.value<int>("h"),
            w = call.value<int>("w");
  cudaError_t status = cudaSuccess;
  call.learner([&] { status = nchw_to_nhwc(in, out, n, c, h, w); });
  report(call, status);
}

WORKBOOK_DRIVER(nchw_to_nhwc_timed) {
  const float* in = call.device_in<float>("in");
  float *out = call.device_out<float>("out"), *copy = nullptr;
  const int n = call.value<int>("n"), c = call.value<int>("c"), h = call.value<int>("h"),
            w = call.value<int>("w");
  const std::size_t bytes = call.count("in") * sizeof(float);
  cudaMalloc(&copy, bytes);
  cudaError_t status = cudaSuccess;
  call.fresh_each_time({"in"});
  call.measure(
      call.text("bound"), [&] { status = nchw_to_nhwc(in, out, n, c, h, w); },
      [&] { workbook::kernels::copy(in, copy, bytes); });
  cudaFree(copy);
  report(call, status);
}
