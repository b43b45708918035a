// wrong: batch n always goes to worker n % workers, so a slow one holds up its own line
// verdict: wrong
// code: window
// message: had been begun and not delivered
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
  std::vector<std::unique_ptr<workbook::BoundedQueue<Batch>>> lines;
  for (int w = 0; w < workers; ++w)
    lines.push_back(std::make_unique<workbook::BoundedQueue<Batch>>(window / workers));
  std::vector<std::thread> threads;
  for (int w = 0; w < workers; ++w) {
    threads.emplace_back([&, w] {
      for (int n = w; n < count; n += workers) {
        if (!lines[w]->push(decode(n))) return;
      }
    });
  }
  for (int k = 0; k < count; ++k) {
    auto batch = lines[k % workers]->pop();
    if (!deliver(k, *batch)) break;
  }
  for (auto& line : lines) line->close();
  for (std::thread& thread : threads) thread.join();
}
