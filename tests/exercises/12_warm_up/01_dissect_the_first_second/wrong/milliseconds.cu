// wrong: the host's clock is read in milliseconds
// verdict: wrong
// code: stage
// message: and ours is
// 12.1  Dissect the first second
//
// Say what a program waits for when it uses the GPU for the first time, one cause after the other. The check starts
// your program several times, each time as a new process, because only a new process does anything for the first time.
#include <cuda_runtime.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

// given/01_two_kernels.cu: two kernels in one module. Both work on n floats, and neither call waits.
cudaError_t launch_fill(float* d_x, int n);
cudaError_t launch_double(float* d_x, int n);

// Microseconds of the host's clock, each up to the moment when the device is done.
struct Stages {
  double context_us;     // the context alone
  double allocation_us;  // the first cudaMalloc
  double first_us;       // launch_fill, for the first time
  double second_us;      // launch_fill, for the second time
  double other_us;       // launch_double, for the first time
};

double host_us() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

template <class F>
double time_us(F body) {
  const double begin = host_us();
  body();
  cudaDeviceSynchronize();
  return host_us() - begin;
}

// Called once in each process, before anything else. n: how many floats the kernels get.
Stages dissect(int n) {
  Stages stages{};
  float* d_x = nullptr;
  stages.context_us = time_us([] { cudaInitDevice(0, 0, 0); });
  stages.allocation_us = time_us([&] { cudaMalloc(&d_x, n * sizeof(float)); });
  stages.first_us = time_us([&] { launch_fill(d_x, n); });
  stages.second_us = time_us([&] { launch_fill(d_x, n); });
  stages.other_us = time_us([&] { launch_double(d_x, n); });
  cudaFree(d_x);
  return stages;
}

// The variables that a parent sets for a child which shall load all of its kernels at the start: {{"NAME", "VALUE"}}.
std::vector<std::pair<std::string, std::string>> variables_of_eager_child() {
  return {{"CUDA_MODULE_LOADING", "EAGER"}};
}

// What the lazy child spent in its first launch on loading, which the eager one had done before.
double loading_us(const Stages& lazy, const Stages& eager) {
  return lazy.first_us - eager.first_us;
}
