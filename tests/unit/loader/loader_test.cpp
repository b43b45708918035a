// The queue of workbook/loader.h and the loaders of chapter 10 on the real clock, watched by ThreadSanitizer.
// CUDA is played by a few functions that do at once what they are asked: what is looked at here is the host's
// side.
#include "workbook/loader.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "solutions/10_loader_with_workers/02_in_order.cu"
namespace pinned {
#include "solutions/10_loader_with_workers/03_pinned_slots.cu"
}
namespace whole {
#include "solutions/10_loader_with_workers/04_the_whole_loader.cu"
}

extern "C" {
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned) {
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) {
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned) {
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t) {
  return cudaSuccess;
}
}

namespace workbook {
namespace {

void take_a_while(int n) {
  std::this_thread::sleep_for(std::chrono::microseconds(n % 5 == 0 ? 400 : 40));
}

TEST(BoundedQueue, KeepsOrderAndBoundBetweenTwoThreads) {
  BoundedQueue<int> queue(3);
  std::thread producer([&] {
    for (int i = 0; i < 500; ++i) ASSERT_TRUE(queue.push(i));
    queue.close();
  });
  int next = 0;
  while (const auto item = queue.pop()) ASSERT_EQ(*item, next++);
  producer.join();
  EXPECT_EQ(next, 500);
  EXPECT_LE(queue.statistics().most, 3u);
  EXPECT_EQ(queue.statistics().pushed, 500u);
  EXPECT_EQ(queue.statistics().popped, 500u);
}

TEST(BoundedQueue, LosesNothingBetweenManyThreads) {
  BoundedQueue<int> queue(4);
  std::atomic<long> sum{0};
  std::vector<std::thread> producers, consumers;
  for (int t = 0; t < 4; ++t) {
    producers.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) queue.push(t * 200 + i);
    });
    consumers.emplace_back([&] {
      while (const auto item = queue.pop()) sum += *item;
    });
  }
  for (auto& thread : producers) thread.join();
  queue.close();
  for (auto& thread : consumers) thread.join();
  EXPECT_EQ(sum, 800L * 799 / 2);
}

TEST(BoundedQueue, CloseWakesBothSides) {
  BoundedQueue<int> full(1), empty(1);
  ASSERT_TRUE(full.push(1));
  std::thread pushes([&] { EXPECT_FALSE(full.push(2)); });
  std::thread pops([&] { EXPECT_FALSE(empty.pop().has_value()); });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  full.close();
  empty.close();
  pushes.join();
  pops.join();
  EXPECT_EQ(full.pop(), std::optional<int>(1));  // what was held can still be taken
  EXPECT_FALSE(full.pop().has_value());
}

TEST(BoundedQueue, SaysWhoWaited) {
  BoundedQueue<int> queue(1);
  std::thread slow([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    queue.push(1);
  });
  queue.pop();
  slow.join();
  EXPECT_GT(queue.statistics().pop_wait_us, 10'000);
  EXPECT_EQ(queue.statistics().push_wait_us, 0);
}

TEST(Loaders, InOrder) {
  for (const int workers : {1, 2, 5, 16}) {
    int next = 0;
    load_in_order(
        workers, 60, workers + 2,
        [](int n) {
          take_a_while(n);
          return std::make_shared<std::vector<std::uint8_t>>(1, static_cast<std::uint8_t>(n));
        },
        [&](int n, Batch batch) {
          EXPECT_EQ(n, next++);
          EXPECT_EQ((*batch)[0], n);
          return n < 50;
        });
    EXPECT_EQ(next, 51);
  }
}

Feed feed_of(int batches, std::size_t bytes, std::function<void(int, const std::uint8_t*)> step) {
  return {batches, bytes,
          [bytes](int n, std::uint8_t* to) {
            take_a_while(n);
            std::memset(to, n, bytes);
          },
          [step = std::move(step)](int n, const std::uint8_t* d, cudaStream_t) { step(n, d); }};
}

TEST(Loaders, PinnedSlots) {
  constexpr std::size_t bytes = 512;
  std::vector<std::uint8_t> memory(3 * bytes), all(40 * bytes);
  pinned::load(feed_of(40, bytes, {}), 4, {memory.data(), memory.data() + bytes, memory.data() + 2 * bytes},
               all.data());
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], i / bytes);
}

TEST(Loaders, TheWholeLoader) {
  constexpr std::size_t bytes = 512;
  for (const int slots : {1, 2, 4}) {
    std::vector<std::uint8_t> memory(8 * bytes);
    std::vector<whole::Slot> list;
    for (int s = 0; s < slots; ++s)
      list.push_back({memory.data() + 2 * s * bytes, memory.data() + (2 * s + 1) * bytes});
    int next = 0;
    whole::run(feed_of(40, bytes,
                       [&](int n, const std::uint8_t* batch) {
                         EXPECT_EQ(n, next++);
                         for (std::size_t i = 0; i < bytes; ++i) ASSERT_EQ(batch[i], n);
                       }),
               3, list);
    EXPECT_EQ(next, 40);
  }
}

}  // namespace
}  // namespace workbook
