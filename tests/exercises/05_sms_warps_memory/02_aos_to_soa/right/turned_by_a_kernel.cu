// right: copies the records as they are and lets a kernel turn them round, once
#include <cuda_runtime.h>

#include <vector>

struct Record {
  float value[32];  // 128 bytes
};
constexpr int fields = 32;

// What is on the device. The caller only holds a pointer to it.
struct Store {
  int n;
  float* d_values;  // number `field` of record i is d_values[field * n + i]
};

__global__ void turn(const Record* records, int n, float* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int f = 0; f < fields; ++f) values[f * n + i] = records[i].value[f];
}

Store* load(const Record* h_records, int n) {
  Store* store = new Store{n, nullptr};
  if (n == 0) return store;
  Record* d_records = nullptr;
  cudaMalloc(&store->d_values, n * sizeof(Record));
  cudaMalloc(&d_records, n * sizeof(Record));
  cudaMemcpy(d_records, h_records, n * sizeof(Record), cudaMemcpyHostToDevice);
  turn<<<(n - 1) / 256 + 1, 256>>>(d_records, n, store->d_values);
  cudaFree(d_records);
  return store;
}

__global__ void scale_kernel(const float* values, int n, int field, float factor, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * values[field * n + i];
}

// d_out[i] = factor * number `field` (0 to 31) of record i. Called often. Does not wait for the device.
void scale(const Store* store, int field, float factor, float* d_out) {
  if (store->n == 0) return;
  scale_kernel<<<(store->n - 1) / 256 + 1, 256>>>(store->d_values, store->n, field, factor, d_out);
}

// Gives back all that `load` took.
void release(Store* store) {
  cudaFree(store->d_values);
  delete store;
}
