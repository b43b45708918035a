#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

struct Stages {
  double context_us, allocation_us, first_us, second_us, other_us;
};
Stages dissect(int n);
std::vector<std::pair<std::string, std::string>> variables_of_eager_child();
double loading_us(const Stages& lazy, const Stages& eager);
cudaError_t launch_fill(float* d_x, int n);
cudaError_t launch_double(float* d_x, int n);

namespace {

template <class F>
double time_us(F body) {
  using namespace std::chrono;
  const auto begin = steady_clock::now();
  body();
  cudaDeviceSynchronize();
  return duration<double, std::micro>(steady_clock::now() - begin).count();
}

Stages own(int n) {
  float* d_x = nullptr;
  Stages s{};
  s.context_us = time_us([] { cudaInitDevice(0, 0, 0); });
  s.allocation_us = time_us([&] { cudaMalloc(&d_x, n * sizeof(float)); });
  s.first_us = time_us([&] { launch_fill(d_x, n); });
  s.second_us = time_us([&] { launch_fill(d_x, n); });
  s.other_us = time_us([&] { launch_double(d_x, n); });
  cudaFree(d_x);
  return s;
}

void give(workbook::Call& call, const Stages& s) {
  call.result("context_us", s.context_us);
  call.result("allocation_us", s.allocation_us);
  call.result("first_us", s.first_us);
  call.result("second_us", s.second_us);
  call.result("other_us", s.other_us);
}

Stages stages_of(workbook::Call& call, const char* name) {
  const double* v = call.host_in<double>(name);
  return {v[0], v[1], v[2], v[3], v[4]};
}

}  // namespace

WORKBOOK_DRIVER(dissect) {
  Stages s{};
  call.learner([&] { s = dissect(call.value<int>("n")); });
  give(call, s);
}

// Watched as the learner's is, so that watching costs both the same.
WORKBOOK_DRIVER(own) {
  Stages s{};
  call.learner([&] { s = own(call.value<int>("n")); });
  give(call, s);
}

WORKBOOK_DRIVER(variables) {
  std::string text;
  call.learner([&] {
    for (const auto& [name, value] : variables_of_eager_child()) text += name + "=" + value + "\n";
  });
  call.result("variables", text);
}

WORKBOOK_DRIVER(loading) {
  double us = 0;
  call.learner([&] { us = loading_us(stages_of(call, "lazy"), stages_of(call, "eager")); });
  call.result("us", us);
}
