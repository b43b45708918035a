// right: a window of numbers with two waits, and no tickets
#include <cuda_runtime.h>
#include <workbook/pipeline.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

using workbook::Layout;
using workbook::Score;

struct Slot {
  std::uint8_t *host, *device;
  cudaEvent_t copied, used;  // its host half has been read; its device half has
};

// Batches from `first_` on, as many as there are slots, may be under way.
class Window {
 public:
  Window(int batches, int slots) : batches_(batches), ready_(batches, false), slots_(slots) {}
  bool take(int& n) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return next_ >= batches_ || next_ < first_ + slots_; });
    n = next_++;
    return n < batches_;
  }
  void ready(int n) {
    std::lock_guard<std::mutex> lock(mutex_);
    ready_[n] = true;
    changed_.notify_all();
  }
  void wait_for(int n) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return ready_[n]; });
  }
  void move() {
    std::lock_guard<std::mutex> lock(mutex_);
    ++first_;
    changed_.notify_all();
  }

 private:
  const int batches_;
  int next_ = 0, first_ = 0;
  std::vector<bool> ready_;
  const int slots_;
  std::mutex mutex_;
  std::condition_variable changed_;
};

// Every batch through the whole pipeline, in order; `workers` threads (1 or more) decode. When run returns, every score
// has been checked, its threads have ended, and what it made is given back. There may be no batches at all.
void run(const workbook::Pipeline& p, int workers) {
  const int slots = workers + 2;  // one for each worker, one that is copied, one that is used
  std::vector<Slot> ring(slots);
  for (Slot& s : ring) {
    cudaMallocHost(&s.host, p.bytes);
    cudaMalloc(&s.device, p.bytes);
    cudaEventCreateWithFlags(&s.copied, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&s.used, cudaEventDisableTiming);
  }
  cudaStream_t copy, compute;
  cudaStreamCreateWithFlags(&copy, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking);
  void* d_input = nullptr;
  Score *d_scores = nullptr;  // one for each batch
  std::vector<Score> scores(p.batches);
  cudaMalloc(&d_input, p.input_bytes);
  cudaMalloc(&d_scores, p.batches * sizeof(Score));

  Window window(p.batches, slots);
  std::vector<std::thread> threads;
  for (int w = 0; w < workers; ++w) {
    threads.emplace_back([&] {
      int n = 0;
      while (window.take(n)) {
        cudaEventSynchronize(ring[n % slots].copied);
        p.decode(n, ring[n % slots].host);
        window.ready(n);
      }
    });
  }
  for (int n = 0; n < p.batches; ++n) {
    Slot& s = ring[n % slots];
    window.wait_for(n);
    cudaStreamWaitEvent(copy, s.used, 0);
    cudaMemcpyAsync(s.device, s.host, p.bytes, cudaMemcpyHostToDevice, copy);
    cudaEventRecord(s.copied, copy);
    window.move();
    cudaStreamWaitEvent(compute, s.copied, 0);
    p.preprocess(s.device, d_input, compute);
    cudaEventRecord(s.used, compute);
    p.model(n, d_input, Layout::nchw, d_scores + n, compute);
  }
  for (std::thread& thread : threads) thread.join();
  cudaStreamSynchronize(compute);
  cudaMemcpy(scores.data(), d_scores, p.batches * sizeof(Score), cudaMemcpyDeviceToHost);
  for (int n = 0; n < p.batches; ++n) p.check(n, scores[n]);

  for (Slot& s : ring) {
    cudaFreeHost(s.host);
    cudaFree(s.device);
    cudaEventDestroy(s.copied);
    cudaEventDestroy(s.used);
  }
  cudaStreamDestroy(copy);
  cudaStreamDestroy(compute);
  cudaFree(d_input);
  cudaFree(d_scores);
}
