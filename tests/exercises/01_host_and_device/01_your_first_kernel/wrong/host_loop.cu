// wrong: the host squares the elements itself, through pointers that only the device can follow
// verdict: crashed
// code: host_dereference
// message: host

#include <cuda_runtime.h>

void square_all(const int* d_x, int* d_y) {
  for (int i = 0; i < 32; ++i) d_y[i] = d_x[i] * d_x[i];
}
