// wrong: batches are delivered in the order in which they are ready
// verdict: wrong
// code: order
// message: still being decoded
#include <workbook/loader.h>

#include <atomic>
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
  workbook::BoundedQueue<std::pair<int, Batch>> ready(window);
  std::atomic<int> next{0};
  std::vector<std::thread> threads;
  for (int w = 0; w < workers; ++w) {
    threads.emplace_back([&] {
      for (int n = next++; n < count; n = next++) {
        if (!ready.push({n, decode(n)})) return;
      }
    });
  }
  for (int k = 0; k < count; ++k) {
    auto item = ready.pop();
    if (!deliver(item->first, item->second)) break;
  }
  ready.close();
  for (std::thread& thread : threads) thread.join();
}
