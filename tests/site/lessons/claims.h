// The code of the lessons, compiled and run.
//
// A lesson shows a few lines at a time. Here they stand in the middle of a program that compiles, between the
// marks
// `--8<-- [start:NAME]` and `--8<-- [end:NAME]`, and what the lesson says about them is claimed beside them.
// The book's build compares the two, blanks apart, and ends when they differ (site/book/fences.py). A program
// prints each claim that does not hold.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>

inline int broken_claims = 0;

#define CLAIM(holds)                                                         \
  do {                                                                       \
    if (!(holds)) {                                                          \
      std::printf("%s:%d: does not hold: %s\n", __FILE__, __LINE__, #holds); \
      ++broken_claims;                                                       \
    }                                                                        \
  } while (false)

// Waits, and says whether all has gone well since the last time.
inline bool all_well() {
  return cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess;
}

// Device memory with `count` elements that the host can read too, so that a claim needs no copy.
template <class T>
T* shared_by_both(int count) {
  T* memory = nullptr;
  if (cudaMallocManaged(&memory, count * sizeof(T)) != cudaSuccess) std::printf("no memory\n");
  for (int i = 0; i < count; ++i) memory[i] = T{};
  return memory;
}
