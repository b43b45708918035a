// wrong: counts a batch as delivered before deliver has returned
// verdict: wrong
// code: window
// message: deliver had not returned for it: until then it counts
#include <chrono>
#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

using Batch = std::shared_ptr<std::vector<std::uint8_t>>;
using Decode = std::function<Batch(int number)>;
using Deliver = std::function<bool(int number, Batch batch)>;

void load_in_order(int workers, int count, int window, const Decode& decode, const Deliver& deliver) {
  std::mutex m;
  std::condition_variable changed;
  std::map<int, Batch> ready;
  int next = 0, delivered = 0;
  bool stop = false;
  std::vector<std::thread> threads;
  for (int w = 0; w < workers; ++w)
    threads.emplace_back([&] {
      std::unique_lock<std::mutex> lock(m);
      for (;;) {
        changed.wait(lock, [&] { return stop || next >= count || next < delivered + window; });
        if (stop || next >= count) return;
        const int n = next++;
        lock.unlock();
        Batch b = decode(n);
        lock.lock();
        ready[n] = std::move(b);
        changed.notify_all();
      }
    });
  for (int k = 0; k < count; ++k) {
    std::unique_lock<std::mutex> lock(m);
    changed.wait(lock, [&] { return ready.count(k) != 0; });
    Batch b = std::move(ready[k]);
    ready.erase(k);
    lock.unlock();
    lock.lock(); ++delivered; changed.notify_all(); lock.unlock();
    const bool more = deliver(k, std::move(b));
    lock.lock();
    if (!more) stop = true;
    changed.notify_all();
    if (!more) break;
  }
  for (std::thread& t : threads) t.join();
}
