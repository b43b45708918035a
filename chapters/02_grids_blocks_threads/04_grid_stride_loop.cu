// 2.4  The grid-stride loop
//
// y[i] = a * x[i] + y[i] for the elements first to n - 1, by a grid that somebody else chose: 1 block of 1
// thread, 3 blocks of 33, or more threads than elements. The elements before `first` keep their value,
// and when `first` is n there is nothing to do.
//
// n may be larger than any int: std::int64_t counts to nine quintillions.

#include <cuda_runtime.h>

#include <cstdint>

__global__ void saxpy_kernel(std::int64_t first, std::int64_t n, float a, const float* x, float* y) {
  // TODO saxpy_kernel: a loop in which each thread takes one element, then the one a whole grid further on,
  //   and so on until n. Every element belongs to exactly one thread.
}

void saxpy_range(int blocks, int threads, std::int64_t first, std::int64_t n, float a, const float* d_x,
                 float* d_y) {
  // TODO saxpy_range: launch `blocks` blocks of `threads` threads, just as given. When it works, the check
  //   says for how many grids it is right, and then looks at the time with 8 blocks on each SM.
}
