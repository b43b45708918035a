// A module that has nothing but 16 MiB of variables.
#include <cuda_runtime.h>

__device__ float lone_data[4 << 20];

const void* lone_data_symbol() {
  return lone_data;
}
