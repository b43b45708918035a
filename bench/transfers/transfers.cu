// The figures that chapters 8 and 9 open with: copies of pinned and pageable memory, what pinning costs, and
// what two streams make of it. One executable for both devices:
//
//   nvcc -std=c++17 -O2 --no-compress -cudart shared \
//        -gencode arch=compute_75,code=[compute_75,sm_90] transfers.cu -o transfers
//   LD_LIBRARY_PATH=.../simulated ./transfers        modelled
//   ./transfers                                      measured
//
// Prints name, microseconds and, for copies, GB/s (10^9 bytes), tab separated. Medians after warm-ups, on an
// otherwise idle machine; on the simulated device one sample says it all.
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace {

using Body = std::function<void()>;
constexpr std::size_t kibi = 1024, mebi = 1024 * 1024;
const bool simulated = dlsym(RTLD_DEFAULT, "wbSimulatedDevice") != nullptr;

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

void wait() {
  CHECK(cudaDeviceSynchronize());
}

void row(const std::string& name, double us, double bytes = 0) {
  if (bytes > 0) {
    std::printf("%-52s\t%12.2f\t%8.2f\n", name.c_str(), us, bytes / us * 1e-3);
  } else {
    std::printf("%-52s\t%12.2f\t-\n", name.c_str(), us);
  }
  std::fflush(stdout);
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

// Host clock, from before the body to after it; `prepare` is not timed. `until_done`: until the device is
// idle.
double host_us(const Body& body, const Body& prepare = {}, bool until_done = false, int samples = 9) {
  std::vector<double> times;
  const int warm = simulated ? 1 : 2;
  for (int i = 0; i < (simulated ? 1 : samples) + warm; ++i) {
    if (prepare) prepare();
    wait();
    const double begin = now_us();
    body();
    if (until_done) wait();
    const double end = now_us();
    if (i >= warm) times.push_back(end - begin);
  }
  return median(times);
}

double event_us(const Body& body, int samples = 9) {
  cudaEvent_t a, b;
  CHECK(cudaEventCreate(&a));
  CHECK(cudaEventCreate(&b));
  std::vector<double> times;
  const int warm = simulated ? 1 : 2;
  for (int i = 0; i < (simulated ? 1 : samples) + warm; ++i) {
    wait();
    CHECK(cudaEventRecord(a));
    body();
    CHECK(cudaEventRecord(b));
    CHECK(cudaEventSynchronize(b));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, a, b));
    if (i >= warm) times.push_back(ms * 1e3);
  }
  CHECK(cudaEventDestroy(a));
  CHECK(cudaEventDestroy(b));
  return median(times);
}

std::string sized(const std::string& what, std::size_t bytes) {
  return what + " " + std::to_string(bytes / kibi) + " KiB";
}

void* touched(std::size_t bytes) {
  void* p = std::malloc(bytes);
  std::memset(p, 1, bytes);
  return p;
}

// The very first copies of a process, once the context is there.
void first_copies() {
  constexpr std::size_t bytes = 16 * mebi;
  void *d = nullptr, *pinned = nullptr, *pageable = touched(bytes);
  CHECK(cudaMalloc(&d, bytes));
  wait();
  const auto once = [](const Body& body) {
    const double begin = now_us();
    body();
    return now_us() - begin;
  };
  row("first pageable copy to the device 16384 KiB",
      once([&] { CHECK(cudaMemcpy(d, pageable, bytes, cudaMemcpyHostToDevice)); }), bytes);
  row("second pageable copy to the device 16384 KiB",
      once([&] { CHECK(cudaMemcpy(d, pageable, bytes, cudaMemcpyHostToDevice)); }), bytes);
  row("first cudaMallocHost 16384 KiB", once([&] { CHECK(cudaMallocHost(&pinned, bytes)); }));
  row("first pinned copy, not touched before 16384 KiB",
      once([&] { CHECK(cudaMemcpy(d, pinned, bytes, cudaMemcpyHostToDevice)); }), bytes);
  row("second pinned copy 16384 KiB",
      once([&] { CHECK(cudaMemcpy(d, pinned, bytes, cudaMemcpyHostToDevice)); }), bytes);
  std::free(pageable);
  pageable = std::malloc(bytes);  // fresh pages or not: as the allocator likes
  row("pageable copy, source not touched 16384 KiB",
      once([&] { CHECK(cudaMemcpy(d, pageable, bytes, cudaMemcpyHostToDevice)); }), bytes);
  std::free(pageable);
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(d));
}

