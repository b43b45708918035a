#include <cuda_runtime.h>
#include <workbook/driver.h>

#include "kernels/copy/copy.h"

struct Shape {
  int n, c, h, w;
};
struct Strides {
  long long n, c, h, w;
};
enum class Layout { neither, nchw, nhwc, both };

Strides nchw(Shape s);
Strides nhwc(Shape s);
long long offset(Strides t, int n, int c, int h, int w);
Layout layout_of(Shape s, Strides t);
cudaError_t bias_relu(const float* d_x, const float* d_bias, float* d_y, Shape s, Strides t);

namespace {

// The judge's: four numbers each.
Shape shape(workbook::Call& call) {
  const int* s = call.host_in<int>("shape");
  return {s[0], s[1], s[2], s[3]};
}
Strides strides(workbook::Call& call) {
  const auto* t = call.host_in<std::int64_t>("strides");
  return {t[0], t[1], t[2], t[3]};
}

void report(workbook::Call& call, cudaError_t status) {
  call.result("status", static_cast<int>(status));
  call.result("status_name", cudaGetErrorName(status));
}

void give(std::int64_t* out, Strides t) {
  out[0] = t.n, out[1] = t.c, out[2] = t.h, out[3] = t.w;
}

}  // namespace

WORKBOOK_DRIVER(strides_of) {
  const Shape s = shape(call);
  auto *planes = call.host_out<std::int64_t>("nchw"), *pixels = call.host_out<std::int64_t>("nhwc");
  call.learner([&] { give(planes, nchw(s)), give(pixels, nhwc(s)); });
}

WORKBOOK_DRIVER(offset_of) {
  const Strides t = strides(call);
  const int* at = call.host_in<int>("at");
  std::int64_t result = 0;
  call.learner([&] { result = offset(t, at[0], at[1], at[2], at[3]); });
  call.result("offset", result);
}

WORKBOOK_DRIVER(name_of) {
  const Shape s = shape(call);
  const Strides t = strides(call);
  Layout layout = Layout::neither;
  call.learner([&] { layout = layout_of(s, t); });
  call.result("layout", static_cast<int>(layout));
}

WORKBOOK_DRIVER(bias_relu) {
  const Shape s = shape(call);
  const Strides t = strides(call);
  const float *x = call.device_in<float>("x"), *bias = call.device_in<float>("bias");
  float* y = call.device_inout<float>("y");
  cudaError_t status = cudaSuccess;
  call.learner([&] { status = bias_relu(x, bias, y, s, t); });
  report(call, status);
}

WORKBOOK_DRIVER(bias_relu_timed) {
  const Shape s = shape(call);
  const Strides t = strides(call);
  const float *x = call.device_in<float>("x"), *bias = call.device_in<float>("bias");
  float *y = call.device_inout<float>("y"), *copy = nullptr;
  const std::size_t bytes = call.count("x") * sizeof(float);
  cudaMalloc(&copy, bytes);
  cudaError_t status = cudaSuccess;
  call.fresh_each_time({"x"});
  call.measure(
      call.text("bound"), [&] { status = bias_relu(x, bias, y, s, t); },
      [&] { workbook::kernels::copy(x, copy, bytes); });
  cudaFree(copy);
  report(call, status);
}
