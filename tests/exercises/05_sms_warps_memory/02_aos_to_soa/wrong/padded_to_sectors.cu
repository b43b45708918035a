// wrong: an array for each number, and every number alone in 32 bytes
// verdict: too slow
// code: bound.records
// message: How many bytes apart
#include <cuda_runtime.h>

#include <vector>

struct Record {
  float value[32];  // 128 bytes
};
constexpr int fields = 32;

// What is on the device. The caller only holds a pointer to it.
struct Store {
  int n;
  float* d_values;  // number `field` of record i is d_values[(std::size_t(field) * n + i) * 8]
};

// Puts n records on the device, n from 0 up to 2^25. h_records belongs to the caller, who may change it
// afterwards.
Store* load(const Record* h_records, int n) {
  Store* store = new Store{n, nullptr};
  std::vector<float> values(std::size_t(n) * fields * 8);
  for (int i = 0; i < n; ++i)
    for (int f = 0; f < fields; ++f) values[(std::size_t(f) * n + i) * 8] = h_records[i].value[f];
  cudaMalloc(&store->d_values, values.size() * sizeof(float));
  cudaMemcpy(store->d_values, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  return store;
}

__global__ void scale_kernel(const float* values, int n, int field, float factor, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * values[(std::size_t(field) * n + i) * 8];
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
