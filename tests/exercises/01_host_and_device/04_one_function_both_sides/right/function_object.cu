// right: a lambda for both sides needs a flag that is not set here; a struct with an operator does not

#include <cuda_runtime.h>

struct Clamp01 {
  __host__ __device__ float operator()(float x) const {
    if (!(x < 0.0f) && !(x > 1.0f)) return x;
    return x < 0.0f ? 0.0f : 1.0f;
  }
};

template <class F>
__global__ void apply(int n, const float* x, float* y, F f) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = f(x[i]);
}

void clamp_on_device(int n, const float* d_x, float* d_y) {
  apply<<<8, 96>>>(n, d_x, d_y, Clamp01{});
}

void clamp_on_host(int n, const float* h_x, float* h_y) {
  for (int i = 0; i < n; ++i) h_y[i] = Clamp01{}(h_x[i]);
}
