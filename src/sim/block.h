// A block while it runs, and the worker (one per host thread) that runs it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/device.h"
#include "sim/memory_impl.h"
#include "sim/race.h"
#include "sim/touched.h"
#include "sim/warp.h"

namespace workbook::sim {

struct LaunchState;

// Per-block L1 cache of global loads: lines of 128 bytes in sets, sectors valid one by one. Estimated.
struct L1 {
  static constexpr std::uint32_t ways = 4;
  struct alignas(64) Set {  // one line of the host's cache
    std::uint64_t tag[ways] = {};
    std::uint32_t sectors[ways] = {}, used[ways] = {};
  };
  std::vector<Set> sets;
  std::uint32_t set_mask = 0;
  std::uint32_t clock = 0;
  std::uint32_t floor = 0;  // what was last used before is of another block: not there
  void configure(std::uint64_t bytes);
  void clear();
  // Which of the sectors (4-bit mask) of the line hit; all of them are there afterwards.
  std::uint32_t lookup(std::uint64_t line, std::uint32_t wanted) {
    // Folding in higher bits keeps power-of-two strides from meeting in one set.
    Set& set = sets[(line ^ line >> 9) & set_mask];
    ++clock;
    // All ways at once: which of them it is can't be guessed.
    std::uint32_t found = 0;
    for (std::uint32_t k = 0; k < ways; ++k)
      found |=
          (static_cast<std::uint32_t>(set.tag[k] == line) & static_cast<std::uint32_t>(set.used[k] > floor))
          << k;
    if (found != 0) {
      const auto k = static_cast<std::uint32_t>(std::countr_zero(found));
      const std::uint32_t hit = set.sectors[k] & wanted;
      set.sectors[k] |= wanted;
      set.used[k] = clock;
      return hit;
    }
    std::uint32_t oldest = 0;
    for (std::uint32_t k = 1; k < ways; ++k) oldest = set.used[k] < set.used[oldest] ? k : oldest;
    set.tag[oldest] = line;
    set.sectors[oldest] = wanted;
    set.used[oldest] = clock;
    return 0;
  }
};

// A fault as the executor sees it: cheap to make, explained later (faults.cpp).
struct RawFault {
  FaultKind kind{};
  const Code* code = nullptr;
  std::uint32_t pc = 0;
  std::uint32_t warp = 0, lane = 0;
  std::uint32_t mask = 0;     // lanes with the same fault
  std::uint64_t address = 0;  // global: address; shared, local: offset
  std::uint32_t bytes = 0;
  bool is_write = false;
  std::vector<std::pair<const Code*, std::uint32_t>> stack;
  bool has_other = false;
  std::uint64_t other_block = 0;   // linear block index
  std::uint32_t other_thread = 0;  // linear in its block
  const Code* other_code = nullptr;
  std::uint32_t other_pc = 0;
  std::string text;  // when the kind alone does not say it
};

struct Block {
  LaunchState* launch = nullptr;
  Worker* worker = nullptr;
  std::uint64_t linear = 0;  // blockIdx as one number
  std::uint64_t order = 0;   // place in the order of execution
  std::array<std::uint32_t, 3> index{};
  std::uint32_t sm = 0;
  std::uint64_t begun = 0;  // SM cycles after the start of the kernel; 0 unless the kernel reads %globaltimer
  std::uint64_t place = 0;  // for Places
  std::uint32_t ticket = 0;  // for SectorOwners
  std::vector<Warp> warps;
  std::vector<std::unique_ptr<Frame>> frames;  // all that were made; free ones by code in `spare`
  std::unordered_map<const Code*, std::vector<Frame*>> spare;
  const Code* last_code = nullptr;  // of the last look into `spare`
  std::vector<Frame*>* last_spare = nullptr;
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<Node*> spare_nodes;
  std::vector<std::uint8_t> shared;
  std::uint32_t shared_bytes = 0;
  std::uint32_t dynamic_base = 0;
  std::array<Barrier, 16> barriers{};
  std::uint32_t live_threads = 0;
  SharedRaces shared_races;
  BlockSync sync;                  // what this block has released and acquired
  std::uint32_t epoch = 1;         // barriers passed
  std::uint64_t instructions = 0;  // warp instructions executed
  std::optional<RawFault> fault;
  std::optional<RawFault> absent_source;  // the first, see LaunchResult
  std::string output;
  L1 l1;
  std::size_t next_warp = 0;  // whose turn it is
  std::unordered_map<std::uint32_t, std::uint64_t>
      atomic_times;  // with reads_timer: by shared address, packed

