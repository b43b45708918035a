// 10.4  The whole loader
//
// Feed the device without a pause. For each batch of feed, in order: decode it into the pinned half of a slot, copy it
// to the half on the device, and call feed.step with it. `workers` threads decode; batch n uses slot n % slots.size().
// A step needs what the one before it left on the device. When run returns, every step is done. Two slots are enough to
// be as fast as with four.
//
// What stands here is right, and the device mostly waits: one stream, and the host waits for each step before it
// goes on. Decoding, copying and the steps should go on at the same time, each with another batch.
//
// When it works, a batch takes hardly longer than the slowest of the three, and "no pause" passes.

#include <cuda_runtime.h>
#include <workbook/loader.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

struct Slot {
  std::uint8_t *host, *device;  // feed.bytes bytes each; host is pinned
};

// Who may fill which slot, and what has been filled: 10.2. Given.
class Tickets {
 public:
  Tickets(int batches, int slots) : batches_(batches), free_until_(slots), slots_(slots), filled_(slots, -1) {}
  // For a worker: the next batch to decode, as soon as its slot has been released; -1 when there are no more.
  int next() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return next_ == batches_ || next_ < free_until_; });
    return next_ == batches_ ? -1 : next_++;
  }
  void filled(int n) {
    const std::lock_guard<std::mutex> lock(mutex_);
    filled_[n % slots_] = n;
    changed_.notify_all();
  }
  void wait_until_filled(int n) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return filled_[n % slots_] == n; });
  }
  // The slot of batch n may be given to batch n + slots. Call it for n = 0, 1, 2, ...
  void release(int n) {
    const std::lock_guard<std::mutex> lock(mutex_);
    free_until_ = n + 1 + slots_;
    changed_.notify_all();
  }

 private:
  const int batches_;
  int next_ = 0, free_until_;
  const int slots_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<int> filled_;
};

void run(const workbook::Feed& feed, int workers, const std::vector<Slot>& slots) {
  // TODO: run. Which edge does each step of a batch need, and which one does the next batch in the same slot need?
  const int count = static_cast<int>(slots.size());
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);

  Tickets tickets(feed.batches, count);
  std::vector<std::thread> threads;
  for (int w = 0; w < workers; ++w) {
    threads.emplace_back([&] {
      for (int n = tickets.next(); n >= 0; n = tickets.next()) {
        feed.decode(n, slots[n % count].host);
        tickets.filled(n);
      }
    });
  }
  for (int n = 0; n < feed.batches; ++n) {
    const Slot& slot = slots[n % count];
    tickets.wait_until_filled(n);
    cudaMemcpyAsync(slot.device, slot.host, feed.bytes, cudaMemcpyHostToDevice, stream);
    feed.step(n, slot.device, stream);
    cudaStreamSynchronize(stream);
    tickets.release(n);
  }
  for (std::thread& thread : threads) thread.join();
  cudaStreamDestroy(stream);
}
