#include "harness/runner/device.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

namespace workbook::runner {

namespace {

thread_local int own_depth = 0;

// What was asked for, read before the learner's first static constructor runs, which could change it.
constinit char expectation[16] = {};
__attribute__((constructor(101))) void take_expectation_early() {
  const char* text = std::getenv("WORKBOOK_EXPECT");
  for (std::size_t i = 0; text != nullptr && text[i] != '\0' && i + 1 < sizeof expectation; ++i)
    expectation[i] = text[i];
}

template <class F>
void find(F& function, const char* name) {
  function = reinterpret_cast<F>(dlsym(RTLD_DEFAULT, name));
}

bool is_simulated() {
  return dlsym(RTLD_DEFAULT, "wbSimulatedDevice") != nullptr;
}

SimulatedDoors find_doors() {
  SimulatedDoors doors;
  find(doors.name_allocation, "wbNameAllocation");
  find(doors.flush_l2, "wbFlushL2");
  find(doors.host_work, "wbHostWork");
  find(doors.device_work, "wbDeviceWork");
  find(doors.region, "wbRegion");
  find(doors.blocks_in_order, "wbBlocksInOrder");
  find(doors.schedule, "wbSchedule");
  find(doors.idle, "wbIdle");
  return doors;
}

bool complete(const SimulatedDoors& doors) {
  return doors.name_allocation && doors.flush_l2 && doors.host_work && doors.device_work && doors.region &&
         doors.blocks_in_order && doors.schedule && doors.idle;
}

}  // namespace

const SimulatedDoors* simulated() {
  static const bool here = is_simulated();
  static const SimulatedDoors doors = here ? find_doors() : SimulatedDoors{};
  return here ? &doors : nullptr;
}

std::string handshake_trouble() {
  if (expectation[0] == '\0') return "WORKBOOK_EXPECT is not set: this program is started by a check";
  const bool here = simulated() != nullptr;
  if (std::strcmp(expectation, "simulated") == 0) {
    if (!here) return "the simulated device was asked for, and NVIDIA's libcudart was loaded";
    if (!complete(*simulated())) return "the simulated libcudart is of another version than this program";
    return {};
  }
  return here ? "a GPU was asked for, and the simulated libcudart was loaded" : std::string();
}

Own::Own() {
  ++own_depth;
}
Own::~Own() {
  --own_depth;
}
bool Own::here() {
  return own_depth > 0;
}

void flush_l2() {
  const Own own;
  if (simulated() != nullptr) return simulated()->flush_l2();
  static void* scratch = nullptr;
  static std::size_t bytes = 0;
  if (scratch == nullptr) {
    int l2 = 0, device = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device);
    bytes = std::size_t{3} * static_cast<std::size_t>(l2 > 0 ? l2 : 64 << 20);
    if (cudaMalloc(&scratch, bytes) != cudaSuccess) {
      cudaGetLastError();
      scratch = nullptr;
      return;
    }
  }
  cudaMemsetAsync(scratch, 0, bytes, nullptr);
}

}  // namespace workbook::runner
