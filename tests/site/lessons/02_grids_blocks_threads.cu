// The code of chapter 2.
#include "claims.h"

__global__ void negate(const float* in, float* out, int n) {
  // --8<-- [start:index]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // --8<-- [end:index]
  // --8<-- [start:guard]
  if (i < n) out[i] = -in[i];
  // --8<-- [end:guard]
}

__global__ void kernel(int* seen, int width, int height) {
  // --8<-- [start:row_and_column]
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  // --8<-- [end:row_and_column]
  if (column < width && row < height) seen[row * width + column] = row * 1000 + column;
}

__global__ void visit(unsigned* counter, int* visits) {
  // --8<-- [start:ticket]
  const unsigned ticket = atomicAdd(counter, 1);  // adds 1, and gives back what was there before
  // --8<-- [end:ticket]
  atomicAdd(&visits[ticket], 1);
}

void two_dimensions() {
  const int width = 45, height = 19;
  int* seen = shared_by_both<int>(width * height);
  // --8<-- [start:launch_in_two]
  const dim3 block(16, 4);  // 16 threads along x, 4 along y: 64 threads
  const dim3 grid(3, 5);    // 3 blocks along x, 5 along y
  kernel<<<grid, block>>>(seen, width, height);
  // --8<-- [end:launch_in_two]
  CLAIM(all_well());
  CLAIM(block.x * block.y * block.z == 64);
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) CLAIM(seen[row * width + column] == row * 1000 + column);
  }
}

int main() {
  const int n = 1000;
  float *in = shared_by_both<float>(n), *out = shared_by_both<float>(n);
  for (int i = 0; i < n; ++i) in[i] = i;
  negate<<<4, 256>>>(in, out, n);
  CLAIM(all_well());
  for (int i = 0; i < n; ++i) CLAIM(out[i] == -in[i]);
  two_dimensions();
  unsigned* counter = shared_by_both<unsigned>(1);
  int* visits = shared_by_both<int>(512);
  visit<<<4, 128>>>(counter, visits);
  CLAIM(all_well());
  CLAIM(*counter == 512);
  for (int i = 0; i < 512; ++i) CLAIM(visits[i] == 1);
  return broken_claims;
}
