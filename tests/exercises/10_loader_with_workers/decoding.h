// A decode function for the drivers of this chapter: fills a batch, takes its time, and notes who decodes
// where.
#pragma once

#include <cuda_runtime_api.h>
#include <workbook/driver.h>
#include <workbook/loader.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "feed.h"

namespace decoding {

// Pinned or device memory for as long as this lives.
template <cudaError_t (*allocate)(void**, std::size_t), cudaError_t (*release)(void*)>
class Memory {
 public:
  explicit Memory(std::size_t bytes) { allocate(&data_, bytes); }
  ~Memory() { release(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  std::uint8_t* data() const { return static_cast<std::uint8_t*>(data_); }

 private:
  void* data_ = nullptr;
};
inline cudaError_t pinned(void** p, std::size_t bytes) {
  return cudaMallocHost(p, bytes);
}
inline cudaError_t device(void** p, std::size_t bytes) {
  return cudaMalloc(p, bytes);
}
using Pinned = Memory<pinned, cudaFreeHost>;
using Device = Memory<device, cudaFree>;

class Decoder {
 public:
  // `every`: only each so-many-th word is written, where the bytes are not to take time of their own.
  Decoder(int batches, std::size_t bytes, double us, std::vector<std::uint8_t*> slots, std::size_t every = 1)
      : batches_(batches),
        bytes_(bytes),
        us_(us),
        every_(every),
        slots_(std::move(slots)),
        times_(static_cast<std::size_t>(batches), 0),
        where_(static_cast<std::size_t>(batches), -1) {}

  // One part of the bytes comes at once, the other at the end: who takes the batch too early gets half of it.
  void operator()(int batch, std::uint8_t* to) {
    if (!begin(batch, to)) return;
    const std::size_t words = bytes_ / 8;
    feed::fill(batch, to, 0, words / 2, every_);
    // Where the order may matter, the first batches are the slow ones.
    workbook::host_work(every_ > 1 ? us_ : us_ * (batch % 3 == 0 ? 3 : 1));
    feed::fill(batch, to, words / 2, words, every_);
    const std::lock_guard<std::mutex> lock(mutex_);
    active_.erase(std::find(active_.begin(), active_.end(), to));
  }

  // Results for the judge: `decoded` and `where` by batch; where: the number of the slot, -1 never decoded,
  // -2 pageable memory, -3 pinned memory that is no slot, -4 something else.
  void give(workbook::Call& call, std::int32_t* decoded, std::int32_t* where) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::copy(times_.begin(), times_.end(), decoded);
    std::copy(where_.begin(), where_.end(), where);
    call.result("outside", outside_);
    call.result("shared", shared_);
    call.result("active", static_cast<int>(active_.size()));
  }

 private:
  bool begin(int batch, std::uint8_t* to) {
    int where = -4;
    const auto slot = std::find(slots_.begin(), slots_.end(), to);
    if (slot != slots_.end()) {
      where = static_cast<int>(slot - slots_.begin());
    } else if (cudaPointerAttributes facts{}; cudaPointerGetAttributes(&facts, to) == cudaSuccess) {
      if (facts.type == cudaMemoryTypeUnregistered) where = -2;
      if (facts.type == cudaMemoryTypeHost) where = -3;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    if (batch < 0 || batch >= batches_) {
      ++outside_;
      return false;
    }
    ++times_[static_cast<std::size_t>(batch)];
    where_[static_cast<std::size_t>(batch)] = where;
    if (std::find(active_.begin(), active_.end(), to) != active_.end()) ++shared_;
    active_.push_back(to);
    return where != -4;
  }

  const int batches_;
  const std::size_t bytes_;
  const double us_;
  const std::size_t every_;
  const std::vector<std::uint8_t*> slots_;
  std::mutex mutex_;
  std::vector<int> times_, where_;
  std::vector<std::uint8_t*> active_;
  int outside_ = 0, shared_ = 0;
};

}  // namespace decoding
