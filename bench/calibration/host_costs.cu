// Host-side costs for a device profile (src/model/profile.cpp): allocation, launches, events, small copies.
// Build: nvcc -std=c++17 -O2 -arch=native -I../.. host_costs.cu ../../kernels/copy/*.cu -o host_costs
// Prints name, value, unit, tab separated: medians of 15 after 3 warm-ups, on an otherwise idle machine.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include "kernels/copy/copy.h"

namespace {

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}
#define CHECK(call) check((call), #call)

double now_us() {
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

void row(const char* name, double value, const char* unit = "us") {
  std::printf("%-44s\t%.3f\t%s\n", name, value, unit);
}

// `prepare` is not timed.
double host_us(
    const std::function<void()>& body, const std::function<void()>& prepare = [] {}, int samples = 15) {
  std::vector<double> times;
  for (int i = 0; i < samples + 3; ++i) {
    prepare();
    const double begin = now_us();
    body();
    const double end = now_us();
    if (i >= 3) times.push_back(end - begin);
  }
  return median(times);
}

double event_us(const std::function<void()>& body, int samples = 15) {
  cudaEvent_t a, b;
  CHECK(cudaEventCreate(&a));
  CHECK(cudaEventCreate(&b));
  std::vector<double> times;
  for (int i = 0; i < samples + 3; ++i) {
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventRecord(a));
    body();
    CHECK(cudaEventRecord(b));
    CHECK(cudaEventSynchronize(b));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, a, b));
    if (i >= 3) times.push_back(ms * 1e3);
  }
  return median(times);
}

__global__ void empty() {}
__global__ void spin(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}
__global__ void clock_cost(long long* out) {
  const long long begin = clock64();
  long long last = begin;
  int reads = 0;
  while (last - begin < 1000000) {
    last = clock64();
    ++reads;
  }
  out[0] = last - begin;
  out[1] = reads;
}

void allocation() {
  for (long mib : {0L, 1L, 4L, 16L, 64L, 256L, 1024L}) {
    const std::size_t bytes = mib == 0 ? 4096 : std::size_t(mib) << 20;
    void* p = nullptr;
    char name[64];
    std::snprintf(name, sizeof name, "cudaMalloc %ld KiB", long(bytes >> 10));
    row(name, host_us([&] { CHECK(cudaMalloc(&p, bytes)); },
                      [&] {
                        if (p) CHECK(cudaFree(p));
                        p = nullptr;
                      }));
    std::snprintf(name, sizeof name, "cudaFree %ld KiB", long(bytes >> 10));
    row(name, host_us(
                  [&] {
                    CHECK(cudaFree(p));
                    p = nullptr;
                  },
                  [&] {
                    if (!p) CHECK(cudaMalloc(&p, bytes));
                  }));
    std::snprintf(name, sizeof name, "cudaMallocAsync+FreeAsync %ld KiB", long(bytes >> 10));
    row(name, host_us(
                  [&] {
                    CHECK(cudaMallocAsync(&p, bytes, nullptr));
                    CHECK(cudaFreeAsync(p, nullptr));
                    p = nullptr;
                  },
                  [] { CHECK(cudaDeviceSynchronize()); }));
  }
  for (long mib : {1L, 16L, 64L, 256L}) {
    void* p = nullptr;
    char name[64];
    std::snprintf(name, sizeof name, "cudaMallocHost %ld MiB", mib);
    row(name, host_us([&] { CHECK(cudaMallocHost(&p, std::size_t(mib) << 20)); },
                      [&] {
                        if (p) CHECK(cudaFreeHost(p));
                        p = nullptr;
                      },
                      5));
    std::snprintf(name, sizeof name, "cudaFreeHost %ld MiB", mib);
    row(name, host_us(
                  [&] {
                    CHECK(cudaFreeHost(p));
                    p = nullptr;
                  },
                  [&] {
                    if (!p) CHECK(cudaMallocHost(&p, std::size_t(mib) << 20));
                  },
                  5));
  }
}

