// Host threads that hand work over; everything printed is modelled time and must be the same in every run.
#include <atomic>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "cudart/handshake.h"
#include "program.h"

namespace {

void work(double us) {
  static const auto host_work = WORKBOOK_HANDSHAKE(wbHostWork);
  host_work(us);
}

void hand_over() {
  std::mutex mutex;
  std::condition_variable condition;
  std::deque<int> queue;
  bool closed = false;
  std::vector<double> done;
  std::thread consumer([&] {
    for (;;) {
      std::unique_lock lock(mutex);
      condition.wait(lock, [&] { return !queue.empty() || closed; });
      if (queue.empty()) break;
      queue.pop_front();
      lock.unlock();
      work(70);
      done.push_back(now_us());
    }
  });
  std::thread producer([&] {
    for (int i = 0; i < 10; ++i) {
      work(50 + i);
      const std::lock_guard lock(mutex);
      queue.push_back(i);
      condition.notify_one();
    }
    const std::lock_guard lock(mutex);
    closed = true;
    condition.notify_all();
  });
  producer.join();
  consumer.join();
  CHECK(done.size() == 10);
  for (std::size_t i = 1; i < done.size(); ++i)
    CHECK(done[i] - done[i - 1] > 70 && done[i] - done[i - 1] < 71);
  for (const double t : done) std::printf("%.3f ", t);
}

void contended_lock() {
  std::mutex mutex;
  std::vector<std::thread> threads;
  const double begun = now_us();
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const std::lock_guard lock(mutex);
      work(1000);
    });
  }
  for (auto& thread : threads) thread.join();
  const double took = now_us() - begun;
  CHECK(took > 4000 && took < 4100);  // one after the other
  std::printf("%.3f ", took);
}

void side_by_side() {
  std::vector<std::thread> threads;
  const double begun = now_us();
  for (int i = 0; i < 4; ++i) threads.emplace_back([] { work(1000); });
  for (auto& thread : threads) thread.join();
  const double took = now_us() - begun;
  CHECK(took > 1000 && took < 1100);  // at the same time, whatever the number of cores
  std::printf("%.3f ", took);
}

void other_ways_to_wait() {
  auto future = std::async(std::launch::async, [] {
    work(500);
    return 7;
  });
  CHECK(future.get() == 7);
  std::atomic<int> flag{0};
  std::thread setter([&] {
    work(10);
    flag = 1;
    flag.notify_one();
  });
  flag.wait(0);
  setter.join();
  std::once_flag once;
  int times = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      std::call_once(once, [&] {
        work(100);
        ++times;
      });
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(times == 1);
  std::shared_mutex shared;
  std::thread writer([&] {
    const std::unique_lock lock(shared);
    work(100);
  });
  work(50);
  { const std::shared_lock lock(shared); }
  writer.join();
  std::printf("%.3f ", now_us());
}

void devices_from_two_threads() {
  void *memory[2] = {}, *host = nullptr;
  CHECK_OK(cudaMallocHost(&host, 1 << 22));
  for (void*& m : memory) CHECK_OK(cudaMalloc(&m, 1 << 22));
  std::vector<std::thread> threads;
  double ends[2] = {};
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      cudaStream_t stream{};
      CHECK_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
      for (int k = 0; k < 5; ++k) {
        CHECK_OK(cudaMemcpyAsync(memory[i], host, 1 << 22, cudaMemcpyHostToDevice, stream));
        CHECK_OK(cudaStreamSynchronize(stream));
      }
      ends[i] = now_us();
      CHECK_OK(cudaStreamDestroy(stream));
    });
  }
  for (auto& thread : threads) thread.join();
  std::printf("%.3f %.3f", ends[0], ends[1]);
}

}  // namespace

int main() {
  now_us();
  hand_over();
  contended_lock();
  side_by_side();
  other_ways_to_wait();
  devices_from_two_threads();
  std::printf("\n");
  return failures;
}