  void start(LaunchState& launch_state, std::uint64_t order_, std::uint64_t linear_);
  // Runs until it ends, faults, or has used about `budget` warp instructions. True when it ended or faulted.
  bool run(std::uint64_t budget);
  std::uint64_t latency() const;  // packed
  void release_barrier(std::uint32_t number);
  void check_barriers();  // releases what is complete, after threads ended

  Frame* make_frame(const Code& code, std::uint32_t local_base, const Warp& warp);
  void drop_frame(Frame* frame);
  Node* make_node();
  void drop_node(Node* node) { spare_nodes.push_back(node); }

 private:
  void explain_standstill();
  bool explain_absent_lanes();
  void fault_at(FaultKind kind, const Code* code, std::uint32_t pc, std::uint32_t warp, std::uint32_t mask);
  void set_other(const Code* code, std::uint32_t pc, std::uint32_t warp, std::uint32_t lane);
  void finish_barrier(Split& split, Warp& warp, const Barrier& done);
};

// What a sector held before the launch first wrote to it.
struct SectorBefore {
  std::uint64_t sector = 0;  // of the address space
  std::uint32_t init_bits = 0;
  std::uint8_t bytes[sector_bytes] = {};
};

// How the addresses of a full warp lay to each other when an instruction ran last. In a loop they mostly move
// on together: then what was found out about them still holds.
struct KnownPattern {
  std::uint32_t site = ~0u;
  std::uint32_t heads = 0;  // one lane for each distinct sector
  bool any_base =
      false;  // all distances are whole sectors, so `heads` does not depend on where the first address is
  std::uint64_t base_in_sector = 0;  // else: where it was
  std::uint64_t low = 0, high = 0,
                bits = 0;  // relative to the first address; bits: the low ones of all addresses
  alignas(64) std::uint64_t distance[lanes] = {};
};

// What one host thread needs: counters of its own, caches of look-ups.
struct Worker {
  LaunchState* launch = nullptr;
  Counters counters;
  std::uint64_t thread_instructions = 0;
  std::uint64_t l2_inserted = 0;
  std::vector<SectorBefore> undo;             // when LaunchState::owners is on
  std::vector<std::uint64_t> undo_unwritten;  // the same for sectors in which nothing had been written
  std::vector<std::uint64_t> hits;            // executions by instruction
  std::vector<Span> last_span;                // by memory instruction (same index as hits)
  std::array<KnownPattern, 64> patterns;      // by memory instruction, the last of those that share a place
  std::unordered_map<std::uint64_t, std::uint64_t> hot_integer, hot_float;  // atomics by address
  std::vector<SectorRun> touched_sectors;                                   // with LaunchState::note_touched
  std::vector<Touched> touched_host;
  std::size_t tidy_touched_at = 1u << 16;
};

// The launch as a whole; the same for all workers.
struct LaunchState {
  const LaunchSpec* spec = nullptr;
  const Code* kernel = nullptr;
  const std::vector<std::unique_ptr<Code>>* codes = nullptr;
  Memory* memory = nullptr;
  Memory::Impl* store = nullptr;
  const Limits* limits = nullptr;
  const Latencies* latencies = nullptr;
  const Options* options = nullptr;
  std::vector<Span> spans;
  std::array<std::vector<std::uint32_t>, 3> tids;  // by linear thread, padded to whole warps
  std::uint32_t threads = 0, warps = 0;
  std::uint32_t warp_step = 1,
                warp_shift = 0;  // whose turn comes k-th in a block: (k * step + shift) % warps
  std::uint64_t blocks = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t resident = 1;  // blocks per SM
  std::uint64_t l1_bytes = 0;
  bool check_shared_races = false;
  bool sub_word_shared = false;  // races in shared memory are told apart by byte
  bool check_init = true;
  bool note_touched = false;
  bool reads_timer = false;        // %globaltimer: the order of atomics must show in its readings
  GlobalRaces* races = nullptr;    // exact detection; null when off
  bool several_threads = false;    // host threads share the shadow state
  SectorOwners* owners = nullptr;  // coarse detection of conflicts between blocks; null when off
  std::uint64_t budget = 0;
  std::uint64_t grid_id = 1;
  std::uint64_t first_cycle = 0;     // %clock64 at cycle 0 of this launch
  std::uint64_t grid_workspace = 0;  // of a cooperative launch: its size, and the word of its barrier
  std::uint64_t heap_used = 0;       // bytes of device malloc
};

// A fence, or an access that releases: what the block did before comes before what follows.
inline void order_before(Warp& w) {
  ++w.block->epoch;
  if (GlobalRaces* races = w.worker->launch->races; races != nullptr) races->fence(*w.block);
}

}  // namespace workbook::sim
