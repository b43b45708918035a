// wrong: one thread of the device does all the work, in a loop
// verdict: wrong
// code: too_few_threads
// message: square was launched with 1 block of 1 thread

#include <cuda_runtime.h>

__global__ void square(const int* x, int* y) {
  for (int i = 0; i < 32; ++i) y[i] = x[i] * x[i];
}

void square_all(const int* d_x, int* d_y) {
  square<<<1, 1>>>(d_x, d_y);
}
