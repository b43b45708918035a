// Calls the learner's loader with a decoder and a step that note what they are given, and times it against
// the slowest of the three stages alone.
#include <atomic>
#include <cstring>
#include <memory>
#include <thread>

#include "decoding.h"
#include "kernels/step/step.h"

struct Slot {
  std::uint8_t *host, *device;
};
void run(const workbook::Feed& feed, int workers, const std::vector<Slot>& slots);  // the learner's

namespace {

struct World {
  std::vector<std::unique_ptr<decoding::Pinned>> pinned;
  std::vector<std::unique_ptr<decoding::Device>> device;
  std::vector<Slot> slots;
  std::vector<std::uint8_t*> hosts;
  World(int count, std::size_t bytes) {
    for (int s = 0; s < count; ++s) {
      pinned.push_back(std::make_unique<decoding::Pinned>(bytes));
      device.push_back(std::make_unique<decoding::Device>(bytes));
      std::memset(pinned.back()->data(), 0, bytes);
      cudaMemset(device.back()->data(), 0, bytes);
      slots.push_back({pinned.back()->data(), device.back()->data()});
      hosts.push_back(slots.back().host);
    }
    cudaDeviceSynchronize();
  }
};

// The kernel stands for a step; what the learner's loader does around it is what counts.
class Steps {
 public:
  Steps(int batches, std::size_t bytes, int rounds, std::uint64_t* sums)
      : batches_(batches), bytes_(bytes), rounds_(rounds), sums_(sums) {}
  void operator()(int n, const std::uint8_t* batch, cudaStream_t stream) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      order_.push_back(n);
    }
    if (n >= 0 && n < batches_)
      workbook::kernels::step(batch, bytes_, rounds_, n == 0 ? nullptr : sums_ + n - 1, sums_ + n, stream);
  }
  // What came in turn; at most `room` of them.
  std::size_t give(std::int32_t* order, std::size_t room) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::copy_n(order_.begin(), std::min(room, order_.size()), order);
    return order_.size();
  }
  void clear() { order_.clear(); }

 private:
  const int batches_;
  const std::size_t bytes_;
  const int rounds_;
  std::uint64_t* const sums_;
  std::mutex mutex_;
  std::vector<std::int32_t> order_;
};

}  // namespace

WORKBOOK_DRIVER(run) {
  const int batches = call.value<int>("batches"), workers = call.value<int>("workers");
  const auto bytes = static_cast<std::size_t>(call.value<int>("bytes"));
  const World world(call.value<int>("slots"), bytes);
  auto* sums = call.device_out<std::uint64_t>("sums");
  decoding::Decoder decoder(batches, bytes, call.value<double>("decode_us"), world.hosts);
  Steps steps(batches, bytes, call.value<int>("rounds"), sums);
  const workbook::Feed feed{batches, bytes, [&](int n, std::uint8_t* to) { decoder(n, to); },
                            [&](int n, const std::uint8_t* d, cudaStream_t s) { steps(n, d, s); }};
  bool done = false;
  call.learner([&] {
    run(feed, workers, world.slots);
    done = call.idle();
  });
  call.result("done", done ? 1 : 0);
  decoder.give(call, call.host_out<std::int32_t>("decoded"), call.host_out<std::int32_t>("where"));
  auto* order = call.host_out<std::int32_t>("order");
  std::fill_n(order, call.count("order"), -1);
  call.result("steps", static_cast<int>(steps.give(order, call.count("order"))));
}

// The slowest stage is the step; so many of them, one behind the other, are what nobody can beat.
WORKBOOK_DRIVER(run_timed) {
  const int batches = call.value<int>("batches"), workers = call.value<int>("workers");
  const auto bytes = static_cast<std::size_t>(call.value<int>("bytes"));
  const int most = call.value<int>("slots"), rounds = call.value<int>("rounds");
  const World world(most, bytes);
  auto* sums = call.device_out<std::uint64_t>("sums");
  decoding::Decoder decoder(batches, bytes, call.value<double>("decode_us"), {}, /*every=*/512);
  Steps steps(batches, bytes, rounds, sums);
  const workbook::Feed feed{batches, bytes, [&](int n, std::uint8_t* to) { decoder(n, to); },
                            [&](int n, const std::uint8_t* d, cudaStream_t s) { steps(n, d, s); }};
  cudaStream_t alone = nullptr;
  cudaStreamCreateWithFlags(&alone, cudaStreamNonBlocking);
  const auto timed = [&](const char* name, int slots) {
    const std::vector<Slot> some(world.slots.begin(), world.slots.begin() + slots);
    return call.measure_wall(
        name, [&] { run(feed, workers, some); },
        [&] {
          for (int n = 0; n < batches; ++n)
            workbook::kernels::step(world.slots[0].device, bytes, rounds, nullptr, sums + n, alone);
          cudaStreamSynchronize(alone);
        });
  };
  // First the others, so that the sums are those of the learner's last run.
  for (int slots = 2; slots <= most; ++slots) {
    const auto m = timed(slots == 3 ? "step" : "other", slots);
    call.result("us." + std::to_string(slots), m.learner_us);
  }
  run(feed, workers, world.slots);
  cudaStreamDestroy(alone);
}
