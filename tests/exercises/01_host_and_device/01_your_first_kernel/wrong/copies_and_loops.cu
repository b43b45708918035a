// wrong: fetches x, squares it on the host, and puts the result back
// verdict: wrong
// code: work_on_the_host
// message: copied 128 bytes back to the host

#include <cuda_runtime.h>

void square_all(const int* d_x, int* d_y) {
  int h[32];
  cudaMemcpy(h, d_x, sizeof h, cudaMemcpyDeviceToHost);
  for (int& v : h) v *= v;
  cudaMemcpy(d_y, h, sizeof h, cudaMemcpyHostToDevice);
}
