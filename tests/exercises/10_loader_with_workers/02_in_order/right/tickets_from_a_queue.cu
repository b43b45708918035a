// right: tickets come from a bounded queue: the consumer puts a new one in for each batch that it has delivered
#include <workbook/loader.h>

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
  workbook::BoundedQueue<int> tickets(window);
  workbook::BoundedQueue<std::pair<int, Batch>> ready(window);
  std::vector<std::thread> threads;
  for (int w = 0; w < workers; ++w) {
    threads.emplace_back([&] {
      while (auto ticket = tickets.pop()) ready.push({*ticket, decode(*ticket)});
    });
  }
  int issued = 0;
  for (; issued < window && issued < count; ++issued) tickets.push(issued);
  std::map<int, Batch> early;  // never more than the window
  bool more = true;
  for (int k = 0; k < count && more; ++k) {
    while (early.count(k) == 0) early.insert(*ready.pop());
    Batch batch = std::move(early[k]);
    early.erase(k);
    more = deliver(k, std::move(batch));
    if (more && issued < count) tickets.push(issued++);
  }
  // Nobody is to begin with what is left.
  std::thread drain([&] {
    while (tickets.pop()) {}
  });
  tickets.close();
  drain.join();
  ready.close();
  for (std::thread& thread : threads) thread.join();
}
