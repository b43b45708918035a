// Calls the learner's load with a decoder that notes where it is sent, and times it against the way with one
// more copy.
#include <atomic>
#include <memory>
#include <thread>

#include "decoding.h"

using Slots = std::vector<std::uint8_t*>;
void load(const workbook::Feed& feed, int workers, const Slots& slots, std::uint8_t* d_all);  // the learner's

namespace {

struct World {
  std::vector<std::unique_ptr<decoding::Pinned>> pinned;
  Slots slots;
  World(int count, std::size_t bytes) {
    for (int s = 0; s < count; ++s) {
      pinned.push_back(std::make_unique<decoding::Pinned>(bytes));
      slots.push_back(pinned.back()->data());
    }
  }
};

// The starter: each batch goes through memory of its worker.
void with_one_more_copy(const workbook::Feed& feed, int workers, const Slots& slots, std::uint8_t* d_all) {
  using Bytes = std::vector<std::uint8_t>;
  workbook::BoundedQueue<std::pair<int, Bytes>> ready(slots.size());
  std::atomic<int> next{0};
  std::vector<std::thread> threads;
  for (int w = 0; w < workers; ++w) {
    threads.emplace_back([&] {
      for (int n = next++; n < feed.batches; n = next++) {
        Bytes batch(feed.bytes);
        feed.decode(n, batch.data());
        ready.push({n, std::move(batch)});
      }
    });
  }
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (int k = 0; k < feed.batches; ++k) {
    const auto item = ready.pop();
    workbook::host_copy(slots[0], item->second.data(), feed.bytes);
    cudaMemcpyAsync(d_all + static_cast<std::size_t>(item->first) * feed.bytes, slots[0], feed.bytes,
                    cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
  }
  for (std::thread& thread : threads) thread.join();
  cudaStreamDestroy(stream);
}

}  // namespace

WORKBOOK_DRIVER(load) {
  const int batches = call.value<int>("batches"), workers = call.value<int>("workers");
  const auto bytes = static_cast<std::size_t>(call.value<int>("bytes"));
  const World world(call.value<int>("slots"), bytes);
  std::uint8_t* d_all = call.device_out<std::uint8_t>("all");
  decoding::Decoder decoder(batches, bytes, call.value<double>("decode_us"), world.slots);
  const workbook::Feed feed{batches, bytes, [&](int n, std::uint8_t* to) { decoder(n, to); }, {}};
  bool done = false;
  call.learner([&] {
    load(feed, workers, world.slots, d_all);
    done = call.idle();
  });
  call.result("done", done ? 1 : 0);
  decoder.give(call, call.host_out<std::int32_t>("decoded"), call.host_out<std::int32_t>("where"));
}

WORKBOOK_DRIVER(load_timed) {
  const int batches = call.value<int>("batches"), workers = call.value<int>("workers");
  const auto bytes = static_cast<std::size_t>(call.value<int>("bytes"));
  const World world(call.value<int>("slots"), bytes);
  std::uint8_t* d_all = call.device_out<std::uint8_t>("all");
  decoding::Decoder decoder(batches, bytes, call.value<double>("decode_us"), {});
  const workbook::Feed feed{batches, bytes, [&](int n, std::uint8_t* to) { decoder(n, to); }, {}};
  call.measure_wall(
      "one_more_copy", [&] { load(feed, workers, world.slots, d_all); },
      [&] { with_one_more_copy(feed, workers, world.slots, d_all); });
}
