#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <workbook/driver.h>

#include "kernels/pool/pool.h"

cudaError_t max_pool(const __half* d_x, __half* d_y, int n, int h, int w, int c);

namespace {

void report(workbook::Call& call, cudaError_t status) {
  call.result("status", static_cast<int>(status));
  call.result("status_name", cudaGetErrorName(status));
}

const __half* input(workbook::Call& call) {
  return reinterpret_cast<const __half*>(call.device_in<std::uint16_t>("x"));
}
__half* output(workbook::Call& call) {
  return reinterpret_cast<__half*>(call.device_out<std::uint16_t>("y"));
}

}  // namespace

WORKBOOK_DRIVER(max_pool) {
  const __half* x = input(call);
  __half* y = output(call);
  const int n = call.value<int>("n"), h = call.value<int>("h"), w = call.value<int>("w"),
            c = call.value<int>("c");
  cudaError_t status = cudaSuccess;
  call.learner([&] { status = max_pool(x, y, n, h, w, c); });
  report(call, status);
}

// Against NCHW: the same numbers in another order, so the baseline may take them as they lie.
WORKBOOK_DRIVER(max_pool_timed) {
  const __half* x = input(call);
  __half *y = output(call), *planes = nullptr;
  const int n = call.value<int>("n"), h = call.value<int>("h"), w = call.value<int>("w"),
            c = call.value<int>("c");
  cudaMalloc(&planes, call.count("y") * sizeof(__half));
  cudaError_t status = cudaSuccess;
  call.fresh_each_time({"x"});
  call.measure(
      "nchw", [&] { status = max_pool(x, y, n, h, w, c); },
      [&] { workbook::kernels::max_pool_nchw(x, planes, n, c, h, w); });
  cudaFree(planes);
  report(call, status);
}
