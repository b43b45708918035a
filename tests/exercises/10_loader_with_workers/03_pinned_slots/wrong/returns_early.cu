// wrong: the last copies are still under way when load returns
// verdict: wrong
// code: returned_early
// message: before everything was on the device
#include <cuda_runtime.h>
#include <workbook/loader.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

using Slots = std::vector<std::uint8_t*>;

// A slot is always at one place: in `free`, with a worker, in `filled`, or with a copy that is not done.
void load(const workbook::Feed& feed, int workers, const Slots& slots, std::uint8_t* d_all) {
  const int count = static_cast<int>(slots.size());
  workbook::BoundedQueue<int> free(count);                    // slots
  workbook::BoundedQueue<std::pair<int, int>> filled(count);  // batch and slot
  for (int s = 0; s < count; ++s) free.push(s);
  std::atomic<int> next{0};
  std::vector<std::thread> threads;
  for (int w = 0; w < workers; ++w) {
    threads.emplace_back([&] {
      for (int n = next++; n < feed.batches; n = next++) {
        const int slot = *free.pop();
        feed.decode(n, slots[slot]);
        filled.push({n, slot});
      }
    });
  }
  std::vector<cudaEvent_t> copied(count);
  for (auto& event : copied) cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  int last = -1;
  for (int k = 0; k < feed.batches; ++k) {
    const auto [n, slot] = *filled.pop();
    cudaMemcpyAsync(d_all + n * feed.bytes, slots[slot], feed.bytes, cudaMemcpyHostToDevice, stream);
    cudaEventRecord(copied[slot], stream);
    // The one before is done, or nearly so.
    if (last >= 0) {
      cudaEventSynchronize(copied[last]);
      free.push(last);
    }
    last = count > 1 ? slot : -1;
    if (count == 1) {
      cudaEventSynchronize(copied[slot]);
      free.push(slot);
    }
  }
  for (std::thread& thread : threads) thread.join();
  cudaStreamDestroy(stream);
}
