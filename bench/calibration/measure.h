// What the programs of this folder share: rows of a table, timed by events.
#pragma once

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}
#define CHECK(call) check((call), #call)

// section, what, value, unit; tab separated.
inline void row(const char* section, const std::string& what, double value, const char* unit = "us") {
  std::printf("%s\t%s\t%.4f\t%s\n", section, what.c_str(), value, unit);
  std::fflush(stdout);
}

// Whether this program met the simulated runtime, which has functions of its own.
inline bool simulated() {
  return dlsym(RTLD_DEFAULT, "wbFlushL2") != nullptr;
}

// Median microseconds between two events around `body`, warm. One sample says it all where time is modelled.
inline double event_us(const std::function<void()>& body, int samples = 11, int warm_up = 2,
                       const std::function<void()>& before = nullptr) {
  if (simulated()) samples = warm_up = 1;
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  std::vector<float> times;
  for (int k = 0; k < samples + warm_up; ++k) {
    if (before) before();
    CHECK(cudaEventRecord(begin));
    body();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    if (k >= warm_up) times.push_back(ms);
  }
  CHECK(cudaGetLastError());
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::sort(times.begin(), times.end());
  return 1e3 * times[times.size() / 2];
}
