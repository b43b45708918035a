// wrong: the calls' results are thrown away
// verdict: wrong
// code: error_lost
// message: for an address that is no kernel
// 12.2  Preload without launching
//
// The first batch of a service takes several times as long as the second, because the device code is loaded when it is
// first used. Load all of it before the first batch comes, without running anything.
#include <cuda_runtime.h>

#include <vector>

// given/02_smooth.cu: a module with one kernel.
__global__ void smooth_kernel(const float* d_x, float* d_y, int n);
cudaError_t launch_smooth(const float* d_x, float* d_y, int n);
// given/02_sums.cu: a module with data alone. The symbol is what cudaGetSymbolAddress takes.
const void* running_sums_symbol();
cudaError_t running_sums_address(float** d_sums);

template <class T>
__global__ void scale_kernel(T* d_x, int n, T by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] *= by;
}

__global__ void add_kernel(float* d_sums, const float* d_x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_sums[i] += d_x[i];
}

// One batch: d_y = d_x smoothed and scaled, and added to the running sums. n from 1 up. There is nothing to change here.
cudaError_t run_batch(const float* d_x, float* d_y, int n) {
  float* d_sums = nullptr;
  if (const cudaError_t error = running_sums_address(&d_sums); error != cudaSuccess) return error;
  if (const cudaError_t error = launch_smooth(d_x, d_y, n); error != cudaSuccess) return error;
  scale_kernel<float><<<(n + 255) / 256, 256>>>(d_y, n, 0.5f);
  add_kernel<<<(n + 255) / 256, 256>>>(d_sums, d_y, n);
  return cudaGetLastError();
}

// The same for batches of doubles, which this service never gets.
cudaError_t scale_doubles(double* d_y, int n) {
  scale_kernel<double><<<(n + 255) / 256, 256>>>(d_y, n, 0.5);
  return cudaGetLastError();
}

// Loads the kernels, each given by its address, and the variables, each given by its symbol. Runs none of the kernels.
// Returns the first error.
cudaError_t preload(const std::vector<const void*>& kernels, const std::vector<const void*>& variables) {
  for (const void* kernel : kernels) {
    cudaFuncAttributes attributes{};
    cudaFuncGetAttributes(&attributes, kernel);
  }
  for (const void* variable : variables) {
    void* d_address = nullptr;
    cudaGetSymbolAddress(&d_address, variable);
  }
  return cudaSuccess;
}

// Everything that a batch uses.
cudaError_t preload_batch() {
  return preload({(const void*)smooth_kernel, (const void*)scale_kernel<float>, (const void*)add_kernel},
                 {running_sums_symbol()});
}
