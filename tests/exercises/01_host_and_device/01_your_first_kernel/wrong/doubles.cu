// wrong: twice x is not the square of x
// verdict: wrong
// code: values
// message: y[0]

#include <cuda_runtime.h>

__global__ void square(const int* x, int* y) {
  const int i = threadIdx.x;
  y[i] = 2 * x[i];
}

void square_all(const int* d_x, int* d_y) {
  square<<<1, 32>>>(d_x, d_y);
}
