// wrong: a worker takes the next number whether or not the place of its batch is free
// verdict: wrong
// code: content
// message: use one place
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

using Batch = std::shared_ptr<std::vector<std::uint8_t>>;
using Decode = std::function<Batch(int number)>;
using Deliver = std::function<bool(int number, Batch batch)>;

void load_in_order(int workers, int count, int window, const Decode& decode, const Deliver& deliver) {
  std::mutex mutex;
  std::condition_variable changed;  // any of these:
  std::vector<Batch> slots(window);  // batch n waits for its turn in slots[n % window]
  int tickets = 0, delivered = 0;
  bool stop = false;

  std::vector<std::thread> threads;
  for (int w = 0; w < workers; ++w) {
    threads.emplace_back([&] {
      std::unique_lock<std::mutex> lock(mutex);
      for (;;) {
        if (stop || tickets == count) return;
        const int n = tickets++;
        lock.unlock();
        Batch batch = decode(n);
        lock.lock();
        slots[n % window] = std::move(batch);
        changed.notify_all();
      }
    });
  }
  std::unique_lock<std::mutex> lock(mutex);
  while (!stop && delivered < count) {
    Batch& slot = slots[delivered % window];
    changed.wait(lock, [&] { return slot != nullptr; });
    Batch batch = std::move(slot);
    lock.unlock();
    const bool more = deliver(delivered, std::move(batch));
    lock.lock();
    ++delivered;
    stop = !more;
    changed.notify_all();
  }
  lock.unlock();
  for (std::thread& thread : threads) thread.join();
}
