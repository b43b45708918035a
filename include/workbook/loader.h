// What a loader is made of, besides your own part of it: a bounded queue, what the queue has seen, and what
// is to be loaded. Used by chapter 10.
//
//   workbook::BoundedQueue<int> queue(4);
//   std::thread producer([&] {
//     for (int i = 0; i < 100; ++i) {
//       if (!queue.push(i)) return;          // somebody closed it: nobody wants the rest
//     }
//     queue.close();                         // no more to come
//   });
//   while (std::optional<int> i = queue.pop()) use(*i);      // ends when it is closed and empty
//   producer.join();
//
// The queue is safe for any number of threads at both ends. It keeps the order in which the pushes were done,
// and knows no other. C++17.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace workbook {

// What happened at a queue. Whoever waits is not the slow one: long waits of the consumer say that the
// producers are too slow, and the reverse.
struct QueueStatistics {
  std::size_t pushed = 0, popped = 0;  // items so far
  std::size_t most = 0;                // held at one time
  double push_wait_us = 0;             // all producers together waited so long for room
  double pop_wait_us = 0;              // all consumers together waited so long for something to take
};

// A queue that holds a limited number of items, for any number of threads at both ends.
template <class T>
class BoundedQueue {
 public:
  // At most `room` items (1 or more) are held at a time.
  explicit BoundedQueue(std::size_t room) : room_(room == 0 ? 1 : room) {}
  BoundedQueue(const BoundedQueue&) = delete;
  BoundedQueue& operator=(const BoundedQueue&) = delete;

  // Waits until there is room. False when the queue is closed: the item was not taken.
  bool push(T item) {
    std::unique_lock<std::mutex> lock(mutex_);
    wait(lock, has_room_, statistics_.push_wait_us, [&] { return closed_ || items_.size() < room_; });
    if (closed_) return false;
    items_.push_back(std::move(item));
    ++statistics_.pushed;
    if (items_.size() > statistics_.most) statistics_.most = items_.size();
    has_items_.notify_one();
    return true;
  }

  // Waits until there is an item. Nothing when the queue is closed and empty.
  std::optional<T> pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    wait(lock, has_items_, statistics_.pop_wait_us, [&] { return closed_ || !items_.empty(); });
    if (items_.empty()) return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    ++statistics_.popped;
    has_room_.notify_one();
    return item;
  }

  // From now on pushes fail. What is held can still be taken; all who wait go on.
  void close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
    has_room_.notify_all();
    has_items_.notify_all();
  }

  // What happened so far.
  QueueStatistics statistics() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return statistics_;
  }

 private:
  template <class Condition>
  void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& changed, double& waited,
            Condition condition) {
    if (condition()) return;
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    changed.wait(lock, condition);
    waited += std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
  }

  const std::size_t room_;
  mutable std::mutex mutex_;
  std::condition_variable has_room_, has_items_;
  std::deque<T> items_;
  bool closed_ = false;
  QueueStatistics statistics_;
};

// A copy within the host: memcpy, whose time the simulated device's clock sees too.
inline void host_copy(void* to, const void* from, std::size_t bytes) {
  cudaMemcpy(to, from, bytes, cudaMemcpyHostToHost);
}

// What there is to load, and what is done with it. Both functions are given to you.
struct Feed {
  int batches = 0;        // how many, numbered from 0
  std::size_t bytes = 0;  // of one batch
  // Makes batch `batch` at `to`, which is host memory of `bytes` bytes. Takes the time of the calling thread;
  // any thread may call it, several at once for different batches.
  std::function<void(int batch, std::uint8_t* to)> decode;
  // Launches the step that reads batch `batch` at `d_batch`, and what the step before it left, in `stream`;
  // returns at once.
  std::function<void(int batch, const std::uint8_t* d_batch, cudaStream_t stream)> step;
};

}  // namespace workbook
