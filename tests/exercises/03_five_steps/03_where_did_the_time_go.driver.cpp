#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <algorithm>
#include <chrono>
#include <cstring>

struct StepTimes {
  double allocate, copy_in, kernel, copy_out, release;
};
StepTimes time_steps(const float* h_x, float* h_y, int n, int rounds);
void launch_refine(float* d_x, int rounds);

namespace {

// Page-locked host memory.
class Pinned {
 public:
  explicit Pinned(std::size_t count) { cudaMallocHost(&data_, count * sizeof(float)); }
  ~Pinned() { cudaFreeHost(data_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  float* data() { return data_; }

 private:
  float* data_ = nullptr;
};

double host_us() {
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

template <class F>
double median_of_five(F once) {
  double times[5];
  for (double& t : times) t = once();
  std::sort(times, times + 5);
  return times[2];
}

void give(workbook::Call& call, const char* whose, const StepTimes& t) {
  const std::string prefix = whose;
  call.result(prefix + ".allocate", t.allocate);
  call.result(prefix + ".copy_in", t.copy_in);
  call.result(prefix + ".kernel", t.kernel);
  call.result(prefix + ".copy_out", t.copy_out);
  call.result(prefix + ".release", t.release);
}

// The harness's own times of the same five steps, everything warm.
StepTimes own_times(workbook::Call& call, const float* x, float* y, std::size_t bytes, int rounds) {
  StepTimes t{};
  float* d = nullptr;
  t.allocate = median_of_five([&] {
    if (d != nullptr) cudaFree(d);
    const double begin = host_us();
    cudaMalloc(&d, bytes);
    return host_us() - begin;
  });
  t.copy_in = median_of_five(
      [&] { return call.device_us([&] { cudaMemcpyAsync(d, x, bytes, cudaMemcpyHostToDevice, nullptr); }); });
  t.kernel = median_of_five([&] { return call.device_us([&] { launch_refine(d, rounds); }); });
  t.copy_out = median_of_five(
      [&] { return call.device_us([&] { cudaMemcpyAsync(y, d, bytes, cudaMemcpyDeviceToHost, nullptr); }); });
  t.release = median_of_five([&] {
    const double begin = host_us();
    cudaFree(d);
    const double end = host_us();
    cudaMalloc(&d, bytes);
    return end - begin;
  });
  cudaFree(d);
  return t;
}

double own_wall(workbook::Call& call, const float* x, float* y, std::size_t bytes, int rounds) {
  return median_of_five([&] {
    return call.wall_us([&] {
      float* d = nullptr;
      cudaMalloc(&d, bytes);
      cudaMemcpy(d, x, bytes, cudaMemcpyHostToDevice);
      launch_refine(d, rounds);
      cudaMemcpy(y, d, bytes, cudaMemcpyDeviceToHost);
      cudaFree(d);
    });
  });
}

}  // namespace

// What arrives at the other end.
WORKBOOK_DRIVER(contents) {
  const std::size_t n = call.count("x");
  Pinned x(n), y(n);
  std::memcpy(x.data(), call.host_in<float>("x"), n * sizeof(float));
  std::memset(y.data(), 0xff, n * sizeof(float));
  call.learner([&] { time_steps(x.data(), y.data(), static_cast<int>(n), call.value<int>("rounds")); });
  std::memcpy(call.host_out<float>("y"), y.data(), n * sizeof(float));
}

// How long it says that the steps take, and how long they do. The learner's code runs first: the process is
// fresh, and who does not warm up measures that.
WORKBOOK_DRIVER(times) {
  const int n = call.value<int>("n"), rounds = call.value<int>("rounds");
  Pinned x(n), y(n);
  for (int i = 0; i < n; ++i) x.data()[i] = static_cast<float>(i % 1000) * 0.01f + 0.5f;
  StepTimes said{};
  call.learner([&] { said = time_steps(x.data(), y.data(), n, rounds); });
  give(call, "said", said);
  const std::size_t bytes = n * sizeof(float);
  give(call, "ours", own_times(call, x.data(), y.data(), bytes, rounds));
  call.result("wall", own_wall(call, x.data(), y.data(), bytes, rounds));
}
