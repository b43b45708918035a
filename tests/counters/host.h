// The host's side of kernels.cu: arrays that lie on both sides, inputs that no compiler foresees, the
// comparison.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}
#define CHECK(call) check(call, #call)

template <class T>
struct Array {
  T* device = nullptr;
  std::vector<T> host;
  explicit Array(std::vector<T> values) : host(std::move(values)) {
    CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
    CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~Array() { CHECK(cudaFree(device)); }
  Array(const Array&) = delete;
  std::vector<T> now() const {
    std::vector<T> values(host.size());
    CHECK(cudaMemcpy(values.data(), device, values.size() * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
};

inline unsigned mixed(unsigned i) {  // a permutation of 32-bit numbers, cut down where it is used
  i ^= i >> 16;
  i *= 0x7feb352du;
  i ^= i >> 15;
  i *= 0x846ca68bu;
  return i ^ (i >> 16);
}
template <class T>
std::vector<T> numbers(int n) {
  std::vector<T> values(n);
  for (int i = 0; i < n; ++i) values[i] = static_cast<T>(mixed(i) & 1023);
  return values;
}
inline std::vector<float> fractions(int n) {
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i) values[i] = static_cast<float>(mixed(i) & 1023) / 1024.0f;
  return values;
}
inline std::vector<int> permutation(int n) {
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = static_cast<int>((i * 40503LL + 77) % n);  // n is a power of two
  return values;
}

inline int failures = 0;
template <class T>
void expect(const char* name, const std::vector<T>& got, const std::vector<T>& wanted) {
  const bool same =
      got.size() == wanted.size() && std::memcmp(got.data(), wanted.data(), got.size() * sizeof(T)) == 0;
  std::printf("%s %s\n", same ? "ok" : "WRONG", name);
  failures += !same;
}
