// wrong: 32 blocks of 1 thread. Every thread is number 0 of its block, so all of them square x[0]
// verdict: wrong
// message: 32 blocks of 1 thread

#include <cuda_runtime.h>

__global__ void square(const int* x, int* y) {
  const int i = threadIdx.x;
  y[i] = x[i] * x[i];
}

void square_all(const int* d_x, int* d_y) {
  square<<<32, 1>>>(d_x, d_y);
}
