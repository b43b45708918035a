// 13.2  A bench() that tells the truth
//
// This one says what everybody's first benchmark says: the host's clock before, the host's clock behind. Read what it
// answers for a kernel that you know.
//
// TODO: bench. When it works, it agrees with the workbook's own figures within a tenth: for a kernel whose data lies in
// the cache and for the same kernel when it doesn't, for a short one, for one that is slow at first, and for one whose
// times are never the same.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
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

// How long one run of `work` takes on the device. First it runs until its times no longer change, but at most 100 times:
// some never settle. Then come the samples, of one run each when cold, of several runs one behind the other, 100 us or
// more in all, when hot. What it makes, it gives back.
Timing bench(const Work& work, Cache cache) {
  // TODO: warm up, prepare the cache, take samples between events.
  (void)cache;
  Watch watch;
  const auto begin = std::chrono::steady_clock::now();
  work(watch.stream);
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  return {took.count(), 0, 1};
}
