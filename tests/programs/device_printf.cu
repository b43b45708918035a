// What a kernel can print: many formats, one thread at a time so that the order is sure.
#include <cstdio>

__global__ void hello(int who) {
  if (threadIdx.x == who) printf("Hello from thread %d of block %d\n", threadIdx.x, blockIdx.x);
}

__global__ void formats() {
  const char* name = "a string";
  printf("int %d, negative %i, unsigned %u, hex %x %X %#x, octal %o\n", 42, -7, 4000000000u, 255, 255, 255,
         8);
  printf("wide [%6d] [%-6d] [%06d] [%+d] [% d]\n", 42, 42, 42, 42, 42);
  printf("long %ld, long long %lld, size %zu\n", 1234567890123l, -9876543210987ll, sizeof(double));
  printf("float %f %.2f %e %g, double %.10f\n", 3.14159265f, 2.5, 12345.678, 0.0001, 1.0 / 3.0);
  printf("char %c, %s, percent %%, [%10s] [%-10s] [%.3s]\n", 'x', name, "right", "left", "cut off");
  printf("no newline, ");
  printf("then one\n");
}

// Recursion in device code, with a print at each level.
__device__ void countdown(int n) {
  if (n == 0) {
    printf("lift off\n");
    return;
  }
  printf("%d...\n", n);
  countdown(n - 1);
}
__global__ void launch_pad() {
  countdown(3);
}

__global__ void all_threads_in_turn() {
  for (int t = 0; t < blockDim.x; ++t) {
    if (threadIdx.x == t) printf("[%2d]%s", t, t == blockDim.x - 1 ? "\n" : " ");
    __syncthreads();
  }
}

int main() {
  hello<<<1, 8>>>(5);
  hello<<<3, 4>>>(7);  // nobody
  cudaDeviceSynchronize();
  formats<<<1, 1>>>();
  cudaDeviceSynchronize();
  launch_pad<<<1, 1>>>();
  cudaDeviceSynchronize();
  all_threads_in_turn<<<1, 48>>>();
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(e));
  return e != cudaSuccess;
}