void copies(std::size_t bytes) {
  void *d = nullptr, *pinned = nullptr, *pageable = touched(bytes);
  CHECK(cudaMalloc(&d, bytes));
  CHECK(cudaMallocHost(&pinned, bytes));
  std::memset(pinned, 1, bytes);
  const auto in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
  const struct {
    const char* name;
    void* host;
  } kinds[] = {{"pinned", pinned}, {"pageable", pageable}};
  for (const auto& [name, h] : kinds) {
    const std::string kind = name;
    void* const host = h;
    row(sized("to device, " + kind + ", cudaMemcpy", bytes),
        host_us([&] { CHECK(cudaMemcpy(d, host, bytes, in)); }), bytes);
    row(sized("to device, " + kind + ", events", bytes),
        event_us([&] { CHECK(cudaMemcpyAsync(d, host, bytes, in)); }), bytes);
    row(sized("to device, " + kind + ", Async returns", bytes),
        host_us([&] { CHECK(cudaMemcpyAsync(d, host, bytes, in)); }));
    row(sized("to device, " + kind + ", Async done", bytes),
        host_us([&] { CHECK(cudaMemcpyAsync(d, host, bytes, in)); }, {}, true), bytes);
    row(sized("to host, " + kind + ", cudaMemcpy", bytes),
        host_us([&] { CHECK(cudaMemcpy(host, d, bytes, out)); }), bytes);
    row(sized("to host, " + kind + ", Async returns", bytes),
        host_us([&] { CHECK(cudaMemcpyAsync(host, d, bytes, out)); }));
    row(sized("to host, " + kind + ", Async done", bytes),
        host_us([&] { CHECK(cudaMemcpyAsync(host, d, bytes, out)); }, {}, true), bytes);
  }
  row(sized("within the host, memcpy", bytes), host_us([&] { std::memcpy(pinned, pageable, bytes); }), bytes);
  row(sized("within the host, cudaMemcpy", bytes),
      host_us([&] { CHECK(cudaMemcpy(pinned, pageable, bytes, cudaMemcpyHostToHost)); }), bytes);
  std::free(pageable);
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(d));
}

struct PinningCosts {
  double allocate, release;
};

PinningCosts pinning(std::size_t bytes) {
  void* p = nullptr;
  const int samples = bytes > 64 * mebi ? 3 : 5;
  PinningCosts costs{};
  const auto release = [&] {
    if (p != nullptr) CHECK(cudaFreeHost(p));
    p = nullptr;
  };
  const auto allocate = [&] {
    if (p == nullptr) CHECK(cudaMallocHost(&p, bytes));
  };
  costs.allocate = host_us(allocate, release, false, samples);
  costs.release = host_us(release, allocate, false, samples);
  row(sized("cudaMallocHost", bytes), costs.allocate);
  row(sized("cudaFreeHost", bytes), costs.release);
  void* const own = touched(bytes);
  bool registered = false;
  const auto unlock = [&] {
    if (registered) CHECK(cudaHostUnregister(own));
    registered = false;
  };
  const auto lock = [&] {
    if (!registered) CHECK(cudaHostRegister(own, bytes, cudaHostRegisterDefault));
    registered = true;
  };
  row(sized("cudaHostRegister", bytes), host_us(lock, unlock, false, samples));
  row(sized("cudaHostUnregister", bytes), host_us(unlock, lock, false, samples));
  unlock();
  release();
  std::free(own);
  return costs;
}

