// wrong: forgets __global__, so square is a function of the host, and cannot be launched
// verdict: did not compile
// code: compile.error
// message: a host function call cannot be configured

#include <cuda_runtime.h>

void square(const int* x, int* y) {
  const int i = threadIdx.x;
  y[i] = x[i] * x[i];
}

void square_all(const int* d_x, int* d_y) {
  square<<<1, 32>>>(d_x, d_y);
}
