// Device memory: an address range of its own, with shadow state.
//
// A device address is never a usable host address: the range is reserved without access rights, so that a
// host dereference traps and can be explained. The bytes live in a second mapping at a constant distance
// (`backing(address)`). Both are reserved for the whole capacity and filled by the kernel on first touch, so
// a large allocation costs nothing until it is used.
//
// Shadow state: which bytes were ever written (one bit a byte). Allocation never writes the bytes; a byte
// that nobody wrote reads as poison (0xff) when it is copied to the host, and is a fault when a kernel reads
// it. Freed ranges are kept in quarantine, so that a use after free finds the allocation it belonged to.
//
// Not thread-safe against itself: host threads are scheduled one at a time by the runtime above. During a
// launch the allocation table does not change.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sim/fault.h"

namespace workbook::sim {

enum class AllocationKind : std::uint8_t {
  device,   // cudaMalloc, cudaMallocAsync
  module_,  // a __device__ or __constant__ variable
  mapped,   // pinned host memory a kernel may use: the backing is the host memory itself
  managed,
};

struct Allocation {
  std::uint64_t id = 0;
  std::uint64_t base = 0;
  std::uint64_t size = 0;
  std::uint64_t guard = 0;  // of mapped memory: bytes behind it that are nobody's, before the next may begin
  AllocationKind kind = AllocationKind::device;
  bool freed = false;
  bool read_only = false;  // __constant__
  std::string name;        // for messages; may be empty
};

class Memory {
 public:
  // `capacity` bytes of device memory (the profile's totalGlobalMem).
  explicit Memory(std::uint64_t capacity);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // 0 when it does not fit. Alignment 256, as cudaMalloc promises.
  std::uint64_t allocate(std::uint64_t size, AllocationKind kind, std::string name = {});
  // Makes host memory reachable by kernels at its own address (unified addressing). Counts as initialised.
  void map_host(void* host, std::uint64_t size, std::uint64_t guard = 0);
  void unmap_host(void* host);

  enum class FreeResult { ok, never_allocated, already_freed, not_the_base };
  FreeResult free(std::uint64_t base);
  void set_name(std::uint64_t base, std::string name);

  // The allocation that holds the address, or, when none is live there, a freed one that did.
  const Allocation* find(std::uint64_t address) const;
  // The live or freed allocation that ends closest before or begins closest after the address (within 1 MiB).
  const Allocation* nearest(std::uint64_t address) const;
  bool is_device_address(std::uint64_t address) const;  // inside the reserved range, allocated or not
  bool is_behind_mapped(std::uint64_t address) const;   // in the guard of mapped memory

  // Host-side access for copies and memset. The range must lie in one live allocation: check with
  // `check_range` first. `read` gives poison for bytes never written; `initialised_bytes` counts the others.
  std::optional<Fault> check_range(std::uint64_t address, std::uint64_t size, bool is_write) const;
  void write(std::uint64_t address, const void* from, std::uint64_t size);
  void read(std::uint64_t address, void* to, std::uint64_t size) const;
  void fill(std::uint64_t address, int byte, std::uint64_t size);
  // Device to device: bytes and their initialised state.
  void copy(std::uint64_t to, std::uint64_t from, std::uint64_t size);
  std::uint64_t initialised_bytes(std::uint64_t address, std::uint64_t size) const;

  std::uint64_t capacity() const;
  std::uint64_t used() const;  // bytes in live allocations, rounded to the allocation granularity
  std::uint64_t live_count() const;

  // From here on launches say which bytes they used (LaunchResult::touched).
  void note_touched();

  // The L2 model's state: forget what is cached, as a flush between cold measurements does.
  void flush_l2();

  struct Impl;  // the executor's door; see sim/memory_impl.h
  Impl& impl() { return *impl_; }
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace workbook::sim
