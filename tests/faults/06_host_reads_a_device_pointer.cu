// kind: host_dereference
// says: device
#include <cstdio>

int main() {
  float* d_x = nullptr;
  cudaMalloc(&d_x, 16 * sizeof(float));
  cudaMemset(d_x, 0, 16 * sizeof(float));
  const volatile float* x = d_x;
  const float first = x[3];  // <- here
  std::printf("%f\n", first);
  return 0;
}
