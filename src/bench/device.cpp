#include "bench/device.h"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "kernels/multiply_add/multiply_add.h"
#include "workbook/statistics.h"

namespace workbook::bench {

namespace {

template <class F>
bool find(void* library, F& function, const char* name) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

// Device memory for as long as it lives.
class Memory {
 public:
  explicit Memory(std::size_t bytes) { need(cudaMalloc(&data_, bytes), "cudaMalloc"); }
  ~Memory() { cudaFree(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  void* get() const { return data_; }

 private:
  void* data_ = nullptr;
};

// The run before the first event covers the launch of the second one.
template <class Work>
double device_us(const Work& work, int samples) {
  cudaEvent_t begin, end;
  need(cudaEventCreate(&begin), "cudaEventCreate");
  need(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<double> times;
  for (int i = 0; i < samples; ++i) {
    float ms = 0;
    work();
    cudaEventRecord(begin, nullptr);
    work();
    cudaEventRecord(end, nullptr);
    need(cudaEventSynchronize(end), "measuring the roof");
    cudaEventElapsedTime(&ms, begin, end);
    times.push_back(1000.0 * static_cast<double>(ms));
  }
  cudaEventDestroy(end);
  cudaEventDestroy(begin);
  return median(times);
}

// The bits of nvmlDeviceGetCurrentClocksThrottleReasons that mean "slower than it could be".
constexpr struct {
  unsigned long long bit;
  const char* words;
} slow_reasons[] = {{0x04, "power limit"},
                    {0x08, "hardware slowdown"},
                    {0x20, "temperature (software)"},
                    {0x40, "temperature (hardware)"},
                    {0x80, "power brake"}};

}  // namespace

void need(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorName(error) + " (" +
                           cudaGetErrorString(error) + ")");
}

const Doors* simulated() {
  static const Doors doors = [] {
    Doors d;
    find(RTLD_DEFAULT, d.name, "wbSimulatedDevice");
    find(RTLD_DEFAULT, d.flush_l2, "wbFlushL2");
    find(RTLD_DEFAULT, d.device_work, "wbDeviceWork");
    return d;
  }();
  return doors.name != nullptr ? &doors : nullptr;
}

double host_us() {
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

Roof measure_roof() {
  const bool model = simulated() != nullptr;
  std::size_t free_bytes = 0, total = 0;
  need(cudaMemGetInfo(&free_bytes, &total), "cudaMemGetInfo");
  const std::size_t bytes =
      model ? std::size_t{64} << 20 : std::min<std::size_t>(std::size_t{1} << 30, free_bytes / 4);
  Roof roof;
  {
    const Memory from(bytes), to(bytes);
    need(cudaMemset(from.get(), 0x3c, bytes), "cudaMemset");
    const auto copy = [&] {
      cudaMemcpyAsync(to.get(), from.get(), bytes, cudaMemcpyDeviceToDevice, nullptr);
    };
    roof.bytes_per_us = 2.0 * static_cast<double>(bytes) / device_us(copy, model ? 1 : 7);
  }
  int sms = 1;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int n = sms * 2048 * (model ? 1 : 4), rounds = model ? 1024 : 4096;
  const Memory x(sizeof(float) * static_cast<std::size_t>(n));
  need(cudaMemset(x.get(), 0x3c, sizeof(float) * static_cast<std::size_t>(n)), "cudaMemset");
  const auto compute = [&] {
    kernels::multiply_add(static_cast<float*>(x.get()), n, 0.999f, 0.001f, rounds);
  };
  roof.flops_per_us = 2.0 * n * rounds / device_us(compute, model ? 1 : 7);
  return roof;
}

Watcher::Watcher() {
  if (simulated() != nullptr) return;
  library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) return;
  int (*init)() = nullptr;
  int (*by_bus)(const char*, void**) = nullptr;
  int (*most)(void*, int, unsigned*) = nullptr;
  int (*version)(char*, unsigned) = nullptr;
  char bus[32] = {};
  if (!find(library_, init, "nvmlInit_v2") || !find(library_, by_bus, "nvmlDeviceGetHandleByPciBusId_v2"))
    return;
  if (init() != 0 || cudaDeviceGetPCIBusId(bus, sizeof bus, 0) != cudaSuccess || by_bus(bus, &handle_) != 0) {
    handle_ = nullptr;
    return;
  }
  if (find(library_, most, "nvmlDeviceGetMaxClockInfo")) most(handle_, 1, &most_);  // 1: the SMs' clock
  char text[96] = {};
  if (find(library_, version, "nvmlSystemGetDriverVersion") && version(text, sizeof text) == 0)
    driver_ = text;
  unsigned count = 0;
  int (*processes)(void*, unsigned*, void*) = nullptr;
  // Asked without room for the list it answers with their number; ourselves among them.
  if (find(library_, processes, "nvmlDeviceGetComputeRunningProcesses_v3"))
    processes(handle_, &count, nullptr);
  others_ = count > 1 ? count - 1 : 0;
}

Watcher::~Watcher() {
  int (*shutdown)() = nullptr;
  if (library_ != nullptr && find(library_, shutdown, "nvmlShutdown")) shutdown();
}

void Watcher::look() {
  if (handle_ == nullptr || host_us() - last_us_ < 20'000) return;
  last_us_ = host_us();
  static int (*clock)(void*, int, unsigned*) = nullptr;
  static int (*reasons)(void*, unsigned long long*) = nullptr;
  if (clock == nullptr && !find(library_, clock, "nvmlDeviceGetClockInfo")) return;
  if (reasons == nullptr) find(library_, reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
  unsigned mhz = 0;
  unsigned long long now = 0;
  if (clock(handle_, 1, &mhz) == 0) {
    lowest_ = lowest_ == 0 ? mhz : std::min(lowest_, mhz);
    highest_ = std::max(highest_, mhz);
  }
  if (reasons != nullptr && reasons(handle_, &now) == 0) reasons_ |= now;
}

std::vector<std::string> Watcher::throttled() const {
  std::vector<std::string> words;
  for (const auto& reason : slow_reasons) {
    if ((reasons_ & reason.bit) != 0) words.emplace_back(reason.words);
  }
  return words;
}

}  // namespace workbook::bench