void calls() {
  const auto drain = [] { CHECK(cudaDeviceSynchronize()); };
  row("launch call, idle", host_us([] { empty<<<1, 32>>>(); }, drain));
  row("launch + cudaDeviceSynchronize", host_us(
                                            [] {
                                              empty<<<1, 32>>>();
                                              cudaDeviceSynchronize();
                                            },
                                            drain));
  row("cudaDeviceSynchronize, idle", host_us([] { cudaDeviceSynchronize(); }, drain));
  cudaEvent_t a, b;
  CHECK(cudaEventCreate(&a));
  CHECK(cudaEventCreate(&b));
  row("cudaEventRecord", host_us([&] { cudaEventRecord(a); }, drain));
  row("cudaEventRecord + cudaEventSynchronize", host_us(
                                                    [&] {
                                                      cudaEventRecord(a);
                                                      cudaEventSynchronize(a);
                                                    },
                                                    drain));
  row("cudaEventQuery, done", host_us([&] { cudaEventQuery(a); }, drain));
  row("cudaStreamQuery, done", host_us([&] { cudaStreamQuery(nullptr); }, drain));
  row("cudaEventCreate", host_us([&] {
        cudaEvent_t e;
        cudaEventCreate(&e);
        cudaEventDestroy(e);
      }));
  row("cudaStreamCreate+Destroy", host_us([&] {
        cudaStream_t s;
        cudaStreamCreate(&s);
        cudaStreamDestroy(s);
      }));
  row("cudaMemGetInfo", host_us([&] {
        std::size_t f, t;
        cudaMemGetInfo(&f, &t);
      }));
  row("cudaGetLastError", host_us([&] { cudaGetLastError(); }));
  row("steady_clock::now", host_us([&] {
                             for (int i = 0; i < 1000; ++i) now_us();
                           }) / 1000);
  row("event to event, nothing between", event_us([] {}));
  row("event to event, empty kernel", event_us([] { empty<<<1, 32>>>(); }));
  row("event to event, 20 empty kernels behind a spin", event_us([] {
        spin<<<1, 32>>>(400000);
        for (int i = 0; i < 20; ++i) empty<<<1, 32>>>();
      }));
  row("event to event, the spin alone", event_us([] { spin<<<1, 32>>>(400000); }));
  // Behind a spin the host is ahead: the gap between kernels is the device's own.
  long long* d = nullptr;
  long long h[2];
  CHECK(cudaMalloc(&d, sizeof h));
  clock_cost<<<1, 1>>>(d);
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  row("clock64 loop, cycles a turn", double(h[0]) / double(h[1]), "cycles");
  row("spin of 10 M cycles, event to event", event_us([] { spin<<<1, 32>>>(10000000); }, 5));
}

void transfers() {
  for (long kib : {4L, 64L, 1024L, 4096L, 16384L, 65536L}) {
    const std::size_t bytes = std::size_t(kib) << 10;
    void *d, *pinned, *pageable = std::malloc(bytes);
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMallocHost(&pinned, bytes));
    std::memset(pinned, 1, bytes);
    std::memset(pageable, 1, bytes);
    char name[96];
    const auto drain = [] { CHECK(cudaDeviceSynchronize()); };
    const struct {
      const char* what;
      void* host;
    } kinds[] = {{"pinned", pinned}, {"pageable", pageable}};
    for (const auto& kind : kinds) {
      std::snprintf(name, sizeof name, "cudaMemcpy H2D %s %ld KiB, host wall", kind.what, kib);
      row(name, host_us([&] { cudaMemcpy(d, kind.host, bytes, cudaMemcpyHostToDevice); }, drain));
      std::snprintf(name, sizeof name, "cudaMemcpy D2H %s %ld KiB, host wall", kind.what, kib);
      row(name, host_us([&] { cudaMemcpy(kind.host, d, bytes, cudaMemcpyDeviceToHost); }, drain));
      std::snprintf(name, sizeof name, "cudaMemcpyAsync H2D %s %ld KiB, call", kind.what, kib);
      row(name, host_us([&] { cudaMemcpyAsync(d, kind.host, bytes, cudaMemcpyHostToDevice); }, drain));
      std::snprintf(name, sizeof name, "cudaMemcpyAsync D2H %s %ld KiB, call", kind.what, kib);
      row(name, host_us([&] { cudaMemcpyAsync(kind.host, d, bytes, cudaMemcpyDeviceToHost); }, drain));
    }
    std::free(pageable);
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(d));
  }
}

void copies() {
  void *a, *b;
  CHECK(cudaMalloc(&a, 1u << 30));
  CHECK(cudaMalloc(&b, 1u << 30));
  CHECK(cudaMemset(a, 1, 1u << 30));
  for (long mib : {1L, 4L, 16L, 64L, 256L, 1024L}) {
    const std::size_t bytes = std::size_t(mib) << 20;
    const auto rate = [&](double us) { return 2.0 * double(bytes) / us * 1e-3; };
    char name[96];
    double us = event_us([&] { cudaMemcpyAsync(b, a, bytes, cudaMemcpyDeviceToDevice); });
    std::snprintf(name, sizeof name, "cudaMemcpy D2D %ld MiB (%.0f GB/s)", mib, rate(us));
    row(name, us);
    us = event_us([&] { workbook::kernels::copy(a, b, bytes); });
    std::snprintf(name, sizeof name, "kernels copy %ld MiB (%.0f GB/s)", mib, rate(us));
    row(name, us);
    us = event_us([&] { workbook::kernels::rungs::copy_scalar((float*)a, (float*)b, bytes / 4); });
    std::snprintf(name, sizeof name, "kernels copy_scalar %ld MiB (%.0f GB/s)", mib, rate(us));
    row(name, us);
    us = event_us([&] { cudaMemsetAsync(a, 1, bytes); });
    std::snprintf(name, sizeof name, "cudaMemset %ld MiB", mib);
    row(name, us);
  }
}

}  // namespace

int main() {
  calls();
  allocation();
  transfers();
  copies();
  return 0;
}
