// Throughput of a loader against its slots and its workers: the figures that open chapter 10.
//
//   nvcc -std=c++17 -O2 -cudart shared -I. -Iinclude bench/loader/loader.cu kernels/step/step.cu -o loader
//   loader slots | workers [BATCHES]
//
// The time of a run is divided by its batches, so the first batch, which comes through all stages alone,
// weighs the less the more there are.
//
// One executable for both devices: on a GPU the times are measured, on the simulated device modelled
// (./workbook run, or LD_LIBRARY_PATH with our libcudart). The loader is the solution of 10.4, included as it
// is; decoding is a thread that is busy for so many microseconds.
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "../../solutions/10_loader_with_workers/04_the_whole_loader.cu"
#include "kernels/step/step.h"

// The same loader with one event for both halves of a slot: a worker waits until the step has read the device
// half.
namespace one_event {
#define cudaEventSynchronize(copied_event) (cudaEventSynchronize)(used[n % count])
#include "../../solutions/10_loader_with_workers/04_the_whole_loader.cu"
#undef cudaEventSynchronize
}  // namespace one_event

namespace {

using Clock = std::chrono::steady_clock;

double us_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

bool is_simulated() {
  return dlsym(RTLD_DEFAULT, "wbSimulatedDevice") != nullptr;
}

void busy(double us) {
  using HostWork = void (*)(double);
  static const auto simulated = reinterpret_cast<HostWork>(dlsym(RTLD_DEFAULT, "wbHostWork"));
  if (simulated != nullptr) return simulated(us);
  const auto begin = Clock::now();
  while (us_since(begin) < us) {
  }
}

struct Load {
  int batches = 200, workers = 1, slots = 3;
  std::size_t bytes = 2u << 20;
  double decode_us = 100;
  int rounds = 0;
  bool halves = true;  // each half of a slot is free at its own time
};

class Bench {
 public:
  explicit Bench(std::size_t bytes) : bytes_(bytes) {
    for (int s = 0; s < most_slots; ++s) {
      Slot slot{};
      need(cudaMallocHost(&slot.host, bytes));
      need(cudaMalloc(&slot.device, bytes));
      std::memset(slot.host, 1, bytes);
      slots_.push_back(slot);
    }
    need(cudaMalloc(&sums_, 1024 * sizeof(std::uint64_t)));
    need(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }

  // Microseconds for a batch.
  double loader(const Load& load) {
    const std::vector<Slot> slots(slots_.begin(), slots_.begin() + load.slots);
    const workbook::Feed feed{load.batches, bytes_, [&](int, std::uint8_t*) { busy(load.decode_us); },
                              [&](int n, const std::uint8_t* d, cudaStream_t stream) {
                                workbook::kernels::step(d, bytes_, load.rounds,
                                                        n == 0 ? nullptr : sums_ + n - 1, sums_ + n, stream);
                              }};
    std::vector<one_event::Slot> whole;
    for (const Slot& slot : slots) whole.push_back({slot.host, slot.device});
    return median(
               [&] {
                 if (load.halves)
                   run(feed, load.workers, slots);
                 else
                   one_event::run(feed, load.workers, whole);
               },
               !is_simulated()) /
           load.batches;
  }
  double copy() {
    return median([&] {
             for (int n = 0; n < 50; ++n)
               cudaMemcpyAsync(slots_[0].device, slots_[0].host, bytes_, cudaMemcpyHostToDevice, stream_);
             cudaStreamSynchronize(stream_);
           }) /
           50;
  }
  double step(int rounds) {
    const int some = is_simulated() ? 4 : 50;
    return median([&] {
             for (int n = 0; n < some; ++n)
               workbook::kernels::step(slots_[0].device, bytes_, rounds, nullptr, sums_, stream_);
             cudaStreamSynchronize(stream_);
           }) /
           some;
  }
  // So many rounds that a step takes about that long.
  int rounds_for(double us) {
    const double none = step(0), some = step(20'000);
    return us <= none ? 0 : static_cast<int>(20'000 * (us - none) / (some - none));
  }

 private:
  static constexpr int most_slots = 24;
  static void need(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "loader: %s\n", cudaGetErrorString(error));
    std::exit(2);
  }
  template <class F>
  static double median(F once, bool warm = true) {
    const int times = is_simulated() ? 1 : 5;
    if (warm) once();
    std::vector<double> us;
    for (int k = 0; k < times; ++k) {
      const auto begin = Clock::now();
      once();
      us.push_back(us_since(begin));
    }
    std::sort(us.begin(), us.end());
    return us[us.size() / 2];
  }

  const std::size_t bytes_;
  std::vector<Slot> slots_;
  std::uint64_t* sums_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

}  // namespace

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  if (what != "slots" && what != "workers") {
    std::fprintf(stderr, "usage: loader slots | workers\n");
    return 2;
  }
  Load load;
  load.batches = count > 2 ? std::atoi(arguments[2]) : !is_simulated() ? 500 : what == "slots" ? 40 : 200;
  Bench bench(load.bytes);
  const double copy = bench.copy();
  load.rounds = bench.rounds_for(100);
  const double step = bench.step(load.rounds);
  cudaDeviceProp device{};
  cudaGetDeviceProperties(&device, 0);
  std::printf("# %s, %s; %zu MiB a batch; copy %.1f us, step %.1f us, decode %.0f us\n", device.name,
              is_simulated() ? "modelled" : "measured", load.bytes >> 20, copy, step,
              what == "slots" ? 90.0 : 800.0);
  std::printf("%s\tus_per_batch\tbatches_per_second%s\n", what.c_str(),
              what == "slots" ? "\tbatches_per_second_with_one_event_a_slot" : "");
  if (what == "slots") {
    load.decode_us = 90;
    for (load.slots = 1; load.slots <= 8; ++load.slots) {
      load.halves = true;
      const double us = bench.loader(load);
      load.halves = false;
      std::printf("%d\t%.1f\t%.0f\t%.0f\n", load.slots, us, 1e6 / us, 1e6 / bench.loader(load));
    }
  } else {
    load.decode_us = 800;
    for (const int workers : {1, 2, 3, 4, 6, 8, 10, 12}) {
      load.workers = workers;
      load.slots = workers + 2;
      const double us = bench.loader(load);
      std::printf("%d\t%.1f\t%.0f\n", workers, us, 1e6 / us);
    }
  }
  return 0;
}
