#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <chrono>
#include <vector>

cudaError_t run_batch(const float* d_x, float* d_y, int n);
cudaError_t preload(const std::vector<const void*>& kernels, const std::vector<const void*>& variables);
cudaError_t preload_batch();
const void* running_sums_symbol();
cudaError_t running_sums_address(float** d_sums);

namespace {

template <class F>
double time_us(F body) {
  using namespace std::chrono;
  const auto begin = steady_clock::now();
  body();
  cudaDeviceSynchronize();
  return duration<double, std::micro>(steady_clock::now() - begin).count();
}

}  // namespace

// With the context, preloads or does not, then runs two batches.
WORKBOOK_DRIVER(batches) {
  const float* x = call.device_in<float>("x");
  float* y = call.device_out<float>("y");
  const int n = static_cast<int>(call.count("x"));
  cudaError_t loaded = cudaSuccess, first = cudaSuccess, second = cudaSuccess;
  double preload_us = 0, first_us = 0, second_us = 0;
  cudaDeviceSynchronize();
  if (call.value<int>("preload") != 0)
    call.learner("preload", [&] { preload_us = time_us([&] { loaded = preload_batch(); }); });
  call.learner("first", [&] { first_us = time_us([&] { first = run_batch(x, y, n); }); });
  call.learner("second", [&] { second_us = time_us([&] { second = run_batch(x, y, n); }); });
  float* d_sums = nullptr;
  running_sums_address(&d_sums);
  cudaMemcpy(call.host_out<float>("sums"), d_sums, n * sizeof(float), cudaMemcpyDeviceToHost);
  call.result("loaded", cudaGetErrorName(loaded));
  call.result("batch", cudaGetErrorName(first != cudaSuccess ? first : second));
  call.result("preload_us", preload_us), call.result("first_us", first_us),
      call.result("second_us", second_us);
}

// preload of things that are none.
WORKBOOK_DRIVER(no_such_thing) {
  static const int nothing = 0;
  cudaError_t kernel = cudaSuccess, variable = cudaSuccess, none = cudaSuccess;
  call.learner([&] {
    kernel = preload({nullptr}, {running_sums_symbol()});
    cudaGetLastError();
    variable = preload({}, {&nothing, running_sums_symbol()});
    cudaGetLastError();
    none = preload({}, {});
  });
  call.result("kernel", static_cast<int>(kernel));
  call.result("variable", static_cast<int>(variable));
  call.result("none", static_cast<int>(none));
}
