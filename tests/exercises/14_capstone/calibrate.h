// Chooses the sizes of the baseline for the device that is there, so that its kernels run about half of the
// time: from a few measurements, and corrections by the baseline itself.
//
//   T0 = decode + copy + what the loop costs        (the kernels run while the loop decodes)
//
//   copy     as measured for the batch, from pageable memory
//   g0       = copy / copy_to_work: then decoding is longer than the kernels, so that both gaps are there,
//   and
//            short enough for the kernels to run for two thirds of the time once the copies are out of the
//            way
//   layout   of g0: as near to 0.155 as a whole number of conversions brings it
//   model    the rest of g0, by its rounds
//   decode   what is missing to T0 = g0 / 0.485
//
// On the simulated device all of this is modelled, and the same in every run.
#pragma once

#include <cmath>

#include "references.h"

namespace capstone {

inline constexpr double wanted_busy = 0.485, wanted_layout = 0.155;
inline constexpr double copy_to_work = 0.66;

struct Calibrated {
  Sizes sizes;
  double copy_us = 0, pinned_us = 0;  // of a batch: from pageable and from pinned memory
  double work_us = 0;                 // kernels of a batch in the baseline
  double layout_us = 0;               // of these, what preprocessing in one kernel saves
  double steps_us = 0, fused_us = 0;  // preprocessing step by step, and in one kernel
};

inline double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

class Calibration {
 public:
  Calibration(workbook::Call& call, World& world)
      : call_(call), world_(world), bytes_(world.sizes().shape.bytes()) {
    cudaMalloc(&d_bytes_, bytes_);
    cudaMalloc(&d_input_, input_bytes(world.sizes().shape));
    cudaMalloc(&d_score_, sizeof(Score));
    cudaMemset(d_bytes_, 1, bytes_);
    cudaMemset(d_input_, 0, input_bytes(world.sizes().shape));
  }
  ~Calibration() {
    cudaFree(d_bytes_);
    cudaFree(d_input_);
    cudaFree(d_score_);
  }

  Calibrated operator()() {
    Calibrated c;
    c.sizes = world_.sizes();
    if (!call_.simulated()) wake_up();
    measure_copies(c);
    choose_model(c);
    if (!call_.simulated()) measure_copies_in_the_loop(c);
    // On the simulated device decoding is the only thing that changes, and one correction is exact.
    for (int i = 0; i < (call_.simulated() ? 1 : 4); ++i) {
      world_.set(c.sizes);
      const double batch = batch_us(Reference(world_, {}), 3, call_.simulated() ? 6 : 23);
      c.sizes.decode_us = std::max(0.0, c.sizes.decode_us + c.work_us / wanted_busy - batch);
    }
    world_.set(c.sizes);
    return c;
  }

  // What one batch more costs: what is paid once is in both runs.
  template <class Run>
  double batch_us(const Run& run, int few, int many) {
    return (run_us(run, many) - run_us(run, few)) / (many - few);
  }

 private:
  // A GPU that did nothing has a low clock.
  void wake_up() {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point until = Clock::now() + std::chrono::milliseconds(300);
    while (Clock::now() < until) {
      world_.fused(d_bytes_, d_input_, nullptr);
      cudaDeviceSynchronize();
    }
  }

  template <class Run>
  double run_us(const Run& run, int batches) {
    Notes notes(batches);
    const Pipeline p = world_.begin(batches, 900, notes);
    return call_.wall_us([&] { run(p); });
  }

  // In the loop a pageable copy reads what this core has just written: on an H200 it took 0.9 ms of a batch
  // there, and 1.3 ms by itself. What the copies take there decides how long the kernels are to be.
  void measure_copies_in_the_loop(Calibrated& c) {
    for (int i = 0; i < 2; ++i) {
      std::vector<double> copies;
      run_us(Reference(world_, {}, &copies), 23);
      c.copy_us = median({copies.begin() + 3, copies.end()});
      choose_model(c);
    }
  }

