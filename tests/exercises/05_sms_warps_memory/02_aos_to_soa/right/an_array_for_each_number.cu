// right: 32 allocations, and a structure of 32 pointers that the kernel gets as an argument
#include <cuda_runtime.h>

#include <vector>

struct Record {
  float value[32];  // 128 bytes
};
constexpr int fields = 32;

// What is on the device. The caller only holds a pointer to it.
struct Store {
  int n;
  float* d_value[fields];
};

// Puts n records on the device, n from 0 up to 2^25. h_records belongs to the caller, who may change it
// afterwards.
Store* load(const Record* h_records, int n) {
  Store* store = new Store{};
  store->n = n;
  if (n == 0) return store;
  std::vector<float> one(n);
  for (int f = 0; f < fields; ++f) {
    for (int i = 0; i < n; ++i) one[i] = h_records[i].value[f];
    cudaMallocAsync(&store->d_value[f], n * sizeof(float), nullptr);
    cudaMemcpyAsync(store->d_value[f], one.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaStreamSynchronize(nullptr);
  }
  return store;
}

__global__ void scale_kernel(const float* values, int n, float factor, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * values[i];
}

// d_out[i] = factor * number `field` (0 to 31) of record i. Called often. Does not wait for the device.
void scale(const Store* store, int field, float factor, float* d_out) {
  if (store->n == 0) return;
  scale_kernel<<<(store->n - 1) / 256 + 1, 256>>>(store->d_value[field], store->n, factor, d_out);
}

// Gives back all that `load` took.
void release(Store* store) {
  for (float* d : store->d_value)
    if (d != nullptr) cudaFreeAsync(d, nullptr);
  delete store;
}
