// wrong: each batch gets memory of its own, which is pinned for it
// verdict: wrong
// code: not_a_slot
// message: Pinning costs far more
#include <cuda_runtime.h>
#include <workbook/loader.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

using Slots = std::vector<std::uint8_t*>;
using Bytes = std::vector<std::uint8_t>;

void load(const workbook::Feed& feed, int workers, const Slots& slots, std::uint8_t* d_all) {
  workbook::BoundedQueue<std::pair<int, Bytes>> ready(slots.size());
  std::atomic<int> next{0};
  std::vector<std::thread> threads;
  for (int w = 0; w < workers; ++w) {
    threads.emplace_back([&] {
      for (int n = next++; n < feed.batches; n = next++) {
        Bytes batch(feed.bytes);
        cudaHostRegister(batch.data(), feed.bytes, cudaHostRegisterDefault);
        feed.decode(n, batch.data());
        ready.push({n, std::move(batch)});
      }
    });
  }
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (int k = 0; k < feed.batches; ++k) {
    const auto item = ready.pop();
    const std::uint8_t* from = item->second.data();
    cudaMemcpyAsync(d_all + item->first * feed.bytes, from, feed.bytes, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
    cudaHostUnregister(const_cast<std::uint8_t*>(from));
  }
  for (std::thread& thread : threads) thread.join();
  cudaStreamDestroy(stream);
}
