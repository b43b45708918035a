// The pipeline put together in every way that the chapter comes by: as it was found, and with each fix.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <thread>

#include "world.h"

namespace capstone {

struct Ways {
  bool ring = false;   // pinned slots, two streams, nothing waited for in the loop
  int workers = 0;     // 0: the loop decodes
  bool fused = false;  // preprocessing in one kernel, to NHWC
};

// Batches go to slots in turn; who may fill which, and what is filled.
class Turns {
 public:
  Turns(int batches, int slots) : batches_(batches), slots_(slots), free_until_(slots), filled_(slots, -1) {}
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
  void release(int n) {
    const std::lock_guard<std::mutex> lock(mutex_);
    free_until_ = n + 1 + slots_;
    changed_.notify_all();
  }

 private:
  const int batches_, slots_;
  int next_ = 0, free_until_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<int> filled_;
};

struct Slot {
  std::uint8_t *host = nullptr, *device = nullptr;
  std::vector<std::uint8_t> pageable;
  cudaEvent_t copied = nullptr, used = nullptr;
};

class Reference {
 public:
  // `copies`, when given, gets the host's time of each copy of a batch, in microseconds (as found).
  Reference(const World& world, Ways ways, std::vector<double>* copies = nullptr)
      : world_(world), ways_(ways), copies_(copies) {}

  void operator()(const Pipeline& p) const {
    const int slots = ways_.ring || ways_.workers > 0 ? std::max(3, ways_.workers + 1) : 1;
    std::vector<Slot> ring(slots);
    for (Slot& s : ring) make(s, p.bytes);
    void* d_input = nullptr;
    Score *d_scores = nullptr, *scores = nullptr;
    cudaMalloc(&d_input, p.input_bytes);
    cudaMalloc(&d_scores, p.batches * sizeof(Score));
    cudaMallocHost(&scores, p.batches * sizeof(Score));
    Turns turns(p.batches, slots);
    std::vector<std::thread> threads;
    for (int w = 0; w < ways_.workers; ++w) threads.emplace_back([&] { work(p, turns, ring); });
    if (ways_.ring)
      with_ring(p, turns, ring, d_input, d_scores, scores);
    else
      as_found(p, turns, ring, d_input, d_scores);
    for (std::thread& thread : threads) thread.join();
    for (Slot& s : ring) unmake(s);
    cudaFree(d_input);
    cudaFree(d_scores);
    cudaFreeHost(scores);
  }

 private:
  void make(Slot& s, std::size_t bytes) const {
    if (ways_.ring) {
      cudaMallocHost(&s.host, bytes);
    } else {
      s.pageable.resize(bytes);
      s.host = s.pageable.data();
    }
    cudaMalloc(&s.device, bytes);
    cudaEventCreateWithFlags(&s.copied, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&s.used, cudaEventDisableTiming);
  }
  void unmake(Slot& s) const {
    if (ways_.ring) cudaFreeHost(s.host);
    cudaFree(s.device);
    cudaEventDestroy(s.copied);
    cudaEventDestroy(s.used);
  }

  void work(const Pipeline& p, Turns& turns, std::vector<Slot>& ring) const {
    const int slots = static_cast<int>(ring.size());
    for (int n = turns.next(); n >= 0; n = turns.next()) {
      if (ways_.ring && n >= slots) cudaEventSynchronize(ring[n % slots].copied);
      p.decode(n, ring[n % slots].host);
      turns.filled(n);
    }
  }
  void fetch(const Pipeline& p, Turns& turns, std::vector<Slot>& ring, int n) const {
    if (ways_.workers > 0) return turns.wait_until_filled(n);
    const int slots = static_cast<int>(ring.size());
    if (ways_.ring && n >= slots) cudaEventSynchronize(ring[n % slots].copied);
    p.decode(n, ring[n % slots].host);
  }
  void compute(const Pipeline& p, int n, const std::uint8_t* d_bytes, void* d_input, Score* d_score,
               cudaStream_t stream) const {
    if (ways_.fused)
      world_.fused(d_bytes, d_input, stream);
    else
      p.preprocess(d_bytes, d_input, stream);
    p.model(n, d_input, ways_.fused ? Layout::nhwc : Layout::nchw, d_score, stream);
  }

  // One stream; a batch's score is fetched when the next batch is decoded.
  void as_found(const Pipeline& p, Turns& turns, std::vector<Slot>& ring, void* d_input,
                Score* d_scores) const {
    const auto collect = [&](int n) {
      Score score = 0;
      cudaMemcpy(&score, d_scores + n, sizeof score, cudaMemcpyDeviceToHost);
      p.check(n, score);
    };
    for (int n = 0; n < p.batches; ++n) {
      const Slot& s = ring[n % ring.size()];
      fetch(p, turns, ring, n);
      if (n > 0) collect(n - 1);
      const auto begin = std::chrono::steady_clock::now();
      cudaMemcpy(s.device, s.host, p.bytes, cudaMemcpyHostToDevice);
      if (copies_ != nullptr)
        copies_->push_back(
            std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
      turns.release(n);
      compute(p, n, s.device, d_input, d_scores + n, nullptr);
    }
    if (p.batches > 0) collect(p.batches - 1);
  }

  void with_ring(const Pipeline& p, Turns& turns, std::vector<Slot>& ring, void* d_input, Score* d_scores,
                 Score* scores) const {
    cudaStream_t copy = nullptr, computing = nullptr;
    cudaStreamCreateWithFlags(&copy, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&computing, cudaStreamNonBlocking);
    const int slots = static_cast<int>(ring.size());
    for (int n = 0; n < p.batches; ++n) {
      const Slot& s = ring[n % slots];
      fetch(p, turns, ring, n);
      if (n >= slots) cudaStreamWaitEvent(copy, s.used, 0);
      cudaMemcpyAsync(s.device, s.host, p.bytes, cudaMemcpyHostToDevice, copy);
      cudaEventRecord(s.copied, copy);
      cudaStreamWaitEvent(computing, s.copied, 0);
      compute(p, n, s.device, d_input, d_scores + n, computing);
      cudaEventRecord(s.used, computing);
      turns.release(n);
    }
    cudaMemcpyAsync(scores, d_scores, p.batches * sizeof(Score), cudaMemcpyDeviceToHost, computing);
    cudaStreamSynchronize(computing);
    for (int n = 0; n < p.batches; ++n) p.check(n, scores[n]);
    cudaStreamDestroy(copy);
    cudaStreamDestroy(computing);
  }

  const World& world_;
  const Ways ways_;
  std::vector<double>* const copies_;
};

}  // namespace capstone