// The smallest number of copies for which pinning has paid, from the four numbers; then both ways, done.
void break_even(std::size_t bytes) {
  void *d = nullptr, *pinned = nullptr, *pageable = touched(bytes);
  CHECK(cudaMalloc(&d, bytes));
  CHECK(cudaMallocHost(&pinned, bytes));
  const double slow = host_us([&] { CHECK(cudaMemcpy(d, pageable, bytes, cudaMemcpyHostToDevice)); });
  const double fast = host_us([&] { CHECK(cudaMemcpy(d, pinned, bytes, cudaMemcpyHostToDevice)); });
  CHECK(cudaFreeHost(pinned));
  const PinningCosts costs = pinning(bytes);
  row(sized("break-even, copies (allocation alone)", bytes), costs.allocate / (slow - fast));
  row(sized("break-even, copies (with the release)", bytes),
      (costs.allocate + costs.release) / (slow - fast));
  for (const int n : {2, 4, 6, 8, 10, 12, 16, 20}) {
    const double with_pageable = host_us(
        [&] {
          for (int i = 0; i < n; ++i) CHECK(cudaMemcpy(d, pageable, bytes, cudaMemcpyHostToDevice));
        },
        {}, false, 3);
    const double with_pinned = host_us(
        [&] {
          CHECK(cudaMallocHost(&pinned, bytes));
          for (int i = 0; i < n; ++i) CHECK(cudaMemcpy(d, pinned, bytes, cudaMemcpyHostToDevice));
          CHECK(cudaFreeHost(pinned));
        },
        {}, false, 3);
    const std::string copies = ", " + std::to_string(n) + " copies of";
    row(sized("pageable" + copies, bytes), with_pageable);
    row(sized("pin, copy, unpin" + copies, bytes), with_pinned);
  }
  std::free(pageable);
  CHECK(cudaFree(d));
}

// What the system says of memory that may not move.
void locked_memory() {
  const auto show = [](const char* when) {
    std::printf("# %s:", when);
    for (const char* path : {"/proc/self/status", "/proc/meminfo"}) {
      std::FILE* const file = std::fopen(path, "r");
      char line[256], name[64];
      long kib = 0;
      while (file != nullptr && std::fgets(line, sizeof line, file) != nullptr) {
        for (const char* wanted : {"VmLck", "VmPin", "VmRSS", "MemAvailable", "Mlocked", "Unevictable"}) {
          if (std::sscanf(line, "%63[^:]: %ld", name, &kib) == 2 && std::strcmp(name, wanted) == 0) {
            std::printf(" %s %ld MiB", name, kib / 1024);
          }
        }
      }
      if (file != nullptr) std::fclose(file);
    }
    std::printf("\n");
  };
  show("before");
  void* p = nullptr;
  CHECK(cudaMallocHost(&p, 256 * mebi));
  show("256 MiB of cudaMallocHost");
  CHECK(cudaFreeHost(p));
  show("after cudaFreeHost");
  void* const own = touched(256 * mebi);
  CHECK(cudaHostRegister(own, 256 * mebi, cudaHostRegisterDefault));
  show("256 MiB of cudaHostRegister");
  CHECK(cudaHostUnregister(own));
  std::free(own);
}

__global__ void spin(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}
__global__ void touch(float* d, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d[i] += 1;
}

constexpr long long spin_cycles = 600'000;
constexpr int chunks = 8;

using Streams = std::vector<cudaStream_t>;

Streams make_streams(int how_many, unsigned flags = cudaStreamNonBlocking) {
  Streams streams(how_many);
  for (cudaStream_t& s : streams) CHECK(cudaStreamCreateWithFlags(&s, flags));
  return streams;
}

void destroy(const Streams& streams) {
  for (const cudaStream_t s : streams) CHECK(cudaStreamDestroy(s));
}

