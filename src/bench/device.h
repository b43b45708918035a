// The device that benchmarks run on: which one it is, its roof, and what happens to it meanwhile.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <vector>

namespace workbook::bench {

// Throws std::runtime_error with cudaGetErrorName when it is one.
void need(cudaError_t error, const char* what);

// The doors of the simulated device (src/cudart/handshake.h); null on a GPU.
struct Doors {
  const char* (*name)() = nullptr;
  void (*flush_l2)() = nullptr;
  void (*device_work)(double us) = nullptr;
};
const Doors* simulated();

// What this machine can do at best, measured here and now: bytes of a copy within the device, read plus
// written, and operations of multiply-adds in float; both a microsecond.
struct Roof {
  double bytes_per_us = 0, flops_per_us = 0;
};
Roof measure_roof();

// Looks at a GPU's clocks from time to time, through the driver's own library (NVML). Where that is missing,
// and on the simulated device, it sees nothing.
class Watcher {
 public:
  Watcher();
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  void look();  // at most every 20 ms; costs some 10 us

  bool sees() const { return handle_ != nullptr; }
  unsigned lowest_mhz() const { return lowest_; }
  unsigned highest_mhz() const { return highest_; }
  unsigned most_mhz() const { return most_; }  // what the GPU allows
  std::vector<std::string> throttled() const;  // reasons why it was slower than it could be, in words
  unsigned other_processes() const { return others_; }  // that compute on this GPU
  std::string driver() const { return driver_; }

 private:
  void* library_ = nullptr;
  void* handle_ = nullptr;
  unsigned lowest_ = 0, highest_ = 0, most_ = 0, others_ = 0;
  unsigned long long reasons_ = 0;
  double last_us_ = -1e9;
  std::string driver_;
};

double host_us();

}  // namespace workbook::bench
