// The code of chapter 1.
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "claims.h"

// --8<-- [start:negate]
__global__ void negate(const float* in, float* out) {
  const int i = threadIdx.x;
  out[i] = -in[i];
}

// --8<-- [end:negate]
// --8<-- [start:wrap]
__host__ __device__ int wrap(int i, int n) {
  return i < n ? i : i - n;
}
// --8<-- [end:wrap]

__global__ void fill(int value, int* out) {
  out[threadIdx.x] = value;
}

void first_kernel() {
  float *d_in = shared_by_both<float>(8), *d_out = shared_by_both<float>(8);
  for (int i = 0; i < 8; ++i) d_in[i] = i + 1.0f;
  // --8<-- [start:negate]
  negate<<<1, 8>>>(d_in, d_out);  // on the host: 1 block of 8 threads
  // --8<-- [end:negate]
  CLAIM(all_well());
  for (int i = 0; i < 8; ++i) CLAIM(d_out[i] == -(i + 1.0f));
}

void read_on_the_wrong_side(const float* d_x) {
  // --8<-- [start:wrong_side]
  std::printf("%f\n", d_x[0]);  // with #include <cstdio>
  // --8<-- [end:wrong_side]
}

// In a process of its own, and before this one has a device: it does not come back.
void experiment_one() {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    std::freopen("/dev/null", "w", stdout);
    std::freopen("/dev/null", "w", stderr);
    float* d_x = nullptr;
    cudaMalloc(&d_x, 16);
    cudaMemset(d_x, 0, 16);
    read_on_the_wrong_side(d_x);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CLAIM(!(WIFEXITED(status) && WEXITSTATUS(status) == 0));
}

void experiment_two() {
  // --8<-- [start:how_much_memory]
  std::size_t free_bytes, total_bytes;
  cudaMemGetInfo(&free_bytes, &total_bytes);
  // --8<-- [end:how_much_memory]
  CLAIM(0 < free_bytes && free_bytes <= total_bytes);
}

void errors() {
  void* p = nullptr;
  int* d_out = shared_by_both<int>(32);
  // --8<-- [start:which_error]
  cudaMalloc(&p, std::size_t{1} << 60);  // no device has that much: cudaErrorMemoryAllocation
  fill<<<1, 32>>>(7, d_out);             // a good launch
  const cudaError_t e1 = cudaGetLastError();
  fill<<<1, 2000>>>(7, d_out);  // a refused one
  const cudaError_t e2 = cudaDeviceSynchronize(), e3 = cudaGetLastError();
  // --8<-- [end:which_error]
  CLAIM(e1 == cudaErrorMemoryAllocation);
  CLAIM(e2 == cudaSuccess);
  CLAIM(e3 != cudaSuccess);
  CLAIM(d_out[31] == 7);
}

void asked_twice() {
  int* d_out = shared_by_both<int>(32);
  fill<<<1, 2000>>>(7, d_out);
  // --8<-- [start:asked_twice]
  if (cudaGetLastError() != cudaSuccess)
    std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));  // prints "no error"
  // --8<-- [end:asked_twice]
  CLAIM(std::strcmp(cudaGetErrorString(cudaGetLastError()), "no error") == 0);
}

int main() {
  experiment_one();
  first_kernel();
  CLAIM(wrap(3, 8) == 3 && wrap(9, 8) == 1);
  experiment_two();
  errors();
  asked_twice();
  return broken_claims;
}
