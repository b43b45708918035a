// 10.2  In order from W workers
//
// decode(n) makes batch n, and takes a while: some batches take ten times as long as others. Let `workers` threads
// decode, and hand batch 0, 1, 2, ... to deliver, in this order, from the thread that called load_in_order.
//
//   - decode is called once for each batch, by any thread, several at once.
//   - Of the batches that have been begun, at most `window` are not delivered yet: memory is not endless. A batch is
//     delivered when deliver has returned. `window` is at least `workers`.
//   - deliver returns false when nobody wants the rest: no batch is begun after that.
//   - When load_in_order returns, its threads have ended.
//
// What stands here delivers everything, in the order in which it happens to be ready.
//
// When it works, you will see "in order" pass, and one slow batch no longer lets the others pile up.

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
  // TODO: order. A worker that takes the next number has a ticket; who comes first must not matter.
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
