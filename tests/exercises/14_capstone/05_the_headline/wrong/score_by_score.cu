// wrong: the loop waits for each score before it gives the device the next batch
// verdict: too slow
// code: bound.baseline
// message: of the baseline
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <workbook/pipeline.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

using workbook::Layout;
using workbook::Normalisation;
using workbook::Pictures;
using workbook::Score;

__global__ void bytes_to_pixels(const std::uint8_t* d_bytes, uint4* d_out, Pictures p, Normalisation how, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  const int picture = i / (p.side * p.side), row = i / p.side % p.side, column = i % p.side, edge = (p.stored - p.side) / 2;
  const std::uint8_t* from = d_bytes + 3 * ((picture * p.stored + edge + row) * p.stored + edge + column);
  union {
    __half halves[8];
    uint4 all;
  } pixel;
  pixel.all = make_uint4(0, 0, 0, 0);
#pragma unroll
  for (int c = 0; c < 3; ++c) pixel.halves[c] = __float2half_rn(from[c] * how.scale[c] + how.bias[c]);
  d_out[i] = pixel.all;
}

struct Slot {
  std::uint8_t *host, *device;
  cudaEvent_t copied, used;  // its host half has been read; its device half has
};

// Who may fill which slot, and what has been filled: 10.2.
class Tickets {
 public:
  Tickets(int batches, int slots) : batches_(batches), free_until_(slots), slots_(slots), filled_(slots, -1) {}
  // For a worker: the next batch to decode, as soon as its slot has been released; -1 when there are no more.
  int next() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return next_ == batches_ || next_ < free_until_; });
    return next_ == batches_ ? -1 : next_++;
  }
  void filled(int n) {
    const std::lock_guard<std::mutex> lock(mutex_);
    filled_[n % slots_] = n;
    changed_.notify_all();
  }
  void wait_until_filled(int n) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return filled_[n % slots_] == n; });
  }
  // The slot of batch n may be given to batch n + slots. Call it for n = 0, 1, 2, ...
  void release(int n) {
    const std::lock_guard<std::mutex> lock(mutex_);
    free_until_ = n + 1 + slots_;
    changed_.notify_all();
  }

 private:
  const int batches_;
  int next_ = 0, free_until_;
  const int slots_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<int> filled_;
};

// Every batch through the whole pipeline, in order; up to `workers` threads (1 or more) decode. When run returns, every
// score has been checked, its threads have ended, and what it made is given back. There may be no batches at all.
void run(const workbook::Pipeline& p, int workers) {
  const int pixels = static_cast<int>(p.pictures.pixels());
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

  Tickets tickets(p.batches, slots);
  std::vector<std::thread> threads;
  for (int w = 0; w < workers; ++w) {
    threads.emplace_back([&] {
      for (int n = tickets.next(); n >= 0; n = tickets.next()) {
        cudaEventSynchronize(ring[n % slots].copied);  // of the slot's batch before
        p.decode(n, ring[n % slots].host);
        tickets.filled(n);
      }
    });
  }
  for (int n = 0; n < p.batches; ++n) {
    Slot& s = ring[n % slots];
    tickets.wait_until_filled(n);
    cudaStreamWaitEvent(copy, s.used, 0);
    cudaMemcpyAsync(s.device, s.host, p.bytes, cudaMemcpyHostToDevice, copy);
    cudaEventRecord(s.copied, copy);
    tickets.release(n);  // now there is an event to wait for
    cudaStreamWaitEvent(compute, s.copied, 0);
    bytes_to_pixels<<<(pixels + 255) / 256, 256, 0, compute>>>(s.device, static_cast<uint4*>(d_input), p.pictures,
                                                               p.normalisation, pixels);
    cudaEventRecord(s.used, compute);
    p.model(n, d_input, Layout::nhwc, d_scores + n, compute);
    cudaMemcpyAsync(&scores[n], d_scores + n, 8, cudaMemcpyDeviceToHost, compute), cudaStreamSynchronize(compute);
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
