// The driver's side of chapter 14: a pipeline whose parts note what is done with them.
#pragma once

#include <cuda_runtime.h>
#include <workbook/driver.h>
#include <workbook/pipeline.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>
#include <nvtx3/nvtx3.hpp>
#include <vector>

#include "kernels/capstone/capstone.h"
#include "pictures.h"

namespace capstone {

namespace kernels = workbook::kernels::capstone;
using workbook::Layout;
using workbook::Pipeline;
using workbook::Score;

struct Sizes {
  Shape shape;
  double decode_us = 0;
  int rounds = 1;       // of the model
  int conversions = 1;  // that the model makes for itself from NCHW
};

inline kernels::Pictures pictures_of(const Shape& s) {
  return {s.count, s.stored, s.side};
}

inline kernels::Normalisation normalisation() {
  kernels::Normalisation how;
  std::copy_n(scale, 3, how.scale);
  std::copy_n(bias, 3, how.bias);
  return how;
}

// Halves first, aligned; behind them the floats of the step-by-step way.
inline std::size_t input_bytes(const Shape& s) {
  return s.pixels() * (8 * sizeof(__half) + 3 * sizeof(float));
}
inline float* floats_of(const Shape& s, void* d_input) {
  return reinterpret_cast<float*>(static_cast<std::uint8_t*>(d_input) + s.pixels() * 8 * sizeof(__half));
}

// What somebody did with a pipeline.
struct Notes {
  std::mutex mutex;
  std::vector<std::int32_t> decoded, where, checked;  // by batch: times, memory; the batches as they came
  std::vector<Score> scores;
  std::vector<std::int32_t> modelled;
  std::vector<std::uint8_t*> active;  // where decode is at work
  int outside = 0, shared = 0;
  std::size_t most_active = 0;

