// wrong: keeps the records on the host and collects the numbers in every call
// verdict: wrong
// code: copied_in_scale
// message: Which of the two should turn the records round
#include <cuda_runtime.h>

#include <vector>

struct Record {
  float value[32];  // 128 bytes
};
constexpr int fields = 32;

// What is on the device. The caller only holds a pointer to it.
struct Store {
  int n;
  std::vector<Record> records;
  float* d_values;
};

// Puts n records on the device, n from 0 up to 2^25. h_records belongs to the caller, who may change it
// afterwards.
Store* load(const Record* h_records, int n) {
  Store* store = new Store{n, std::vector<Record>(h_records, h_records + n), nullptr};
  cudaMalloc(&store->d_values, n * sizeof(float));
  return store;
}

__global__ void scale_kernel(const float* values, int n, int field, float factor, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * values[i];
}

// d_out[i] = factor * number `field` (0 to 31) of record i. Called often. Does not wait for the device.
void scale(const Store* store, int field, float factor, float* d_out) {
  if (store->n == 0) return;
  std::vector<float> values;
  for (const Record& record : store->records) values.push_back(record.value[field]);
  cudaMemcpy(store->d_values, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  scale_kernel<<<(store->n - 1) / 256 + 1, 256>>>(store->d_values, store->n, 0, factor, d_out);
}

// Gives back all that `load` took.
void release(Store* store) {
  cudaFree(store->d_values);
  delete store;
}
