// The code of chapter 10.
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "claims.h"

struct Desk {
  std::mutex mutex;
  std::condition_variable changed;
  int tickets = 0, delivered = 0, window = 2, most_at_a_time = 0;

  void draw() {
    // --8<-- [start:wait]
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return tickets < delivered + window; });
    // --8<-- [end:wait]
    ++tickets;
    if (tickets - delivered > most_at_a_time) most_at_a_time = tickets - delivered;
  }

  void deliver() {
    const std::lock_guard<std::mutex> lock(mutex);
    ++delivered;
    changed.notify_all();
  }
};

int main() {
  Desk desk;
  std::vector<std::thread> workers;
  for (int w = 0; w < 4; ++w) {
    workers.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        desk.draw();
        desk.deliver();
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  CLAIM(desk.tickets == 200 && desk.delivered == 200);
  CLAIM(1 <= desk.most_at_a_time && desk.most_at_a_time <= desk.window);
  return broken_claims;
}
