// kind: out_of_bounds
// block: 0  thread: 99
// says: reads
#include <cstdio>

__global__ void shift(const int* in, int* out, int n) {
  const int i = threadIdx.x;
  if (i < n) {
    out[i] = in[i + 1];  // <- here
  }
}

int main() {
  int *d_in = nullptr, *d_out = nullptr;
  cudaMalloc(&d_in, 100 * sizeof(int));
  cudaMalloc(&d_out, 100 * sizeof(int));
  cudaMemset(d_in, 0, 100 * sizeof(int));
  shift<<<1, 128>>>(d_in, d_out, 100);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
