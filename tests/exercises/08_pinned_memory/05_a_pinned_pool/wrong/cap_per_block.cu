// wrong: compares the block with the cap, and not the sum
// verdict: wrong
// code: over_the_cap
// message: the cap is
#include <cuda_runtime.h>

#include <cstdlib>
#include <mutex>
#include <vector>

// What the pool hands out. `pinned` is the truth about `data`; give the block back as you got it.
struct Block {
  void* data;
  std::size_t bytes;  // as asked for
  bool pinned;
};

// One block of pinned memory that the pool keeps.
struct Entry {
  void* data;
  std::size_t bytes;
  cudaEvent_t last_use;  // recorded behind the last work that was queued with it
  bool lent;             // somebody holds it
};

struct Pool {
  std::size_t cap = 0, locked = 0;  // bytes of pinned memory: at most, and now
  std::vector<Entry> entries;
  std::mutex mutex;
};

// A pool that never has more than cap_bytes of pinned memory.
Pool* make_pool(std::size_t cap_bytes) {
  Pool* const pool = new Pool;
  pool->cap = cap_bytes;
  return pool;
}

// A block of at least `bytes` bytes (1 or more) that nobody else uses: no other holder, and no work of the device that
// was queued before it was given back. A free block of the pool that is large enough; else a new one of `bytes` bytes, if
// the pool's pinned memory then stays within the cap; else pageable memory, and pinned says so. Also if the driver refuses to pin:
// then no error is left behind. Does not wait for the device. Any thread may call.
Block acquire(Pool* pool, std::size_t bytes) {
  const std::lock_guard<std::mutex> lock(pool->mutex);
  for (Entry& e : pool->entries) {
    if (e.lent || e.bytes < bytes || cudaEventQuery(e.last_use) != cudaSuccess) continue;
    e.lent = true;
    return {e.data, bytes, true};
  }
  Entry e{nullptr, bytes, nullptr, true};
  if (bytes <= pool->cap) {
    if (cudaMallocHost(&e.data, bytes) == cudaSuccess) {
      cudaEventCreateWithFlags(&e.last_use, cudaEventDisableTiming);
      pool->locked += bytes;
      pool->entries.push_back(e);
      return {e.data, bytes, true};
    }
    cudaGetLastError();  // the block below is the answer to it
  }
  return {std::malloc(bytes), bytes, false};
}

// Takes a block back. Work with it may still be under way in `stream`; the next one who gets it must not meet that work.
// Does not wait for the device. Any thread may call.
void give_back(Pool* pool, Block block, cudaStream_t stream) {
  if (!block.pinned) return std::free(block.data);
  const std::lock_guard<std::mutex> lock(pool->mutex);
  for (Entry& e : pool->entries) {
    if (e.data != block.data) continue;
    cudaEventRecord(e.last_use, stream);
    e.lent = false;
  }
}

// Bytes of pinned memory that the pool has now.
std::size_t locked_bytes(Pool* pool) {
  const std::lock_guard<std::mutex> lock(pool->mutex);
  return pool->locked;
}

// Everything has been given back; work may still be under way.
void destroy_pool(Pool* pool) {
  for (const Entry& e : pool->entries) {
    cudaFreeHost(e.data);  // waits for the device
    if (e.last_use != nullptr) cudaEventDestroy(e.last_use);
  }
  delete pool;
}
