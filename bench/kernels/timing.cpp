#include "bench/kernels/timing.h"

#include <cuda_fp16.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "kernels/reduction/reduction.h"

namespace workbook::bench {
namespace {

// The simulated runtime's own functions; null on a GPU.
using FlushL2 = void (*)();
using DeviceWork = void (*)(double microseconds);

FlushL2 flush_l2() {
  static const auto function = reinterpret_cast<FlushL2>(dlsym(RTLD_DEFAULT, "wbFlushL2"));
  return function;
}

std::vector<void*>& all() {
  static std::vector<void*> pointers;
  return pointers;
}

// Reading 256 MiB fills L2 with lines that need no writing back, and keeps the device busy while the launch
// comes.
void evict() {
  if (flush_l2() != nullptr) {
    flush_l2()();
    static const auto work = reinterpret_cast<DeviceWork>(dlsym(RTLD_DEFAULT, "wbDeviceWork"));
    work(30);
    return;
  }
  constexpr std::size_t count = std::size_t{64} << 20;
  static float* const filler = [] {  // never freed; the sum lies behind the numbers
    void* memory = nullptr;
    must(cudaMalloc(&memory, (count + 1) * sizeof(float)), "cudaMalloc");
    must(cudaMemset(memory, 1, count * sizeof(float)), "cudaMemset");
    return static_cast<float*>(memory);
  }();
  must(kernels::sum(filler, filler + count, count), "evicting L2");
}

// `bytes` of device memory that repeat a pattern of 4 MiB.
template <class T>
T* filled(std::size_t count, const std::vector<T>& pattern) {
  void* memory = nullptr;
  const std::size_t bytes = count * sizeof(T);
  must(cudaMalloc(&memory, bytes + 256), "cudaMalloc");
  all().push_back(memory);
  std::size_t done = std::min(bytes, pattern.size() * sizeof(T));
  must(cudaMemcpy(memory, pattern.data(), done, cudaMemcpyHostToDevice), "cudaMemcpy");
  while (done < bytes) {
    const std::size_t more = std::min(done, bytes - done);
    must(cudaMemcpy(static_cast<char*>(memory) + done, memory, more, cudaMemcpyDeviceToDevice), "cudaMemcpy");
    done += more;
  }
  return static_cast<T*>(memory);
}

template <class T, class Draw>
std::vector<T> pattern(Draw draw) {
  std::mt19937 source(5);
  std::vector<T> values((4 << 20) / sizeof(T));
  for (T& value : values) value = draw(source);
  return values;
}

float draw_float(std::mt19937& source) {
  const float size = std::uniform_real_distribution<float>(0.125f, 1.0f)(source);
  return source() % 2 == 0 ? size : -size;
}

}  // namespace

void must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

bool simulated() {
  return flush_l2() != nullptr;
}

double median_us(const std::function<cudaError_t()>& run, bool cold, int samples, int warm_up) {
  cudaEvent_t begin, end;
  must(cudaEventCreate(&begin), "cudaEventCreate");
  must(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<float> times;
  for (int k = 0; k < samples + warm_up; ++k) {
    if (cold) evict();
    must(cudaEventRecord(begin), "cudaEventRecord");
    must(run(), "the kernel");
    must(cudaEventRecord(end), "cudaEventRecord");
    must(cudaEventSynchronize(end), "the kernel");
    float ms = 0;
    must(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
    if (k >= warm_up) times.push_back(ms);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::sort(times.begin(), times.end());
  return 1e3 * times[times.size() / 2];
}

float* floats(std::size_t count) {
  static const auto values = pattern<float>(draw_float);
  return filled(count, values);
}

void* halves(std::size_t count) {
  static const auto values =
      pattern<__half>([](std::mt19937& source) { return __float2half(draw_float(source)); });
  return filled(count, values);
}

unsigned* numbers(std::size_t count, unsigned below) {
  return filled(count, pattern<unsigned>([below](std::mt19937& source) { return source() % below; }));
}

void free_all() {
  cudaDeviceSynchronize();
  for (void* memory : all()) cudaFree(memory);
  all().clear();
}

}  // namespace workbook::bench
