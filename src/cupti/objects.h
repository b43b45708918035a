// Memory, streams and events of the program, by handle: their numbers in the trace, and what a pointer points
// to. Numbers follow the order of creation, as on the simulated device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <mutex>

#include "trace/event.h"

namespace workbook::cupti {

class Objects {
 public:
  struct Block {
    std::uint64_t base = 0, size = 0;
    trace::MemoryKind kind = trace::MemoryKind::pageable;
  };

  void made(Block block);
  Block gone(std::uint64_t address);  // forgets it; of kind pageable when it is unknown
  trace::MemoryKind kind_at(std::uint64_t address);

  int stream(cudaStream_t handle, bool per_thread);  // 0: the legacy default stream
  int stream_gone(cudaStream_t handle);
  std::uint64_t event(cudaEvent_t handle);
  std::uint64_t event_gone(cudaEvent_t handle);

 private:
  std::mutex mutex_;
  std::map<std::uint64_t, Block> blocks_;
  std::map<cudaStream_t, int> streams_;
  std::map<cudaEvent_t, std::uint64_t> events_;
  int last_stream_ = 0;
  std::uint64_t last_event_ = 0;
};

}  // namespace workbook::cupti