  // On the device alone: behind work enough for the host to queue all of it meanwhile.
  template <class Work>
  double device_us(const Work& work) {
    std::vector<double> times;
    work();  // a kernel's first launch loads it
    for (int i = 0; i < (call_.simulated() ? 1 : 9); ++i) {
      cudaDeviceSynchronize();
      kernels::model(static_cast<__half*>(d_input_), 0, 30'000, numbers(), numbers() + 1, d_score_, nullptr);
      times.push_back(call_.device_us([&] {
        for (int k = 0; k < 4; ++k) work();
      }) / 4);
    }
    return median(times);
  }
  std::uint64_t* numbers() {
    static std::uint64_t* const two = [] {
      std::uint64_t* p = nullptr;
      cudaMalloc(&p, 2 * sizeof *p);
      cudaMemset(p, 0, 2 * sizeof *p);
      return p;
    }();
    return two;
  }

  void measure_copies(Calibrated& c) {
    std::vector<std::uint8_t> pageable(bytes_);
    void* pinned = nullptr;
    cudaMallocHost(&pinned, bytes_);
    std::vector<double> slow, quick;
    for (int i = 0; i < (call_.simulated() ? 1 : 9); ++i) {
      fill(i, pageable.data(), bytes_, 0, words(bytes_));
      fill(i, static_cast<std::uint8_t*>(pinned), bytes_, 0, words(bytes_));
      slow.push_back(
          call_.wall_us([&] { cudaMemcpy(d_bytes_, pageable.data(), bytes_, cudaMemcpyHostToDevice); }));
      quick.push_back(call_.wall_us([&] { cudaMemcpy(d_bytes_, pinned, bytes_, cudaMemcpyHostToDevice); }));
    }
    cudaFreeHost(pinned);
    c.copy_us = median(slow);
    c.pinned_us = median(quick);
  }

  void choose_model(Calibrated& c) {
    const double steps = device_us([&] { world_.step_by_step(d_bytes_, d_input_, nullptr); });
    const double fused = device_us([&] { world_.fused(d_bytes_, d_input_, nullptr); });
    const double conversion = device_us([&] { world_.convert(d_input_, nullptr); });
    c.steps_us = steps;
    c.fused_us = fused;
    c.work_us = c.copy_us / copy_to_work;
    const double wanted = wanted_layout * c.work_us + fused - steps;
    c.sizes.conversions = std::max(1, static_cast<int>(std::lround(wanted / conversion)));
    c.layout_us = steps + c.sizes.conversions * conversion - fused;
    // The model's time is a straight line over its rounds.
    const auto model_us = [&](int rounds) {
      Sizes s = c.sizes;
      s.rounds = rounds;
      world_.set(s);
      return device_us([&] { world_.model(d_input_, Layout::nhwc, d_score_, nullptr); });
    };
    const double few = model_us(500), many = model_us(4500), slope = (many - few) / 4000;
    const double rest = c.work_us - steps - c.sizes.conversions * conversion - few;
    c.sizes.rounds = std::max(1, 500 + static_cast<int>(std::lround(rest / slope)));
    world_.set(c.sizes);
    c.work_us = device_us([&] {
      world_.step_by_step(d_bytes_, d_input_, nullptr);
      world_.model(d_input_, Layout::nchw, d_score_, nullptr);
    });
    c.sizes.decode_us = std::max(0.0, c.work_us / wanted_busy - c.copy_us);
    world_.set(c.sizes);
  }

  workbook::Call& call_;
  World& world_;
  const std::size_t bytes_;
  std::uint8_t* d_bytes_ = nullptr;
  void* d_input_ = nullptr;
  Score* d_score_ = nullptr;
};

// Small enough for the simulated device, large enough for a GPU.
inline Sizes first_sizes(bool simulated) {
  Sizes s;
  s.shape = simulated ? Shape{16, 128, 64} : Shape{64, 256, 224};
  return s;
}

inline void give(workbook::Call& call, const Calibrated& c) {
  const Sizes& s = c.sizes;
  call.result("count", s.shape.count);
  call.result("stored", s.shape.stored);
  call.result("side", s.shape.side);
  call.result("rounds", s.rounds);
  call.result("conversions", s.conversions);
  call.result("decode_us", s.decode_us);
  call.result("copy_us", c.copy_us);
  call.result("pinned_us", c.pinned_us);
  call.result("work_us", c.work_us);
  call.result("layout_us", c.layout_us);
  call.result("steps_us", c.steps_us);
  call.result("fused_us", c.fused_us);
}

}  // namespace capstone
