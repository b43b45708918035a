// Device memory for the tests of kernels/: poisoned, with canaries on both sides, and numbers that are never
// zeros.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace workbook::kernels::test {

/// `count` numbers on the device, beginning `offset` numbers behind an address aligned to 256 bytes. `fetch`
/// also looks at the canaries.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count, std::size_t offset = 0)
      : count_(count), begin_(guard + offset * sizeof(T)), bytes_(begin_ + count * sizeof(T) + guard) {
    EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&memory_), bytes_), cudaSuccess);
    const std::vector<unsigned char> poison(bytes_, canary);
    EXPECT_EQ(cudaMemcpy(memory_, poison.data(), bytes_, cudaMemcpyHostToDevice), cudaSuccess);
  }
  DeviceArray(const std::vector<T>& values, std::size_t offset = 0) : DeviceArray(values.size(), offset) {
    if (count_ == 0) return;
    EXPECT_EQ(cudaMemcpy(get(), values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(memory_); }

  T* get() const { return reinterpret_cast<T*>(memory_ + begin_); }

  std::vector<T> fetch() const {
    std::vector<unsigned char> all(bytes_);
    EXPECT_EQ(cudaMemcpy(all.data(), memory_, bytes_, cudaMemcpyDeviceToHost), cudaSuccess);
    const std::size_t end = begin_ + count_ * sizeof(T);
    for (std::size_t i = 0; i < bytes_; ++i) {
      if ((i < begin_ || i >= end) && all[i] != canary) {
        ADD_FAILURE() << "byte " << std::ptrdiff_t(i - begin_) << " of an array of " << count_ * sizeof(T)
                      << " bytes was written";
        break;
      }
    }
    std::vector<T> values(count_);
    if (count_ > 0) std::memcpy(static_cast<void*>(values.data()), all.data() + begin_, count_ * sizeof(T));
    return values;
  }

 private:
  static constexpr std::size_t guard = 256;
  static constexpr unsigned char canary = 0xA5;
  std::size_t count_, begin_, bytes_;
  unsigned char* memory_ = nullptr;
};

inline std::mt19937& source() {
  static std::mt19937 numbers(20261130);
  return numbers;
}

/// Floats between -1 and 1, none of them 0.
inline std::vector<float> random_floats(std::size_t count) {
  std::uniform_real_distribution<float> draw(0.125f, 1.0f);
  std::vector<float> values(count);
  for (float& value : values) value = source()() % 2 == 0 ? draw(source()) : -draw(source());
  return values;
}

inline std::vector<unsigned char> random_bytes(std::size_t count) {
  std::vector<unsigned char> values(count);
  for (unsigned char& value : values) value = static_cast<unsigned char>(source()());
  return values;
}

/// Numbers that tell their place, exactly: 1, 2, 3, ... (for __half modulo 2000).
template <class T>
std::vector<T> numbered(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = T(float(sizeof(T) == 2 ? i % 2000 + 1 : i + 1));
  return values;
}

/// Bit for bit; says the first place that differs.
template <class T>
void expect_same(const std::vector<T>& got, const std::vector<T>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::memcmp(&got[i], &expected[i], sizeof(T)) != 0) {
      FAIL() << "element " << i << " of " << got.size() << ": " << float(got[i]) << " instead of "
             << float(expected[i]);
    }
  }
}

#define EXPECT_CUDA(call) EXPECT_EQ(call, cudaSuccess) << cudaGetErrorString(cudaPeekAtLastError())

}  // namespace workbook::kernels::test
