// 1.1  Your first kernel
//
// y[i] = x[i] * x[i] for 32 ints. x and y lie in the memory of the device; they are allocated, and x is
// filled. One block of 32 threads does it: thread i squares x[i].

#include <cuda_runtime.h>

// TODO square: a kernel that gets x and y. Each thread squares one element, the one with its own number.

// The check calls this function, on the host.
void square_all(const int* d_x, int* d_y) {
  // TODO launch square, with 1 block of 32 threads.
  //   When it works, the check says "right for 4 arrays of 32".
}
