#include <cuda_runtime.h>
#include <workbook/driver.h>

#include "kernels/elementwise/vector_add.h"

cudaError_t vector_add(const float* a, const float* b, float* c, int n, int block);

namespace {

// The baseline of the time bound: the five steps, nothing else.
void five_steps(const float* a, const float* b, float* c, int n) {
  const std::size_t bytes = n * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  cudaMalloc(&d_a, bytes);
  cudaMalloc(&d_b, bytes);
  cudaMalloc(&d_c, bytes);
  cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
  workbook::kernels::vector_add(d_a, d_b, d_c, n, nullptr);
  cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_c);
  cudaFree(d_b);
  cudaFree(d_a);
}

void report(workbook::Call& call, cudaError_t status) {
  call.result("status", static_cast<int>(status));
  call.result("status_name", cudaGetErrorName(status));
}

}  // namespace

// `calls` calls in a row.
WORKBOOK_DRIVER(vector_add) {
  const int n = call.value<int>("n"), block = call.value<int>("block"), calls = call.value<int>("calls");
  const float *a = call.host_in<float>("a"), *b = call.host_in<float>("b");
  float* c = call.host_out<float>("c");
  cudaError_t status = cudaSuccess;
  call.learner([&] {
    for (int i = 0; i < calls && status == cudaSuccess; ++i) status = vector_add(a, b, c, n, block);
  });
  report(call, status);
}

// A call in which something fails, and one in which nothing does.
WORKBOOK_DRIVER(failing) {
  const int n = call.value<int>("n"), block = call.value<int>("block"), nth = call.value<int>("nth");
  const std::string kind = call.text("kind");
  const float *a = call.host_in<float>("a"), *b = call.host_in<float>("b");
  float* c = call.host_out<float>("c");
  const auto fail = [&](int which) {
    if (kind == "allocation") call.fail_allocation(which);
    if (kind == "copy") call.fail_copy(which);
    if (kind == "launch") call.fail_launch(which);
  };
  fail(nth);
  cudaError_t status = cudaSuccess, again = cudaSuccess;
  call.learner([&] {
    status = vector_add(a, b, c, n, block);
    fail(0);
    again = vector_add(a, b, c, n, 256);
  });
  report(call, status);
  call.result("again", static_cast<int>(again));
  call.result("again_name", cudaGetErrorName(again));
}

WORKBOOK_DRIVER(vector_add_timed) {
  const int n = call.value<int>("n");
  const float *a = call.host_in<float>("a"), *b = call.host_in<float>("b");
  float* c = call.host_out<float>("c");
  std::vector<float> ours(n);
  cudaError_t status = cudaSuccess;
  call.measure_wall(
      "total", [&] { status = vector_add(a, b, c, n, 256); }, [&] { five_steps(a, b, ours.data(), n); });
  report(call, status);
}
