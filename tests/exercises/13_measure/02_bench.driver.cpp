#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/reduction/reduction.h"
#include "kernels/step/step.h"
#include "subjects.h"

using Work = std::function<void(cudaStream_t)>;
enum class Cache { cold, hot };
struct Timing {
  double us, noise;
  int samples;
};
Timing bench(const Work& work, Cache cache);

namespace {

using namespace measure;

// What is timed, and how often it ran.
class Subject {
 public:
  Subject(const std::string& kind, int phase, bool simulated)
      : kind_(kind), phase_(phase), bytes_(bytes_of(kind, simulated)) {
    cudaMalloc(&data_, bytes());
    cudaMalloc(&sum_, 64);
    std::vector<float> numbers(bytes() / sizeof(float));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = static_cast<float>(i * 2654435761u % 1000) * 0.001f + 0.5f;
    cudaMemcpy(data_, numbers.data(), bytes(), cudaMemcpyHostToDevice);
    cudaMemset(sum_, 0, 64);
    cudaDeviceSynchronize();
  }
  ~Subject() {
    cudaFree(sum_);
    cudaFree(data_);
  }
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  std::size_t bytes() const { return bytes_; }
  int calls() const { return calls_; }
  // Who warms up for ever finds runs that are all alike after a while, and so comes to an end.
  void run(cudaStream_t stream) {
    const int number = calls_++;
    run_number(kind_ == "varied" && number >= most_uneven_runs ? -1 : number, stream);
  }
  // As a run is once its times have settled; the middle one of those that vary.
  void typical(cudaStream_t stream) { run_number(-1, stream); }

 private:
  void run_number(int number, cudaStream_t stream) {
    if (kind_ == "stream") {
      workbook::kernels::sum(static_cast<const float*>(data_), static_cast<float*>(sum_),
                             bytes() / sizeof(float), stream);
      return;
    }
    const double factor = number < 0          ? 1
                          : kind_ == "slow"   ? settling(number)
                          : kind_ == "varied" ? varied(number, phase_)
                                              : 1;
    const bool computes = kind_ == "slow" || kind_ == "varied";
    workbook::kernels::step(data_, bytes(), computes ? static_cast<int>(rounds * factor) : 0, nullptr,
                            static_cast<std::uint64_t*>(sum_), stream);
  }
  std::string kind_;
  int phase_, calls_ = 0;
  std::size_t bytes_;
  void *data_ = nullptr, *sum_ = nullptr;
};

// Runs back to back, behind others that cover the first launch.
double hot_us(bool simulated, const std::function<void()>& once) {
  constexpr int before = 10, runs = 40;
  std::vector<double> times;
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  for (int sample = 0; sample < (simulated ? 1 : 9); ++sample) {
    for (int i = 0; i < before; ++i) once();
    cudaEventRecord(begin, nullptr);
    for (int i = 0; i < runs; ++i) once();
    cudaEventRecord(end, nullptr);
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    times.push_back(1000.0 * static_cast<double>(milliseconds) / runs);
  }
  cudaEventDestroy(end);
  cudaEventDestroy(begin);
  return middle(times);
}

// One run behind writes of twice as many bytes as L2 holds, many times; and how far the times lie apart.
// (Call::measure takes several runs of a short kernel as one sample, and only the first of them finds the
// cache cold.)
struct Cold {
  double us, scatter;
};
Cold cold_us(const std::function<void()>& once) {
  constexpr int samples = 31;
  int l2_bytes = 0;
  cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0);
  const std::size_t other_bytes = 2 * static_cast<std::size_t>(l2_bytes);
  void* other = nullptr;
  cudaMalloc(&other, other_bytes);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<double> times;
  for (int i = 0; i < samples; ++i) {
    cudaMemsetAsync(other, i, other_bytes, nullptr);
    cudaEventRecord(begin, nullptr);
    once();
    cudaEventRecord(end, nullptr);
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    times.push_back(1000.0 * static_cast<double>(milliseconds));
  }
  cudaEventDestroy(end);
  cudaEventDestroy(begin);
  cudaFree(other);
  std::sort(times.begin(), times.end());
  const double median = times[samples / 2];
  return {median, (times[3 * samples / 4] - times[samples / 4]) / median};
}
// On the simulated device a sample is one run, and its own flush is exact.
Cold cold_us(workbook::Call& call, const std::function<void()>& once) {
  if (!call.simulated()) return cold_us(once);
  const workbook::Measured own = call.measure("cold", once, once);
  return {0.5 * (own.learner_us + own.baseline_us), own.noise};
}

// How soon the host has queued a run.
double launch_us(const std::function<void()>& once) {
  std::vector<double> times(9);
  for (double& us : times) {
    cudaDeviceSynchronize();
    const auto begin = std::chrono::steady_clock::now();
    once();
    us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  }
  cudaDeviceSynchronize();
  return middle(times);
}

// Bytes that a copy within the device moves in a microsecond, read and written.
double roof(workbook::Call& call) {
  const std::size_t bytes = std::size_t{call.simulated() ? 16u : 512u} << 20;
  void *from = nullptr, *to = nullptr;
  cudaMalloc(&from, bytes);
  cudaMalloc(&to, bytes);
  cudaMemset(from, 1, bytes);
  std::vector<double> times;
  for (int i = 0; i < (call.simulated() ? 2 : 6); ++i)
    times.push_back(
        call.device_us([&] { cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, nullptr); }));
  cudaFree(to);
  cudaFree(from);
  return 2.0 * static_cast<double>(bytes) / *std::min_element(times.begin(), times.end());
}

}  // namespace

// What bench says of one subject, and what the harness finds for it in the same process.
WORKBOOK_DRIVER(bench) {
  Subject subject(call.text("kind"), call.value<int>("phase"), call.simulated());
  const bool cold = call.value<int>("cold") != 0;
  Timing said{};
  call.learner([&] {
    said = bench([&](cudaStream_t stream) { subject.run(stream); }, cold ? Cache::cold : Cache::hot);
  });
  call.result("said", said.us);
  call.result("noise", said.noise);
  call.result("samples", said.samples);
  call.result("calls", subject.calls());
  const auto typical = [&] { subject.typical(nullptr); };
  const Cold own = cold_us(call, typical);
  call.result("cold", own.us);
  call.result("scatter", own.scatter);
  call.result("hot", hot_us(call.simulated(), typical));
  call.result("alone", call.device_us(typical));
  call.result("launch", launch_us(typical));
  if (call.text("kind") == "stream") call.result("roof", roof(call));
}
