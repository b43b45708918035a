// 1.4  One function, both sides
//
// clamp01(x) is x, kept within 0 and 1. One function, for the kernel and for the loop on the host, and both
// give the same bits. NaN stays NaN, and -0 stays -0: neither of them is below 0 or above 1.

#include <cuda_runtime.h>

#include <cmath>

// TODO clamp01: write its body, and say in front of it that both sides may call it.
float clamp01(float x) {
  return x;
}

// The kernel and the loop are to call it; the check compares what comes out, bit for bit.
__global__ void clamp_kernel(int n, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];  // TODO: clamp01(x[i]), once the device may call it
}

void clamp_on_device(int n, const float* d_x, float* d_y) {
  clamp_kernel<<<(n + 255) / 256, 256>>>(n, d_x, d_y);
}

void clamp_on_host(int n, const float* h_x, float* h_y) {
  for (int i = 0; i < n; ++i) h_y[i] = clamp01(h_x[i]);
}
