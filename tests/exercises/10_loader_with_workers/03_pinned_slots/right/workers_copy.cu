// right: each worker has a stream, copies what it has decoded, and goes on when the copy is done
#include <cuda_runtime.h>
#include <workbook/loader.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

using Slots = std::vector<std::uint8_t*>;

void load(const workbook::Feed& feed, int workers, const Slots& slots, std::uint8_t* d_all) {
  workbook::BoundedQueue<std::uint8_t*> free(slots.size());
  for (std::uint8_t* slot : slots) free.push(slot);
  std::atomic<int> next{0};
  std::vector<std::thread> threads;
  for (int w = 0; w < workers; ++w) {
    threads.emplace_back([&] {
      cudaStream_t stream = nullptr;
      cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
      for (int n = next++; n < feed.batches; n = next++) {
        std::uint8_t* slot = *free.pop();
        feed.decode(n, slot);
        cudaMemcpyAsync(d_all + n * feed.bytes, slot, feed.bytes, cudaMemcpyHostToDevice, stream);
        cudaStreamSynchronize(stream);
        free.push(slot);
      }
      cudaStreamDestroy(stream);
    });
  }
  for (std::thread& thread : threads) thread.join();
}