// Chunks of host memory in, a kernel each, and out again when `back`; round robin over the streams.
void pipeline(const Streams& streams, char* d, char* host, std::size_t bytes, bool back,
              const Body& between = {}) {
  for (int i = 0; i < chunks; ++i) {
    const cudaStream_t s = streams[i % streams.size()];
    CHECK(cudaMemcpyAsync(d + i * bytes, host + i * bytes, bytes, cudaMemcpyHostToDevice, s));
    spin<<<1, 32, 0, s>>>(spin_cycles);
    if (between) between();
    if (back) CHECK(cudaMemcpyAsync(host + i * bytes, d + i * bytes, bytes, cudaMemcpyDeviceToHost, s));
  }
}

void streams() {
  constexpr std::size_t bytes = 16 * mebi;
  char *d = nullptr, *pinned = nullptr, *pageable = static_cast<char*>(touched(chunks * bytes));
  CHECK(cudaMalloc(&d, chunks * bytes));
  CHECK(cudaMallocHost(&pinned, chunks * bytes));
  std::memset(pinned, 1, chunks * bytes);
  row("spin of 600000 cycles", event_us([] { spin<<<1, 32>>>(spin_cycles); }));
  const Streams none = {nullptr}, one = make_streams(1), two = make_streams(2), three = make_streams(3),
                four = make_streams(4);
  for (const bool back : {false, true}) {
    const std::string what = back ? "8 x (16 MiB in, kernel, out), " : "8 x (16 MiB in, kernel), ";
    const auto time = [&](const std::string& name, const Streams& s, char* host) {
      row(what + name, host_us([&] { pipeline(s, d, host, bytes, back); }, {}, true, 7));
    };
    time("default stream, pinned", none, pinned);
    time("one stream, pinned", one, pinned);
    time("two streams, pinned", two, pinned);
    time("three streams, pinned", three, pinned);
    time("four streams, pinned", four, pinned);
    time("one stream, pageable", one, pageable);
    time("two streams, pageable", two, pageable);
  }
  // Somebody launches on the legacy stream in the middle.
  const Streams blocking = make_streams(2, cudaStreamDefault), eight = make_streams(8),
                eight_blocking = make_streams(8, cudaStreamDefault);
  const auto legacy = [&] { touch<<<1, 32>>>(reinterpret_cast<float*>(d), 32); };
  row("the same in and out with a legacy launch, blocking",
      host_us([&] { pipeline(blocking, d, pinned, bytes, true, legacy); }, {}, true, 7));
  row("the same in and out with a legacy launch, non-blocking",
      host_us([&] { pipeline(two, d, pinned, bytes, true, legacy); }, {}, true, 7));
  const auto spins = [&](const Streams& s, const Body& between) {
    for (int i = 0; i < chunks; ++i) {
      spin<<<1, 32, 0, s[i % s.size()]>>>(spin_cycles);
      if (between) between();
    }
  };
  row("8 spins in eight streams", host_us([&] { spins(eight, {}); }, {}, true, 7));
  row("8 spins in eight blocking streams, legacy launches",
      host_us([&] { spins(eight_blocking, legacy); }, {}, true, 7));
  row("8 spins in eight non-blocking ones, legacy launches",
      host_us([&] { spins(eight, legacy); }, {}, true, 7));
  for (const Streams& s : {one, two, three, four, blocking, eight, eight_blocking}) destroy(s);
  std::free(pageable);
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(d));
}

}  // namespace

int main() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("# %s, %s\n", properties.name, simulated ? "modelled" : "measured");
  first_copies();
  for (const std::size_t kib : {4, 64, 256, 1024, 4096, 16384, 65536, 262144}) copies(kib * kibi);
  for (const std::size_t kib : {4, 64, 1024, 4096, 16384, 65536, 262144}) pinning(kib * kibi);
  break_even(16 * mebi);
  break_even(64 * mebi);
  break_even(256 * mebi);
  locked_memory();
  streams();
  CHECK(cudaGetLastError());
  return 0;
}
