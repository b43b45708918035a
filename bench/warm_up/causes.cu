// What a process pays for once, cause by cause. One process measures one thing after the other; table.py
// starts many of them, sets their variables, and takes medians. The same executable runs on a GPU and on the
// simulated device.
//
//   nvcc -O2 -std=c++17 -cudart shared -gencode arch=compute_75,code=[compute_75,sm_90] -o causes \
//        causes.cu other_module.cu data_module.cu lone_data.cu
//   ./causes plain | preload | data | jit        "name microseconds" a line
//
// With -gencode arch=compute_75,code=compute_75 it has text alone, for `jit`.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstring>

cudaError_t launch_other(float* d_x, int n);
const void* other_kernel_address();
cudaError_t launch_reader(float* d_x, int n);
const void* reader_kernel_address();
const void* large_data_symbol();
const void* lone_data_symbol();

__global__ void first_kernel(float* d_x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] = 1.0f;
}

__global__ void second_kernel(float* d_x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] *= 2.0f;
}

namespace {

constexpr int n = 4096;
float* d_x = nullptr;

template <class F>
void time(const char* name, F body, bool wait = true) {
  using namespace std::chrono;
  const auto begin = steady_clock::now();
  const cudaError_t error = body();
  if (wait) cudaDeviceSynchronize();
  const double us = duration<double, std::micro>(steady_clock::now() - begin).count();
  if (error == cudaSuccess)
    std::printf("%s %.2f\n", name, us);
  else
    std::printf("%s %s\n", name, cudaGetErrorName(error));
}

cudaError_t load(const void* kernel) {
  cudaFuncAttributes attributes;
  return cudaFuncGetAttributes(&attributes, kernel);
}

cudaError_t find(const void* symbol) {
  void* address = nullptr;
  return cudaGetSymbolAddress(&address, symbol);
}

cudaError_t first() {
  first_kernel<<<(n + 255) / 256, 256>>>(d_x, n);
  return cudaGetLastError();
}

cudaError_t second() {
  second_kernel<<<(n + 255) / 256, 256>>>(d_x, n);
  return cudaGetLastError();
}

void begin() {
  int count = 0;
  time(
      "driver", [&] { return cudaGetDeviceCount(&count); }, false);
  time("context", [] { return cudaInitDevice(0, 0, 0); });
  time("context_again", [] { return cudaSetDevice(0); });
  time("first_malloc", [] { return cudaMalloc(&d_x, n * sizeof(float)); });
}

void plain() {
  time("first_launch", first);
  time("first_launch_again", first);
  for (int i = 0; i < 20; ++i) first(), cudaDeviceSynchronize();
  time("first_launch_steady", first);
  time("second_kernel", second);
  time("second_kernel_again", second);
  time("other_module", [] { return launch_other(d_x, n); });
  time("other_module_again", [] { return launch_other(d_x, n); });
  time("lone_data", [] { return find(lone_data_symbol()); });
  time("lone_data_again", [] { return find(lone_data_symbol()); });
}

void preload() {
  time("load_first", [] { return load((const void*)first_kernel); });
  time("load_first_again", [] { return load((const void*)first_kernel); });
  time("load_second", [] { return load((const void*)second_kernel); });
  time("load_other", [] { return load(other_kernel_address()); });
  time("load_data", [] { return find(lone_data_symbol()); });
  time("first_launch", first);
  time("first_launch_again", first);
  time("second_kernel", second);
  time("other_module", [] { return launch_other(d_x, n); });
}

// A module with 64 MiB of variables and a kernel that reads them.
void data() {
  first(), cudaDeviceSynchronize();
  time("load_reader", [] { return load(reader_kernel_address()); });
  time("large_data", [] { return find(large_data_symbol()); });
  time("reader", [] { return launch_reader(d_x, n); });
  time("reader_again", [] { return launch_reader(d_x, n); });
}

}  // namespace

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "plain";
  begin();
  if (std::strcmp(mode, "plain") == 0) plain();
  if (std::strcmp(mode, "preload") == 0) preload();
  if (std::strcmp(mode, "data") == 0) data();
  if (std::strcmp(mode, "jit") == 0) time("first_launch", first), time("first_launch_again", first);
  return 0;
}