  explicit Notes(int batches) : decoded(batches, 0), where(batches, -1), scores(batches, ~Score{0}) {}
};

// Where a batch is decoded to. Numbers for the judge.
enum Where { nowhere = -1, pageable = 0, pinned = 1, other = 2 };
inline int where_is(const void* p) {
  cudaPointerAttributes facts{};
  if (cudaPointerGetAttributes(&facts, p) != cudaSuccess) return other;
  if (facts.type == cudaMemoryTypeHost) return pinned;
  return facts.type == cudaMemoryTypeUnregistered ? pageable : other;
}

// The device's side of all pipelines of one process, and their sizes.
class World {
 public:
  explicit World(const Sizes& sizes) : sizes_(sizes) {
    cudaMalloc(&converted_, sizes.shape.pixels() * 8 * sizeof(__half) + 16);
    cudaMalloc(&numbers_, 2 * sizeof(std::uint64_t));
    cudaMemset(numbers_, 0, 2 * sizeof(std::uint64_t));
    cudaDeviceSynchronize();
  }
  ~World() {
    cudaFree(converted_);
    cudaFree(numbers_);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  const Sizes& sizes() const { return sizes_; }
  void set(const Sizes& sizes) { sizes_ = sizes; }

  // Run number `run` begins: no batch has been before. `notes` must outlive the pipeline. With `uneven`,
  // where decode is sent is noted too, and every third batch takes three times as long: who takes them as
  // they come takes them out of order.
  Pipeline begin(int batches, std::uint64_t run, Notes& notes, bool uneven = false) {
    cudaMemset(numbers_, 0, 2 * sizeof(std::uint64_t));
    cudaDeviceSynchronize();
    const Shape& s = sizes_.shape;
    Pipeline p;
    p.batches = batches;
    p.pictures = {s.count, s.stored, s.side};
    std::copy_n(scale, 3, p.normalisation.scale);
    std::copy_n(bias, 3, p.normalisation.bias);
    p.bytes = s.bytes();
    p.input_bytes = input_bytes(s);
    p.decode = [this, run, &notes, uneven](int n, std::uint8_t* to) { decode(run, n, to, notes, uneven); };
    p.preprocess = [this](const std::uint8_t* d_bytes, void* d_input, cudaStream_t stream) {
      step_by_step(d_bytes, d_input, stream);
    };
    p.model = [this, &notes](int n, const void* d_input, Layout layout, Score* d_score, cudaStream_t stream) {
      {
        const std::lock_guard<std::mutex> lock(notes.mutex);
        notes.modelled.push_back(n);
      }
      model(d_input, layout, d_score, stream);
    };
    p.check = [&notes](int n, Score score) {
      const std::lock_guard<std::mutex> lock(notes.mutex);
      notes.checked.push_back(n);
      if (n >= 0 && n < static_cast<int>(notes.scores.size())) notes.scores[n] = score;
    };
    return p;
  }

  void step_by_step(const std::uint8_t* d_bytes, void* d_input, cudaStream_t stream) const {
    kernels::preprocess_step_by_step(d_bytes, static_cast<__half*>(d_input), floats_of(sizes_.shape, d_input),
                                     pictures_of(sizes_.shape), normalisation(), stream);
  }
  void fused(const std::uint8_t* d_bytes, void* d_input, cudaStream_t stream) const {
    kernels::preprocess_fused(d_bytes, static_cast<__half*>(d_input), pictures_of(sizes_.shape),
                              normalisation(), stream);
  }
  void convert(const void* d_input, cudaStream_t stream) const {
    kernels::to_nhwc(static_cast<const __half*>(d_input), converted_, pictures_of(sizes_.shape), stream);
  }
  void model(const void* d_input, Layout layout, Score* d_score, cudaStream_t stream) const {
    const auto* input = static_cast<const __half*>(d_input);
    for (int i = 0; layout == Layout::nchw && i < sizes_.conversions; ++i) convert(input, stream);
    kernels::model(layout == Layout::nchw ? converted_ : input, sizes_.shape.pixels(), sizes_.rounds,
                   numbers_, numbers_ + 1, d_score, stream);
  }

 private:
  void decode(std::uint64_t run, int n, std::uint8_t* to, Notes& notes, bool uneven) const {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    const nvtx3::scoped_range range{"decode"};
    if (!enter(n, to, notes, uneven)) return;
    const std::size_t bytes = sizes_.shape.bytes(), half = words(bytes) / 2;
    // One half of the bytes comes at once and one at the end: who takes the batch too early has half of it.
    fill(key_of(run, n), to, bytes, 0, half);
    const double used = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
    workbook::host_work(std::max(0.0, sizes_.decode_us * (uneven && n % 3 == 0 ? 3 : 1) - 2 * used));
    fill(key_of(run, n), to, bytes, half, words(bytes));
    const std::lock_guard<std::mutex> lock(notes.mutex);
    notes.active.erase(std::find(notes.active.begin(), notes.active.end(), to));
  }

  static bool enter(int n, std::uint8_t* to, Notes& notes, bool uneven) {
    const int where = uneven ? where_is(to) : int{nowhere};
    const std::lock_guard<std::mutex> lock(notes.mutex);
    if (n < 0 || n >= static_cast<int>(notes.decoded.size())) {
      ++notes.outside;
      return false;
    }
    ++notes.decoded[n];
    notes.where[n] = where;
    notes.shared += std::count(notes.active.begin(), notes.active.end(), to) > 0;
    notes.active.push_back(to);
    notes.most_active = std::max(notes.most_active, notes.active.size());
    return where != other;
  }

  Sizes sizes_;
  __half* converted_ = nullptr;
  std::uint64_t* numbers_ = nullptr;  // the model's sum and its state
};

// Sizes as the judge sets them.
inline Sizes sizes_of(const workbook::Call& call) {
  Sizes s;
  s.shape = {call.value<int>("count"), call.value<int>("stored"), call.value<int>("side")};
  s.decode_us = call.value<double>("decode_us");
  s.rounds = call.value<int>("rounds");
  s.conversions = call.value<int>("conversions");
  return s;
}

// One run of the learner's code with what it did, for the judge: cases of correctness.
template <class Learner>
void noted(workbook::Call& call, const Learner& learner) {
  const int batches = call.value<int>("batches");
  World world(sizes_of(call));
  Notes notes(batches);
  const Pipeline p = world.begin(batches, 0, notes, true);
  bool done = false;
  call.learner([&] {
    learner(p);
    done = call.idle();
  });
  const std::lock_guard<std::mutex> lock(notes.mutex);
  call.result("done", done ? 1 : 0);
  call.result("outside", notes.outside);
  call.result("shared", notes.shared);
  call.result("active", static_cast<int>(notes.active.size()));
  call.result("most_active", static_cast<int>(notes.most_active));
  const auto give = [&](const char* name, const auto& list) {
    call.result_bytes(name, list.data(), list.size() * sizeof list[0]);
  };
  give("decoded", notes.decoded);
  give("where", notes.where);
  give("checked", notes.checked);
  give("scores", notes.scores);
  give("modelled", notes.modelled);
}

}  // namespace capstone
