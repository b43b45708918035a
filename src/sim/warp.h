// A warp while it runs, and what it runs in: frames, splits and the block.
//
// Lanes that parted run as splits: each has a mask, a place in the code and a frame. A node stands for a
// place where splits meet again (the branch's immediate post-dominator) or for a call that they return from.
// A split that arrives at its node waits there; when the last lane of the node has arrived or ended, all go
// on as one split. Any ready split may run next, so lanes that spin on lanes of their own warp get what they
// wait for; when those wait at a node for the lanes that spin (the holder of a lock, at the end of the loop
// that takes it), they go on alone, as since Volta.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "sim/code.h"
#include "sim/lane_memory.h"

namespace workbook::sim {

struct Block;
struct Worker;

// Scoreboard times: SM cycles << 16 | L1 misses on the path.
inline constexpr std::uint64_t one_cycle = 1ull << 16;
inline std::uint64_t packed_cycles(std::uint64_t cycles) {
  return cycles << 16;
}

struct Frame {
  const Code* code = nullptr;
  std::uint8_t* rows = nullptr;
  std::uint32_t* predicates = nullptr;
  std::uint64_t* ready = nullptr;
  std::uint32_t local_base = 0;
  std::uint32_t depth = 0;
  Frame* caller = nullptr;
  std::uint32_t call_pc = 0;  // of the call in the caller
  std::unique_ptr<std::uint8_t[]> storage;
};

struct Node {
  std::uint32_t pc = 0;
  std::uint32_t pending = 0;  // lanes that are still to come
  std::uint32_t arrived = 0;
  bool is_call = false;     // the lanes come by `ret`
  Frame* callee = nullptr;  // of a call
  Frame* frame = nullptr;   // whose pc it is
  Node* parent = nullptr;
};

enum class SplitState : std::uint8_t { ready, at_barrier, at_gather };

struct Split {
  std::uint32_t pc = 0;
  std::uint32_t mask = 0;
  std::uint32_t wanted = 0;   // at_gather: lanes that must come
  std::uint32_t barrier = 0;  // at_barrier: number
  SplitState state = SplitState::ready;
  Frame* frame = nullptr;
  Node* node = nullptr;
};

struct Warp {
  // the running split's frame, for handlers
  std::uint8_t* rows = nullptr;
  std::uint32_t* predicates = nullptr;
  Frame* frame = nullptr;
  std::uint64_t now = 0;             // issue time of the current instruction
  std::uint64_t result_latency = 0;  // set by memory handlers
  std::uint32_t active = 0;          // lanes of the current split
  Block* block = nullptr;
  Worker* worker = nullptr;

  std::uint32_t index = 0;  // in the block
  std::uint32_t alive = 0;  // lanes that have not ended
  std::vector<Split> splits;
  std::size_t current = 0;
  // Spinning: turns in a row in which lanes asked memory by atomics or volatile reads and changed nothing.
  bool asked_memory = false, changed_memory = false;
  std::uint32_t fruitless_turns = 0, patience = 0;  // how many before lanes that wait at a node go on
  bool scattered = false;                           // lanes went on so: splits may stand at one place
  LaneMemory local;
  std::uint32_t local_top = 0;

  template <class T>
  T* row(std::uint32_t offset) const {
    return reinterpret_cast<T*>(rows + offset);
  }
};

// A numbered barrier of a block.
struct Barrier {
  std::uint32_t arrived = 0;   // threads
  std::uint32_t expected = 0;  // 0: all threads that have not ended
  std::uint32_t count = 0;     // bar.red: threads whose predicate holds
  std::uint64_t time = 0;      // the latest arrival
  // For the check of divergence: the first arrival, and the first that came from another instruction.
  const Code* code = nullptr;
  std::uint32_t pc = 0, warp = 0, lane = 0;
  bool mixed = false;
  const Code* other_code = nullptr;
  std::uint32_t other_pc = 0, other_warp = 0, other_lane = 0;
};

// Runs the warp until it ends, waits, faults or has used the budget (warp instructions, counted down).
void run_warp(Warp& warp, std::uint64_t& budget);
// Begins at the kernel's first instruction with these lanes.
void start_warp(Warp& warp, const Code& kernel, std::uint32_t lane_mask);
bool can_run(Warp& warp);

}  // namespace workbook::sim
