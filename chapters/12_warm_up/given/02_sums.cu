// 12.2, given: a module that has no kernel, only data: running sums, 16 MiB of them, zero at the start.
#include <cuda_runtime.h>

constexpr int sums_count = 4 << 20;
__device__ float running_sums[sums_count];

// What cudaGetSymbolAddress and its kind take for the variable; of another file, only its address can be had.
const void* running_sums_symbol() {
  return running_sums;
}

// Where the sums are on the device.
cudaError_t running_sums_address(float** d_sums) {
  return cudaGetSymbolAddress(reinterpret_cast<void**>(d_sums), running_sums);
}
