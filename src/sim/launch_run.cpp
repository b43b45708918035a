// Running the blocks of a launch: in order, or over the host threads.
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <thread>

#include "sim/launch_impl.h"

namespace workbook::sim {

std::unique_ptr<Block> Launch::take_block() {
  if (spare_.empty()) {
    auto block = std::make_unique<Block>();
    block->worker = workers_[0].get();
    return block;
  }
  auto block = std::move(spare_.back());
  spare_.pop_back();
  return block;
}

void Places::take(Block& block) {
  const Place place = free_.top();
  free_.pop();
  block.sm = place.sm;
  block.begun = place.free_at;
  block.place = place.number;
}

void Places::give_back(Block& block) {
  const std::uint64_t end = block.begun + (block.latency() >> 16);
  free_.push({end, block.place, block.sm});
  last_end_ = std::max(last_end_, end);
}

void Launch::keep_absent_source(const Block& block) {
  if (!block.absent_source || block.order >= absent_order_) return;
  absent_order_ = block.order;
  result_.absent_source = explain(device_, state_, block, *block.absent_source);
}

bool Launch::finish(Block& block) {
  keep_absent_source(block);
  add_latency(result_.counters, block);
  if (state_.reads_timer) places_.give_back(block);
  print(block.output);
  if (!block.fault) return false;
  result_.fault = explain(device_, state_, block, *block.fault);
  return true;
}

// Where a thread is that still runs when the budget is used up; rather one that runs than one that waits for
// others.
RawFault Launch::endless(const Block& block) {
  RawFault f;
  f.kind = FaultKind::endless_kernel;
  bool runs = false;
  for (const Warp& w : block.warps) {
    for (const Split& s : w.splits) {
      if (f.code != nullptr && (runs || s.state != SplitState::ready)) continue;
      runs = s.state == SplitState::ready;
      f.code = s.frame->code;
      f.pc = s.pc;
      f.warp = w.index;
      f.mask = s.mask;
      f.lane = static_cast<std::uint32_t>(std::countr_zero(s.mask));
    }
  }
  return f;
}

// One at a time; a block that has used its turn makes room for the next resident one.
void Launch::run_in_order() {
  // Short where blocks may wait for each other: what they spin away is lost.
  const std::uint64_t turn = may_spin_ ? 4096 : 50'000'000;
  const std::uint64_t resident =
      std::max<std::uint64_t>(1, std::uint64_t{device_.limits.sm_count} * state_.resident);
  std::vector<std::unique_ptr<Block>> running;
  std::uint64_t next = 0;
  std::size_t at = 0;
  if (state_.reads_timer) {
    for (std::uint64_t k = 0; k < std::min(resident, state_.blocks); ++k) places_.add(sm_of(k));
  }
  while (next < state_.blocks || !running.empty()) {
    if (at >= running.size()) {
      if (next < state_.blocks && running.size() < resident) {
        running.push_back(take_block());
        running.back()->sm = sm_of(next);
        if (state_.reads_timer) places_.take(*running.back());
        running.back()->start(state_, next, order_.at(next));
        ++next;
      } else {
        at = 0;
      }
    }
    Block& block = *running[at];
    const std::uint64_t before = block.instructions;
    const bool ended = block.run(std::min(turn, state_.budget - std::min(state_.budget, instructions_)));
    instructions_ += block.instructions - before;
    if (!ended && instructions_ < state_.budget) {
      ++at;
      continue;
    }
    if (!ended) {
      block.fault = endless(block);
      if (next < state_.blocks)
        block.fault->text = "; " + std::to_string(state_.blocks - next) + " of the grid's " +
                            std::to_string(state_.blocks) + " blocks have not begun, because at most " +
                            std::to_string(resident) +
                            " fit on the device at once: who waits for one of those waits forever";
    }
    if (finish(block)) return;
    spare_.push_back(std::move(running[at]));
    running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

// Takes blocks from the common counter, a few neighbours at a time, until there are no more or one went
// wrong.
void Launch::coarse_worker(Worker& worker) {
  constexpr std::uint64_t grab = 8;
  Block block;
  block.worker = &worker;
  while (true) {
    const std::uint64_t first = next_.fetch_add(grab), end = std::min(first + grab, state_.blocks);
    for (std::uint64_t k = first; k < end; ++k) {
      // A fault or a meeting is decided later, in order; what comes after it need not run.
      if (k > first_fault_.load() || state_.owners->met()) return;
      block.sm = sm_of(k);
      block.ticket = state_.owners->ticket(k);
      block.start(state_, k, order_.at(k));
      const bool ended = block.run(state_.budget);
      block_instructions_[k] = block.instructions;
      if (!ended) block.fault = endless(block);
      if (!block.output.empty() || block.fault || block.absent_source) {
        const std::lock_guard lock(mutex_);
        keep_absent_source(block);
        if (!block.output.empty()) outputs_[k] = block.output;
        if (block.fault) {
          first_fault_.store(std::min(first_fault_.load(), k));
          if (!ended) endless_[k] = explain(device_, state_, block, *block.fault);
          return;
        }
      }
      add_latency(worker.counters, block);
      total_.fetch_add(block.instructions);
    }
    // Only between grabs: the blocks that ran are then the first ones of the order, without a gap.
    if (end >= state_.blocks || total_.load() >= state_.budget) return;
  }
}

bool Launch::run_coarse() {
  Memory::Impl& store = *state_.store;
  if (store.next_ticket + state_.blocks + 2 >= 0xffffffffull) {
    madvise(store.owners, store.range / sector_bytes * 8, MADV_DONTNEED);
    store.next_ticket = 2;
  }
  SectorOwners owners(store.owners, store.next_ticket);
  store.next_ticket += state_.blocks + 2;
  state_.owners = &owners;
  block_instructions_.assign(state_.blocks, 0);
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < workers_.size(); ++i)
    threads.emplace_back([this, i] { coarse_worker(*workers_[i]); });
  coarse_worker(*workers_[0]);
  for (std::thread& t : threads) t.join();
  state_.owners = nullptr;
  // A kernel that alone, or with the blocks before it, has used the budget; the first one in order counts.
  std::uint64_t sum = 0, over = ~0ull;
  for (std::uint64_t k = 0; k < state_.blocks && over == ~0ull; ++k) {
    sum += block_instructions_[k];
    if (sum >= state_.budget) over = k;
  }
  const std::uint64_t fault = first_fault_.load();
  if (!owners.met() && fault == ~0ull && over == ~0ull) {
    for (const auto& worker : workers_) {
      Counters& c = result_.counters;
      c.block_latency_cycles_sum += worker->counters.block_latency_cycles_sum;
      c.block_latency_cycles_max =
          std::max(c.block_latency_cycles_max, worker->counters.block_latency_cycles_max);
      c.block_latency_trips_sum += worker->counters.block_latency_trips_sum;
      c.block_latency_trips_max =
          std::max(c.block_latency_trips_max, worker->counters.block_latency_trips_max);
    }
    for (const auto& [k, text] : outputs_) print(text);
    return true;
  }
  undo();
  const auto it = endless_.find(fault);
  if (owners.met() || it == endless_.end()) return false;
  // Running an endless kernel again would tell nothing new. How far other blocks came is left out of the
  // counters.
  drop_workers();
  result_.fault = it->second;
  return true;
}

// Puts back what the launch overwrote. Each sector is in one list, once.
void Launch::undo() {
  const Memory::Impl& m = *state_.store;
  for (const auto& worker : workers_) {
    for (const SectorBefore& b : worker->undo) {
      std::memcpy(m.bytes(b.sector * sector_bytes), b.bytes, sector_bytes);
      reinterpret_cast<std::uint32_t*>(m.init_bits)[b.sector - m.base / sector_bytes] = b.init_bits;
    }
    worker->undo.clear();
    for (const std::uint64_t sector : worker->undo_unwritten) {
      std::memset(m.bytes(sector * sector_bytes), 0, sector_bytes);
      reinterpret_cast<std::uint32_t*>(m.init_bits)[sector - m.base / sector_bytes] = 0;
    }
    worker->undo_unwritten.clear();
  }
}

}  // namespace workbook::sim
