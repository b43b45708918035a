// wrong: leaves the main in with which it was tried out
// verdict: wrong
// code: name.taken
// message: Your file defines main; the check brings its own.

// 1.1  Your first kernel: one block of 32 threads, and thread i squares x[i].

#include <cuda_runtime.h>

__global__ void square(const int* x, int* y) {
  const int i = threadIdx.x;
  y[i] = x[i] * x[i];
}

void square_all(const int* d_x, int* d_y) {
  square<<<1, 32>>>(d_x, d_y);
}

int main() {
  int *x = nullptr, *y = nullptr;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMalloc(&y, 32 * sizeof(int));
  square_all(x, y);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
