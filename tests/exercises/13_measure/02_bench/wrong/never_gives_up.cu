// wrong: warms up for as long as the times change
// verdict: wrong
// code: never_settles
// message: no two of them are alike
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

// One run of what is timed: queues its work in the stream and returns at once. It uses the same memory each time.
using Work = std::function<void(cudaStream_t)>;

// What the L2 cache holds when a run begins: nothing that the run reads, or what the run before it left there.
enum class Cache { cold, hot };

struct Timing {
  double us;     // of one run: the median over the samples
  double noise;  // (third quartile - first quartile) / median, of the samples
  int samples;   // at least 15
};

// The value below which the share q of the values lies: 0.5 is the median. Given.
inline double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const double place = q * (values.size() - 1);
  const std::size_t below = static_cast<std::size_t>(place), above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - below) * (values[above] - values[below]);
}

// A stream, and two events in it to time what lies between. Given.
struct Watch {
  cudaStream_t stream;
  cudaEvent_t begin, end;
  Watch() {
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
  }
  ~Watch() {
    cudaEventDestroy(end);
    cudaEventDestroy(begin);
    cudaStreamDestroy(stream);
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  void start() { cudaEventRecord(begin, stream); }
  double stop_us() {
    float milliseconds = 0;
    cudaEventRecord(end, stream);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&milliseconds, begin, end);
    return milliseconds * 1000.0;
  }
};

// The last ten times are all alike, to 5 %.
inline bool settled(const std::vector<double>& times) {
  if (times.size() < 10) return false;
  const std::vector<double> last(times.end() - 10, times.end());
  return quantile(last, 1) < 1.05 * quantile(last, 0);
}

// How long one run of `work` takes on the device. First it runs until its times no longer change, but at most 100 times:
// some never settle. Then come the samples, of one run each when cold, of several runs one behind the other, 100 us or
// more in all, when hot. What it makes, it gives back.
Timing bench(const Work& work, Cache cache) {
  Watch watch;
  int l2_bytes = 0;
  cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0);
  const std::size_t other_bytes = 2 * static_cast<std::size_t>(l2_bytes);
  void* d_other = nullptr;
  cudaMalloc(&d_other, other_bytes);
  const auto sample_us = [&](int runs) {
    if (cache == Cache::cold) cudaMemsetAsync(d_other, 0, other_bytes, watch.stream);
    watch.start();
    for (int i = 0; i < runs; ++i) work(watch.stream);
    return watch.stop_us() / runs;
  };
  std::vector<double> times;
  while (!settled(times)) times.push_back(sample_us(1));
  const int runs = cache == Cache::cold ? 1 : 1 + static_cast<int>(200 / times.back());
  times.clear();
  while (times.size() < 25) times.push_back(sample_us(runs));
  cudaFree(d_other);
  const double median = quantile(times, 0.5);
  return {median, (quantile(times, 0.75) - quantile(times, 0.25)) / median, static_cast<int>(times.size())};
}
