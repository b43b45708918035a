// Given with 4.1; not yours to change. g++ compiles this file, nvcc never reads it. It stands for the large
// part of a program that has nothing to do with CUDA, and only calls it.
#include "01_one_kernel_two_types.h"

// Two sounds become one.
cudaError_t mix_sounds(const float* d_a, const float* d_b, float* d_out, int n, float t) {
  return blend(d_a, d_b, d_out, n, t);
}

// One picture fades into another.
cudaError_t fade_pictures(const __half* d_a, const __half* d_b, __half* d_out, int n, float t) {
  return blend(d_a, d_b, d_out, n, t);
}
