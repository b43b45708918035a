#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <workbook/driver.h>

// chapters/04_what_nvcc_builds/given/01_mixer.cpp
cudaError_t mix_sounds(const float* d_a, const float* d_b, float* d_out, int n, float t);
cudaError_t fade_pictures(const __half* d_a, const __half* d_b, __half* d_out, int n, float t);

namespace {

void report(workbook::Call& call, cudaError_t status) {
  call.result("status", static_cast<int>(status));
  call.result("status_name", cudaGetErrorName(status));
}

}  // namespace

WORKBOOK_DRIVER(floats) {
  const int n = static_cast<int>(call.count("a"));
  const float *a = call.device_in<float>("a"), *b = call.device_in<float>("b");
  float* out = call.device_out<float>("out");
  const float t = call.value<float>("t");
  cudaError_t status = cudaSuccess;
  call.learner([&] { status = mix_sounds(a, b, out, n, t); });
  report(call, status);
}

// The judge knows halves as 16 bits.
WORKBOOK_DRIVER(halves) {
  const int n = static_cast<int>(call.count("a"));
  const auto* a = reinterpret_cast<const __half*>(call.device_in<std::uint16_t>("a"));
  const auto* b = reinterpret_cast<const __half*>(call.device_in<std::uint16_t>("b"));
  auto* out = reinterpret_cast<__half*>(call.device_out<std::uint16_t>("out"));
  const float t = call.value<float>("t");
  cudaError_t status = cudaSuccess;
  call.learner([&] { status = fade_pictures(a, b, out, n, t); });
  report(call, status);
}
