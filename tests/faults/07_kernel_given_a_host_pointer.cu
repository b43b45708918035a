// kind: host_pointer
// block: 0  thread: 0
// says: host
#include <cstdio>
#include <vector>

__global__ void square(int* values) {
  const int i = threadIdx.x;
  values[i] = i * i;  // <- here
}

int main() {
  std::vector<int> values(32);
  square<<<1, 32>>>(values.data());
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
