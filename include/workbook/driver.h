// The runner side of an exercise: the small driver that calls the learner's code.
//
// The runner is one executable: the learner's object file, the driver, and this library. It never holds an
// expected value. It gets named inputs from the judge, calls the learner's function, and gives raw outputs
// back.
//
//   #include <workbook/driver.h>
//   void saxpy(int n, float a, const float* d_x, float* d_y);       // the learner writes this
//
//   WORKBOOK_DRIVER(saxpy) {                                        // the judge calls it by this name
//     const int n = call.value<int>("n");
//     const float* d_x = call.device_in<float>("x");
//     float* d_y = call.device_inout<float>("y");
//     call.learner([&] { saxpy(n, call.value<float>("a"), d_x, d_y); });
//   }
//
// A driver is C++17, compiled by g++ as a .cpp (no kernels in it; launch the learner's kernels through a host
// function of the learner's file). It may use the CUDA runtime API and kernels/ (for baselines).
//
// Buffers: every pointer below lies between guards (on a GPU 4 KiB of a pattern on each side, checked after
// the call; on the simulated device the allocation is exact and the device itself checks). Outputs start
// poisoned (0xff bytes). On the simulated device each buffer carries its name, so that a fault can say `y`.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace workbook {

// A pair of times of one measurement; see Call::measure.
struct Measured {
  double learner_us = 0;   // median over the samples
  double baseline_us = 0;  // the same
  double ratio = 0;        // median of learner / baseline, pair by pair
  double noise = 0;        // (q3 - q1) / median of the ratios; 0 on the simulated device
  int pairs = 0;           // how many were taken
};

// One call of a driver: what the judge sent, where the learner's code may run, and what goes back.
class Call {
 public:
  // Scalars. The names and types must be those the judge set; anything else ends the runner as a grader
  // error.
  template <class T>
  T value(std::string_view name) const {
    T out;
    scalar(name, &out, sizeof(T));
    return out;
  }
  bool has(std::string_view name) const;
  std::string text(std::string_view name) const;

  // How many elements the judge gave for an array, or asked for as an output.
  std::size_t count(std::string_view name) const;

  // Host memory, pageable. `host_in` is a private copy: the judge notices when it is changed.
  template <class T>
  const T* host_in(std::string_view name) {
    return static_cast<const T*>(host(name, 'i'));
  }
  template <class T>
  T* host_out(std::string_view name) {
    return static_cast<T*>(host(name, 'o'));
  }
  template <class T>
  T* host_inout(std::string_view name) {
    return static_cast<T*>(host(name, 'b'));
  }

  // Device memory, filled from the judge's input, or poisoned. Outputs are copied back after the driver
  // returns.
  template <class T>
  const T* device_in(std::string_view name) {
    return static_cast<const T*>(device(name, 'i'));
  }
  template <class T>
  T* device_out(std::string_view name) {
    return static_cast<T*>(device(name, 'o'));
  }
  template <class T>
  T* device_inout(std::string_view name) {
    return static_cast<T*>(device(name, 'b'));
  }

  // Puts input and poison back into every buffer, as before the first call. Not part of any learner region.
  void renew();
  // In the measurements from here on, each run of the learner's code finds poison in its outputs, and in
  // these inputs the same elements at other places (moved round, so that their distribution stays). One of
  // the timed runs, chosen by lot, has the judge's own inputs, and its outputs are those that the judge sees.
  // So no run can hand out what an earlier one found, or do a part of the work and leave the rest to what was
  // there, or know when it is looked at. What runs behind the measurement finds these outputs.
  void fresh_each_time(std::vector<std::string> inputs);

  // Runs the learner's code: marks the region in the trace, clears stale errors before, and after it
  // synchronises the device and keeps the first error (`cudaGetLastError` first, then the synchronise).
  // Everything that checks ask about ("two copies in, one out") counts inside these regions only.
  void learner(const std::function<void()>& body);
  // The same, several regions told apart by a label.
  void learner(std::string_view label, const std::function<void()>& body);

  // Times `learner` against `baseline` by device events (what the device was busy with, first to last), both
  // warm, L2 cold, interleaved. On the simulated device one sample each is exact. The result goes to the
  // judge under `name`. Outputs are left from the learner's last run.
  Measured measure(std::string_view name, const std::function<void()>& learner,
                   const std::function<void()>& baseline);
  // The same by the host clock, from before the call until the device is idle: for whole programs with
  // copies.
  Measured measure_wall(std::string_view name, const std::function<void()>& learner,
                        const std::function<void()>& baseline);
  // What the driver timed in another way, for a bound as if one of the two above had found it.
  void measured(std::string_view name, const Measured& measured);
  // Host time of one call until the device is idle, in microseconds.
  double wall_us(const std::function<void()>& body);
  // Device time between two events around the call, in microseconds.
  double device_us(const std::function<void()>& body);

  // Gives a number, a text, or bytes to the judge.
  void result(std::string_view name, double value);
  void result(std::string_view name, std::int64_t value);
  void result(std::string_view name, std::string_view value);
  void result(std::string_view name, int value) { result(name, std::int64_t{value}); }
  void result_bytes(std::string_view name, const void* data, std::size_t bytes);

  // Faults made on purpose, for the next learner region only, on both devices. `nth` counts from 1. With 0,
  // inside the region: from here on none fails.
  void fail_allocation(int nth);  // that cudaMalloc / cudaMallocAsync / cudaMallocHost returns
                                  // cudaErrorMemoryAllocation
  void fail_copy(int nth);        // that cudaMemcpy, cudaMemcpyAsync, cudaMemcpy2D, or copy to or from a
                                  // symbol copies nothing and returns cudaErrorInvalidMemcpyDirection
  void fail_launch(int nth);      // that <<< >>> is refused with cudaErrorInvalidConfiguration
  // The simulated device starts the blocks of a grid in a shuffled order. From here on in the order of their
  // numbers, or shuffled again. On a GPU this does nothing.
  void blocks_in_order(bool in_order);
  // Whether nothing that the learner's code queued is still to be done: asked behind its last line, inside
  // the region. It waits for nothing. (On a GPU streams that were destroyed are not asked.)
  bool idle() const;
  bool simulated() const;  // on which device this runs

  struct State;
  // Used by the library.
  explicit Call(State& state) : state_(state) {}

 private:
  void scalar(std::string_view name, void* out, std::size_t bytes) const;
  void* host(std::string_view name, char mode);
  void* device(std::string_view name, char mode);
  State& state_;
};

using DriverFunction = void (*)(Call&);  // what WORKBOOK_DRIVER defines
// Makes a driver known by its name. WORKBOOK_DRIVER does it.
struct DriverRegistration {
  DriverRegistration(const char* name, DriverFunction function);  // for the life of the program
};

// For host work that stands for CPU time on the simulated device's virtual clock (real work, the same
// duration, on a GPU: it spins).
void host_work(double microseconds);

}  // namespace workbook

// Defines the driver of that name: `WORKBOOK_DRIVER(saxpy) { call.learner(...); }`.
#define WORKBOOK_DRIVER(name)                                                                              \
  static void workbook_driver_##name(::workbook::Call& call);                                              \
  static const ::workbook::DriverRegistration workbook_registration_##name(#name, workbook_driver_##name); \
  static void workbook_driver_##name([[maybe_unused]] ::workbook::Call& call)
