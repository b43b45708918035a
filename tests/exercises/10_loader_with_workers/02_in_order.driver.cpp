// Lets the learner's threads decode batches that take their time, and notes what happens when. Decoding is
// waiting here, so the check needs no more processors than it finds.
#include <workbook/driver.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

using Batch = std::shared_ptr<std::vector<std::uint8_t>>;
using Decode = std::function<Batch(int number)>;
using Deliver = std::function<bool(int number, Batch batch)>;
void load_in_order(int workers, int count, int window, const Decode& decode, const Deliver& deliver);

namespace {

using Clock = std::chrono::steady_clock;

class Notes {
 public:
  explicit Notes(workbook::Call& call)
      : takes_us_(call.host_in<std::int32_t>("takes_us")),
        count_(static_cast<int>(call.count("takes_us"))),
        deliver_us_(call.value<int>("deliver_us")),
        stop_after_(call.value<int>("stop_after")),
        decoded_(call.host_out<std::int32_t>("decoded")),
        order_(call.host_out<std::int32_t>("order")),
        content_(call.host_out<std::int32_t>("content")) {
    for (int n = 0; n < count_; ++n) decoded_[n] = order_[n] = content_[n] = 0;
  }
  int count() const { return count_; }

  Batch decode(int n) {
    if (!begin(n)) return {};
    std::this_thread::sleep_for(std::chrono::microseconds(takes_us_[n]));
    auto batch = std::make_shared<std::vector<std::uint8_t>>(4);
    for (int b = 0; b < 4; ++b) (*batch)[static_cast<std::size_t>(b)] = static_cast<std::uint8_t>(n >> 8 * b);
    const std::lock_guard<std::mutex> lock(mutex_);
    --active_;
    finished_[static_cast<std::size_t>(n)] = true;
    return batch;
  }

  bool deliver(int n, const Batch& batch) {
    if (deliver_us_ > 0) std::this_thread::sleep_for(std::chrono::microseconds(deliver_us_));
    const std::lock_guard<std::mutex> lock(mutex_);
    if (std::this_thread::get_id() != caller_) ++strange_thread_;
    if (delivered_ < count_) {
      order_[delivered_] = n;
      content_[delivered_] = number_in(batch);
    }
    ++delivered_;
    stopped_ = delivered_ == stop_after_;
    if (stopped_) stopped_at_ = Clock::now();
    return !stopped_;
  }

  void give(workbook::Call& call) {
    const std::lock_guard<std::mutex> lock(mutex_);
    call.result("delivered", delivered_);
    call.result("most", most_);
    call.result("most_at", most_at_);
    call.result("most_decoded", most_decoded_ ? 1 : 0);
    call.result("active", active_);
    call.result("after_stop", after_stop_);
    call.result("outside", outside_);
    call.result("strange_thread", strange_thread_);
  }

 private:
  bool begin(int n) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (n < 0 || n >= count_) {
      ++outside_;
      return false;
    }
    ++decoded_[n];
    ++begun_;
    ++active_;
    // A worker may have its ticket already when deliver says so.
    if (stopped_ && Clock::now() - stopped_at_ > std::chrono::milliseconds(2)) ++after_stop_;
    if (begun_ - delivered_ > most_) {
      most_ = begun_ - delivered_;
      most_at_ = delivered_;
      most_decoded_ = delivered_ < count_ && finished_[static_cast<std::size_t>(delivered_)];
    }
    return true;
  }

  // The number of the batch that it holds; -1: nothing.
  static int number_in(const Batch& batch) {
    if (batch == nullptr || batch->size() != 4) return -1;
    int number = 0;
    for (int b = 0; b < 4; ++b) number |= (*batch)[static_cast<std::size_t>(b)] << 8 * b;
    return number;
  }

  const std::int32_t* const takes_us_;
  const int count_, deliver_us_, stop_after_;
  std::int32_t* const decoded_;  // how often each was decoded
  std::int32_t* const order_;    // what was delivered, in turn
  std::int32_t* const content_;  // the number that lay in each of these
  const std::thread::id caller_ = std::this_thread::get_id();
  std::mutex mutex_;
  std::vector<bool> finished_ = std::vector<bool>(static_cast<std::size_t>(count_));
  bool most_decoded_ = false;  // the batch that was next then
  int delivered_ = 0, begun_ = 0, most_ = 0, most_at_ = -1, active_ = 0;
  int after_stop_ = 0, outside_ = 0, strange_thread_ = 0;
  bool stopped_ = false;
  Clock::time_point stopped_at_;
};

}  // namespace

WORKBOOK_DRIVER(load) {
  const int workers = call.value<int>("workers"), window = call.value<int>("window");
  Notes notes(call);
  double us = 0;
  call.learner([&] {
    const auto begin = Clock::now();
    load_in_order(
        workers, notes.count(), window, [&](int n) { return notes.decode(n); },
        [&](int n, Batch batch) { return notes.deliver(n, batch); });
    us = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
  });
  call.result("us", us);
  notes.give(call);
}
