// wrong: a kernel that returns its result, as a function would
// verdict: did not compile
// code: compile.error
// message: must have a void return type

#include <cuda_runtime.h>

__global__ int square(const int* x) {
  return x[threadIdx.x] * x[threadIdx.x];
}

void square_all(const int* d_x, int* d_y) {
  square<<<1, 32>>>(d_x);
}
