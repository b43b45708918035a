#include <cuda_runtime.h>
#include <workbook/driver.h>

#include "kernels/copy/copy.h"

cudaError_t prepare_device(const float* d_x, float* d_y, int n, float mean, float scale, float limit);
cudaError_t prepare(const float* x, float* y, int n, float mean, float scale, float limit);

namespace {

struct Settings {
  float mean, scale, limit;
};

Settings settings(workbook::Call& call) {
  return {call.value<float>("mean"), call.value<float>("scale"), call.value<float>("limit")};
}

// The baseline of the whole: three kernels, each with a way there and back, as in the starter.
void three_round_trips(const float* x, float* y, int n) {
  const std::size_t bytes = n * sizeof(float);
  for (int k = 0; k < 3; ++k) {
    float *d_x = nullptr, *d_y = nullptr;
    cudaMalloc(&d_x, bytes);
    cudaMalloc(&d_y, bytes);
    cudaMemcpy(d_x, k == 0 ? x : y, bytes, cudaMemcpyHostToDevice);
    workbook::kernels::rungs::copy_elements(d_x, d_y, n, sizeof(float), nullptr);
    cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_y);
    cudaFree(d_x);
  }
}

void report(workbook::Call& call, cudaError_t status) {
  call.result("status", static_cast<int>(status));
  call.result("status_name", cudaGetErrorName(status));
}

void report_again(workbook::Call& call, cudaError_t again) {
  call.result("again", static_cast<int>(again));
  call.result("again_name", cudaGetErrorName(again));
}

}  // namespace

WORKBOOK_DRIVER(prepare) {
  const auto [mean, scale, limit] = settings(call);
  const int n = static_cast<int>(call.count("x"));
  const float* x = call.host_in<float>("x");
  float* y = call.host_out<float>("y");
  cudaError_t status = cudaSuccess;
  call.learner([&, m = mean, s = scale, l = limit] { status = prepare(x, y, n, m, s, l); });
  report(call, status);
}

WORKBOOK_DRIVER(prepare_device) {
  const auto [mean, scale, limit] = settings(call);
  const int n = static_cast<int>(call.count("d_x"));
  const float* d_x = call.device_in<float>("d_x");
  float* d_y = call.device_out<float>("d_y");
  cudaError_t status = cudaSuccess;
  call.learner([&, m = mean, s = scale, l = limit] { status = prepare_device(d_x, d_y, n, m, s, l); });
  report(call, status);
}

// Twice, and the first launch of all is refused.
WORKBOOK_DRIVER(prepare_refused) {
  const auto [mean, scale, limit] = settings(call);
  const int n = static_cast<int>(call.count("x"));
  const float* x = call.host_in<float>("x");
  float* y = call.host_out<float>("y");
  call.fail_launch(1);
  cudaError_t status = cudaSuccess, again = cudaSuccess;
  call.learner([&, m = mean, s = scale, l = limit] {
    status = prepare(x, y, n, m, s, l);
    call.fail_launch(0);
    again = prepare(x, y, n, m, s, l);
  });
  report(call, status);
  report_again(call, again);
}

WORKBOOK_DRIVER(prepare_device_refused) {
  const auto [mean, scale, limit] = settings(call);
  const int n = static_cast<int>(call.count("d_x"));
  const float* d_x = call.device_in<float>("d_x");
  float* d_y = call.device_out<float>("d_y");
  call.fail_launch(1);
  cudaError_t status = cudaSuccess, again = cudaSuccess;
  call.learner([&, m = mean, s = scale, l = limit] {
    status = prepare_device(d_x, d_y, n, m, s, l);
    call.fail_launch(0);
    again = prepare_device(d_x, d_y, n, m, s, l);
  });
  report(call, status);
  report_again(call, again);
}

WORKBOOK_DRIVER(prepare_timed) {
  const auto [mean, scale, limit] = settings(call);
  const int n = static_cast<int>(call.count("x"));
  const float* x = call.host_in<float>("x");
  float* y = call.host_out<float>("y");
  std::vector<float> ours(n);
  cudaError_t status = cudaSuccess;
  call.fresh_each_time({"x"});
  call.measure_wall(
      "whole", [&, m = mean, s = scale, l = limit] { status = prepare(x, y, n, m, s, l); },
      [&] { three_round_trips(x, ours.data(), n); });
  report(call, status);
}

// One pass: each float read once and written once, four bytes at a time.
WORKBOOK_DRIVER(prepare_device_timed) {
  const auto [mean, scale, limit] = settings(call);
  const int n = static_cast<int>(call.count("d_x"));
  const float* d_x = call.device_in<float>("d_x");
  float* d_y = call.device_out<float>("d_y");
  float* copy = nullptr;
  cudaMalloc(&copy, n * sizeof(float));
  cudaError_t status = cudaSuccess;
  call.fresh_each_time({"d_x"});
  call.measure(
      "fused", [&, m = mean, s = scale, l = limit] { status = prepare_device(d_x, d_y, n, m, s, l); },
      [&] { workbook::kernels::rungs::copy_elements(d_x, copy, n, sizeof(float), nullptr); });
  cudaFree(copy);
  report(call, status);
}
