// The parts of a launch, internal to launch.cpp and launch_run.cpp.
//
// How blocks run
//   exact     one after another in the fixed order on one host thread, with every access checked for races.
//   For
//             small launches, and for kernels whose blocks may talk to each other (atomics, volatile, fences,
//             the device heap). A block that has used its turn makes room for the next resident one.
//   coarse    over all host threads, for everything else. Each sector's readers and writers are noted; what
//   the
//             launch overwrites is kept. If blocks met in a sector, or something is a fault, the launch is
//             undone and run again exactly. So results, counters and faults never depend on the number of
//             host threads.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <queue>

#include "base/mix.h"
#include "sim/device_impl.h"

namespace workbook::sim {

using base::golden_step;
using base::mix_bits;

// The fixed order of blocks: windows of 16 neighbours (for the caches of the host), shuffled inside, the
// windows begun at some place. Never the identity for more than one block, unless it is asked for
// (LaunchSpec::in_order), so that nobody learns to rely on it.
class BlockOrder {
 public:
  BlockOrder(std::uint64_t blocks, std::uint64_t seed, bool shuffled = true);
  std::uint64_t at(std::uint64_t k) const;

 private:
  std::uint64_t shuffle(std::uint64_t i, std::uint64_t size, std::uint64_t w) const;
  std::uint64_t blocks_, seed_, window_, windows_, first_;
  bool shuffled_;
};

// The places for blocks on the SMs, for kernels that read %globaltimer: a block that finds none free begins
// when the first one becomes free, on the SM where that is.
class Places {
 public:
  struct Place {
    std::uint64_t free_at;  // SM cycles after the start of the kernel
    std::uint64_t number;
    std::uint32_t sm;
    bool operator>(const Place& o) const {
      return free_at != o.free_at ? free_at > o.free_at : number > o.number;
    }
  };
  void add(std::uint32_t sm) { free_.push({0, added_++, sm}); }
  void take(Block& block);
  void give_back(Block& block);  // which has ended
  std::uint64_t last_end() const { return last_end_; }

 private:
  std::priority_queue<Place, std::vector<Place>, std::greater<>> free_;
  std::uint64_t added_ = 0, last_end_ = 0;
};

class Launch {
 public:
  Launch(Device::Impl& device, const LaunchSpec& spec);
  LaunchResult run();

 private:
  void prepare();
  void begin_attempt();  // counters, and a new operation of the L2 model
  void sum_up();
  void drop_workers();  // and what they noted
  std::uint32_t sm_of(std::uint64_t order) const;
  void add_latency(Counters& c, const Block& block) const;
  void print(const std::string& text);

  // launch_run.cpp
  void run_in_order();
  void keep_absent_source(const Block& block);
  bool finish(Block& block);  // takes in a block that ended; true: the launch stops
  std::unique_ptr<Block> take_block();
  bool run_coarse();  // false: undone, to be run again exactly
  void coarse_worker(Worker& worker);
  void undo();
  static RawFault endless(const Block& block);

  Device::Impl& device_;
  const LaunchSpec& spec_;
  LaunchState state_;
  std::vector<std::unique_ptr<Worker>> workers_;
  LaunchResult result_;
  std::vector<SectorRun> touched_sectors_;
  std::vector<Touched> touched_host_;
  BlockOrder order_;
  Places places_;
  std::uint64_t absent_order_ = ~0ull;  // of the block that result_.absent_source is from
  bool exact_ = false, may_spin_ = false;
  std::uint64_t instructions_ = 0;
  std::vector<std::unique_ptr<Block>> spare_;
  // shared by the coarse workers
  std::atomic<std::uint64_t> next_{0}, first_fault_{~0ull}, total_{0};
  std::mutex mutex_;
  std::map<std::uint64_t, std::string> outputs_;   // by order
  std::map<std::uint64_t, Fault> endless_;         // by order
  std::vector<std::uint64_t> block_instructions_;  // by order
};

}  // namespace workbook::sim
