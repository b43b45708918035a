// wrong: 64 threads for 32 elements, and no thread asks whether it has one
// verdict: wrong
// code: out_of_bounds
// message: 1 block of 64 threads

#include <cuda_runtime.h>

__global__ void square(const int* x, int* y) {
  const int i = threadIdx.x;
  y[i] = x[i] * x[i];
}

void square_all(const int* d_x, int* d_y) {
  square<<<1, 64>>>(d_x, d_y);
}
