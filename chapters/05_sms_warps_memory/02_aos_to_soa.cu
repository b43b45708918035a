// 5.2  AoS to SoA
//
// A weather station sends a record of 32 numbers every second. The records are loaded onto the device once,
// and then one number of all records is asked for again and again: all temperatures, all pressures.
//
// TODO: The records lie on the device as they came, an array of structures. Let them lie there as a structure
// of arrays: all first numbers of all records, then all second numbers, and so on. `load` and the kernel have
// to change, and what goes with them. When it works, `scale` takes at most 0.65 of its time, on a GPU 0.35.
#include <cuda_runtime.h>

#include <vector>

struct Record {
  float value[32];  // 128 bytes
};
constexpr int fields = 32;

// What is on the device. The caller only holds a pointer to it.
struct Store {
  int n;
  Record* d_records;
};

// Puts n records on the device, n from 0 up to 2^25. h_records belongs to the caller, who may change it
// afterwards.
Store* load(const Record* h_records, int n) {
  Store* store = new Store{n, nullptr};
  cudaMalloc(&store->d_records, n * sizeof(Record));
  cudaMemcpy(store->d_records, h_records, n * sizeof(Record), cudaMemcpyHostToDevice);
  return store;
}

__global__ void scale_kernel(const Record* records, int n, int field, float factor, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * records[i].value[field];
}

// d_out[i] = factor * number `field` (0 to 31) of record i. Called often. Does not wait for the device.
void scale(const Store* store, int field, float factor, float* d_out) {
  if (store->n == 0) return;
  scale_kernel<<<(store->n - 1) / 256 + 1, 256>>>(store->d_records, store->n, field, factor, d_out);
}

// Gives back all that `load` took.
void release(Store* store) {
  cudaFree(store->d_records);
  delete store;
}
