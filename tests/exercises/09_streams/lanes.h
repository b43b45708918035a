// What the drivers of 9.1 and 9.2 share: arrays in pinned memory, and what they looked like when the
// learner's function returned.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstring>
#include <vector>

namespace streams {

// Page-locked host memory.
class Pinned {
 public:
  explicit Pinned(std::size_t count) : count_(count) { cudaMallocHost(&data_, (count + 1) * sizeof(float)); }
  ~Pinned() { cudaFreeHost(data_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  float* data() { return static_cast<float*>(data_); }
  std::size_t bytes() const { return count_ * sizeof(float); }
  void poison() { std::memset(data_, 0xff, bytes()); }

 private:
  std::size_t count_;
  void* data_ = nullptr;
};

// What the array holds now. Its end first: what arrives last is there.
inline void keep(float* to, const float* from, std::size_t count) {
  constexpr std::size_t step = 4096;
  for (std::size_t end = count; end > 0;) {
    const std::size_t begin = end > step ? end - step : 0;
    std::memcpy(to + begin, from + begin, (end - begin) * sizeof(float));
    end = begin;
  }
}

}  // namespace streams
