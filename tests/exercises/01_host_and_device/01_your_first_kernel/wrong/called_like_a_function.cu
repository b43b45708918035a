// wrong: calls the kernel without <<< >>>: how many threads?
// verdict: did not compile
// code: compile.error
// message: a __global__ function call must be configured

#include <cuda_runtime.h>

__global__ void square(const int* x, int* y) {
  const int i = threadIdx.x;
  y[i] = x[i] * x[i];
}

void square_all(const int* d_x, int* d_y) {
  square(d_x, d_y);
}
