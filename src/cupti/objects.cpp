#include "cupti/objects.h"

#include <iterator>

namespace workbook::cupti {

using trace::MemoryKind;

void Objects::made(Block block) {
  const std::lock_guard lock(mutex_);
  blocks_[block.base] = block;
}

Objects::Block Objects::gone(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(address);
  if (found == blocks_.end()) return {};
  const Block block = found->second;
  blocks_.erase(found);
  return block;
}

MemoryKind Objects::kind_at(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return MemoryKind::pageable;
  const Block& block = std::prev(after)->second;
  return address - block.base < block.size ? block.kind : MemoryKind::pageable;
}

int Objects::stream(cudaStream_t handle, bool per_thread) {
  if (handle == cudaStreamLegacy || (handle == nullptr && !per_thread)) return 0;
  if (handle == nullptr || handle == cudaStreamPerThread) {
    static thread_local int own = 0;  // the calling thread's own stream, once it uses it
    if (own == 0) {
      const std::lock_guard lock(mutex_);
      own = ++last_stream_;
    }
    return own;
  }
  const std::lock_guard lock(mutex_);
  const auto [entry, is_new] = streams_.try_emplace(handle, last_stream_ + 1);
  if (is_new) ++last_stream_;
  return entry->second;
}

int Objects::stream_gone(cudaStream_t handle) {
  const int number = stream(handle, false);
  const std::lock_guard lock(mutex_);
  streams_.erase(handle);
  return number;
}

std::uint64_t Objects::event(cudaEvent_t handle) {
  const std::lock_guard lock(mutex_);
  const auto [entry, is_new] = events_.try_emplace(handle, last_event_ + 1);
  if (is_new) ++last_event_;
  return entry->second;
}

std::uint64_t Objects::event_gone(cudaEvent_t handle) {
  const std::uint64_t number = event(handle);
  const std::lock_guard lock(mutex_);
  events_.erase(handle);
  return number;
}

}  // namespace workbook::cupti
