// Which device this program meets, and the doors that only the simulated one has.
//
// The same executable runs on both; the loader picks libcudart. What the simulated runtime offers beyond CUDA
// (src/cudart/handshake.h) is found by name at start, so a program that meets NVIDIA's library has null
// there.
#pragma once

#include <cstdint>
#include <string>

namespace workbook::runner {

struct SimulatedDoors {
  void (*name_allocation)(const void* device_pointer, const char* name) = nullptr;
  void (*flush_l2)() = nullptr;
  void (*host_work)(double microseconds) = nullptr;
  void (*device_work)(double microseconds) = nullptr;
  void (*region)(const char* label, int begin) = nullptr;
  void (*blocks_in_order)(int in_order) = nullptr;
  int (*idle)() = nullptr;
  void (*schedule)(int kind, long long number) = nullptr;
};

// Null on a GPU.
const SimulatedDoors* simulated();

// The device that was asked for (WORKBOOK_EXPECT) is the one that is here; otherwise a sentence. A lost
// variable must never grade on the wrong device unseen.
std::string handshake_trouble();

// The harness's own CUDA calls, for as long as one of these lives: not recorded, not made to fail.
class Own {
 public:
  Own();
  ~Own();
  Own(const Own&) = delete;
  Own& operator=(const Own&) = delete;
  static bool here();  // in this thread
};

// Evicts everything from L2, in the order of the default stream.
void flush_l2();

}  // namespace workbook::runner
