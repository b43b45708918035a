// right: a future for each batch of the window; the threads take them from a list in order
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

using Batch = std::shared_ptr<std::vector<std::uint8_t>>;
using Decode = std::function<Batch(int number)>;
using Deliver = std::function<bool(int number, Batch batch)>;

class Crew {
 public:
  explicit Crew(int workers) {
    for (int w = 0; w < workers; ++w) threads_.emplace_back([this] { work(); });
  }
  ~Crew() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      closed_ = true;
      tasks_.clear();
    }
    changed_.notify_all();
    for (auto& thread : threads_) thread.join();
  }
  std::future<Batch> begin(std::function<Batch()> make) {
    std::packaged_task<Batch()> task(std::move(make));
    auto future = task.get_future();
    {
      std::lock_guard<std::mutex> lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    changed_.notify_one();
    return future;
  }

 private:
  void work() {
    for (;;) {
      std::packaged_task<Batch()> task;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [&] { return closed_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      task();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::packaged_task<Batch()>> tasks_;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

void load_in_order(int workers, int count, int window, const Decode& decode, const Deliver& deliver) {
  Crew crew(workers);
  std::deque<std::future<Batch>> line;
  int begun = 0;
  for (int k = 0; k < count; ++k) {
    while (begun < count && begun < k + window) {
      line.push_back(crew.begin([&decode, n = begun] { return decode(n); }));
      ++begun;
    }
    Batch batch = line.front().get();
    line.pop_front();
    if (!deliver(k, std::move(batch))) return;
  }
}
