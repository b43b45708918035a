// wrong: all slots but one are left alone
// verdict: too slow
// code: bound.step
// message: What does it wait for
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

// Per slot: `copied` says that its host half has been read, `used` that its device half has.
void run(const workbook::Feed& feed, int workers, const std::vector<Slot>& slots) {
  const int count = 1;  // the first one will do
  cudaStream_t copy = nullptr, compute = nullptr;
  cudaStreamCreateWithFlags(&copy, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking);
  std::vector<cudaEvent_t> copied(count), used(count);
  for (cudaEvent_t& event : copied) cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  for (cudaEvent_t& event : used) cudaEventCreateWithFlags(&event, cudaEventDisableTiming);

  Tickets tickets(feed.batches, count);
  std::vector<std::thread> threads;
  for (int w = 0; w < workers; ++w) {
    threads.emplace_back([&] {
      for (int n = tickets.next(); n >= 0; n = tickets.next()) {
        if (n >= count) cudaEventSynchronize(copied[n % count]);  // of batch n - count
        feed.decode(n, slots[n % count].host);
        tickets.filled(n);
      }
    });
  }
  for (int n = 0; n < feed.batches; ++n) {
    const int s = n % count;
    tickets.wait_until_filled(n);
    if (n >= count) cudaStreamWaitEvent(copy, used[s], 0);  // of batch n - count
    cudaMemcpyAsync(slots[s].device, slots[s].host, feed.bytes, cudaMemcpyHostToDevice, copy);
    cudaEventRecord(copied[s], copy);
    cudaStreamWaitEvent(compute, copied[s], 0);
    feed.step(n, slots[s].device, compute);
    cudaEventRecord(used[s], compute);
    tickets.release(n);  // now there is an event to wait for
  }
  for (std::thread& thread : threads) thread.join();
  cudaStreamSynchronize(compute);
  for (cudaEvent_t event : copied) cudaEventDestroy(event);
  for (cudaEvent_t event : used) cudaEventDestroy(event);
  cudaStreamDestroy(copy);
  cudaStreamDestroy(compute);
}
