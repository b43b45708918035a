// What the drivers of this chapter share: page-locked memory of their own, the host's clock, and a stream
// that is held up for a while, so that what is queued behind waits and a missing wait shows every time.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace pinned_memory {

class Pinned {
 public:
  explicit Pinned(std::size_t bytes) { cudaMallocHost(&data_, bytes); }
  ~Pinned() { cudaFreeHost(data_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  unsigned char* data() { return static_cast<unsigned char*>(data_); }

 private:
  void* data_ = nullptr;
};

class Device {
 public:
  explicit Device(std::size_t bytes) { cudaMalloc(&data_, bytes); }
  ~Device() { cudaFree(data_); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  unsigned char* data() { return static_cast<unsigned char*>(data_); }

 private:
  void* data_ = nullptr;
};

class Stream {
 public:
  Stream() { cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

inline double host_us() {
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

template <class F>
double median_us(F once, int samples = 5) {
  once();
  std::vector<double> times(samples);
  for (double& t : times) {
    const double begin = host_us();
    once();
    t = host_us() - begin;
  }
  std::sort(times.begin(), times.end());
  return times[samples / 2];
}

// What is queued in the stream from here on begins so many microseconds later.
inline void hold_up(cudaStream_t stream, int us) {
  cudaLaunchHostFunc(
      stream,
      [](void* how_long) {
        std::this_thread::sleep_for(std::chrono::microseconds(reinterpret_cast<std::intptr_t>(how_long)));
      },
      reinterpret_cast<void*>(static_cast<std::intptr_t>(us)));
}

// Bytes that tell where they are, and of which round.
inline void fill(void* to, std::size_t bytes, unsigned round) {
  auto* const out = static_cast<unsigned char*>(to);
  const std::uint32_t salt = round * 2654435761u + 12345u;
  std::size_t i = 0;
  for (; i + 4 <= bytes; i += 4) {
    const std::uint32_t word = static_cast<std::uint32_t>(i) * 2246822519u + salt;
    std::memcpy(out + i, &word, 4);
  }
  for (; i < bytes; ++i) out[i] = static_cast<unsigned char>(salt + i);
}

// The first byte that is not as `fill` made it; -1: none.
inline std::int64_t first_other(const void* from, std::size_t bytes, unsigned round) {
  std::vector<unsigned char> expected(bytes);
  fill(expected.data(), bytes, round);
  const auto* const got = static_cast<const unsigned char*>(from);
  if (std::memcmp(got, expected.data(), bytes) == 0) return -1;
  return std::mismatch(expected.begin(), expected.end(), got).first - expected.begin();
}

}  // namespace pinned_memory
