#include "grader/parallel.h"

#include <sched.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "grader/process.h"

namespace workbook::grader {

namespace {

struct Shared {
  std::mutex guard;
  std::condition_variable changed;
  std::size_t next = 0;
  std::vector<bool> finished;
  std::exception_ptr failure;
  unsigned running = 0;
};

void work(Shared& shared, const std::function<void(std::size_t)>& job) {
  std::unique_lock lock(shared.guard);
  while (shared.next < shared.finished.size() && !interrupted() && !shared.failure) {
    const std::size_t mine = shared.next++;
    lock.unlock();
    std::exception_ptr failure;
    try {
      job(mine);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure && !shared.failure) shared.failure = failure;
    if (!failure) shared.finished[mine] = true;
    shared.changed.notify_all();
  }
  --shared.running;
  shared.changed.notify_all();
}

}  // namespace

unsigned cores() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0)
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
  return std::max(1u, std::thread::hardware_concurrency());
}

bool in_parallel(std::size_t count, unsigned workers, const std::function<void(std::size_t)>& job,
                 const std::function<void(std::size_t)>& done) {
  Shared shared;
  shared.finished.assign(count, false);
  shared.running =
      static_cast<unsigned>(std::min<std::size_t>(std::max(1u, workers), std::max<std::size_t>(count, 1)));
  std::vector<std::thread> threads;
  for (unsigned i = 0, n = shared.running; i < n; ++i) threads.emplace_back([&] { work(shared, job); });
  std::size_t told = 0;
  std::exception_ptr failure;
  {
    std::unique_lock lock(shared.guard);
    while (told < count) {
      shared.changed.wait(lock, [&] { return shared.finished[told] || shared.running == 0; });
      if (!shared.finished[told]) break;
      lock.unlock();
      try {
        done(told++);
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      if (failure) {
        shared.next = count;
        break;
      }
    }
  }
  for (auto& thread : threads) thread.join();
  if (!failure) failure = shared.failure;
  if (failure) std::rethrow_exception(failure);
  return told == count;
}

}  // namespace workbook::grader
