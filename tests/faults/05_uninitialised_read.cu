// kind: uninitialised_read
// block: 0  thread: 32
// says: written
#include <cstdio>

__global__ void add_one(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x]  // <- here
                     + 1.0f;
}

int main() {
  float *d_in = nullptr, *d_out = nullptr;
  cudaMalloc(&d_in, 64 * sizeof(float));
  cudaMalloc(&d_out, 64 * sizeof(float));
  cudaMemset(d_in, 0, 32 * sizeof(float));
  add_one<<<1, 64>>>(d_in, d_out);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
