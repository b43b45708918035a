// wrong: squares threadIdx.x, the thread's number, in place of the thread's element
// verdict: wrong
// code: squares_the_index
// message: y[5] is 25
// message: Thread 5 squared its number, not its element

#include <cuda_runtime.h>

__global__ void square(const int* x, int* y) {
  const int i = threadIdx.x;
  y[i] = i * i;
}

void square_all(const int* d_x, int* d_y) {
  square<<<1, 32>>>(d_x, d_y);
}
