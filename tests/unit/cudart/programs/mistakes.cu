// One mistake for each name given as the argument. The lines with a mark are what the tests look for.
#include <cassert>
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void write(float* y) {
  y[blockIdx.x * blockDim.x + threadIdx.x] = 1;  // MARK write
}
__global__ void read(const float* x, float* y) {
  y[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];  // MARK read
}
__global__ void spin(volatile int* p) {
  while (*p == 0) continue;  // MARK spin
}
__global__ void check(int x) {
  assert(x == 1);  // MARK assert
}

int main(int, char** arguments) {
  const auto is = [&](const char* name) { return std::strcmp(arguments[1], name) == 0; };
  float *x, *y;
  std::vector<float> host(1000, 1.0f);
  cudaMalloc(&x, 4000);
  cudaMalloc(&y, 4000);  // MARK allocated
  cudaError_t result = cudaSuccess;
  if (is("write_past_the_end")) write<<<4, 256>>>(y);  // MARK launched
  if (is("read_past_the_end")) {
    cudaMemset(y, 0, 4000);
    read<<<4, 256>>>(y, x);
  }
  if (is("use_after_free")) {
    cudaFree(y);
    write<<<1, 32>>>(y);
  }
  if (is("double_free")) {
    cudaFree(y);
    result = cudaFree(y);  // MARK freed
  }
  if (is("uninitialised_read")) read<<<1, 32>>>(y, x);
  if (is("host_dereference")) std::printf("%f\n", static_cast<double>(y[3]));  // MARK dereferenced
  if (is("host_pointer")) write<<<1, 32>>>(host.data());
  if (is("endless_kernel")) {
    cudaMemset(y, 0, 4000);
    spin<<<1, 32>>>(reinterpret_cast<int*>(y));
  }
  if (is("assertion")) check<<<1, 32>>>(0);
  if (is("pinned_past_the_end")) {
    float *a, *b;
    cudaMallocHost(&a, 4000);
    cudaMallocHost(&b, 4000);
    write<<<16, 256>>>(a < b ? a : b);
  }
  if (is("bad_kind")) result = cudaMemcpy(host.data(), y, 4000, cudaMemcpyHostToDevice);  // MARK copied
  if (is("copy_past_the_end")) result = cudaMemcpy(y, host.data(), 4004, cudaMemcpyHostToDevice);
  const cudaError_t synced = cudaDeviceSynchronize();
  const cudaError_t last = cudaGetLastError();
  const cudaError_t cleared = cudaGetLastError();
  const cudaError_t later = cudaMalloc(&x, 4);
  std::printf("%d %d %d %d %d\n", result, synced, last, cleared, later);
}
