// What the test programs share: a check that says where it failed, and the exit code.
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>

inline int failures = 0;
#define CHECK(condition)                                                           \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                                  \
    }                                                                              \
  } while (false)
#define CHECK_OK(call) CHECK((call) == cudaSuccess)

inline double now_us() {
  static const auto began = std::chrono::steady_clock::now();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count();
}
