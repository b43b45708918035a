// wrong: those that are early wait in a map without end: one slow batch, and memory grows
// verdict: wrong
// code: window
// message: had been begun and not delivered
#include <workbook/loader.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
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
  std::map<int, Batch> early;  // ready before their turn
  for (int k = 0; k < count; ++k) {
    while (early.find(k) == early.end()) {
      auto item = ready.pop();
      early[item->first] = item->second;
    }
    Batch batch = early[k];
    early.erase(k);
    if (!deliver(k, batch)) break;
  }
  ready.close();
  for (std::thread& thread : threads) thread.join();
}
