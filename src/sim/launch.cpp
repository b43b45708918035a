// A launch: the order of blocks, which of them are resident, and the sum of what they did.
#include <algorithm>
#include <bit>
#include <numeric>

#include "sim/device_impl.h"

namespace workbook::sim {

namespace {

constexpr std::size_t print_buffer = 1 << 20;  // bytes of device printf, the default of CUDA
constexpr std::uint64_t small_launch = 65536;  // threads up to which every access is checked for races

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

// The fixed order of blocks: windows of 16 neighbours (for the caches of the host), shuffled inside, the windows
// begun at some place. Never the identity for more than one block, so that nobody learns to rely on it.
class BlockOrder {
 public:
  BlockOrder(std::uint64_t blocks, std::uint64_t seed) : blocks_(blocks), seed_(seed) {
    window_ = std::min<std::uint64_t>(blocks, 16);
    windows_ = (blocks + window_ - 1) / window_;
    first_ = seed == 0 ? 0 : mix(seed) % windows_;
  }
  std::uint64_t at(std::uint64_t k) const {
    // All windows but the last of the grid are full; the last may be short and comes where it comes.
    const std::uint64_t tail = blocks_ % window_;
    std::uint64_t w = k / window_, i = k % window_, size = window_;
    if (tail != 0) {
      // Positions of the rotated sequence of windows: the short one stays at the end.
      const std::uint64_t full = blocks_ / window_;
      if (w == full) size = tail;
      else w = full == 0 ? 0 : (w + first_ % std::max<std::uint64_t>(full, 1)) % full;
    } else {
      w = (w + first_) % windows_;
    }
    return w * window_ + shuffle(i, size, w);
  }

 private:
  // i -> (i * step + shift) mod size with a step prime to the size.
  std::uint64_t shuffle(std::uint64_t i, std::uint64_t size, std::uint64_t w) const {
    if (size <= 1) return i;
    const std::uint64_t r = mix(seed_ * 0x9e3779b97f4a7c15ull + w + 1);
    std::uint64_t step = size <= 2 ? 1 : 2 + r % (size - 2);
    while (std::gcd(step, size) != 1) step = step % (size - 1) + 1;
    const std::uint64_t shift = 1 + (r >> 32) % (size - 1);
    return (i * step + shift) % size;
  }
  std::uint64_t blocks_, seed_, window_, windows_, first_;
};

struct Reach {
  bool atomics = false, strong = false, fence = false, heap = false, sub_word = false;
};

// What the kernel and everything it may call does.
Reach reach(const Device::Impl& d, FunctionId function) {
  Reach r;
  std::vector<bool> seen(d.codes.size());
  std::vector<std::uint32_t> todo{function};
  const auto add = [&](std::uint32_t f) {
    if (d.codes[f] != nullptr && !seen[f]) {
      seen[f] = true;
      todo.push_back(f);
    }
  };
  while (!todo.empty()) {
    const Code& c = *d.codes[todo.back()];
    todo.pop_back();
    r.atomics |= c.uses_atomics;
    r.strong |= c.uses_strong;
    r.fence |= c.uses_fence;
    r.heap |= c.uses_heap;
    r.sub_word |= c.sub_word_shared;
    for (const std::uint32_t f : c.callees) add(f);
    if (c.uses_indirect)
      for (std::uint32_t f = 0; f < d.codes.size(); ++f)
        if (d.codes[f] != nullptr && !d.codes[f]->function->is_kernel) add(f);
  }
  return r;
}

void fill_thread_indices(LaunchState& launch) {
  const Dim3& b = launch.spec->block;
  for (auto& axis : launch.tids) axis.assign(std::size_t{launch.warps} * lanes, 0);
  for (std::uint32_t t = 0; t < launch.threads; ++t) {
    launch.tids[0][t] = t % b.x;
    launch.tids[1][t] = t / b.x % b.y;
    launch.tids[2][t] = t / b.x / b.y;
  }
}

void add(AccessCounters& to, const AccessCounters& from) {
  to.requests += from.requests;
  to.sectors += from.sectors;
  to.bytes += from.bytes;
}
void add(SharedCounters& to, const SharedCounters& from) {
  to.requests += from.requests;
  to.wavefronts += from.wavefronts;
}

// Everything but what hits give (instructions) and the latencies.
void add_memory_counters(Counters& to, const Counters& from) {
  to.branches += from.branches;
  to.divergent_branches += from.divergent_branches;
  add(to.global_load, from.global_load);
  add(to.global_store, from.global_store);
  add(to.local_load, from.local_load);
  add(to.local_store, from.local_store);
  add(to.shared_load, from.shared_load);
  add(to.shared_store, from.shared_store);
  to.atomic_requests += from.atomic_requests;
  to.atomic_lanes += from.atomic_lanes;
  to.atomic_sectors += from.atomic_sectors;
  to.l1_hit_sectors += from.l1_hit_sectors;
  to.l2_read_sectors += from.l2_read_sectors;
  to.l2_write_sectors += from.l2_write_sectors;
  to.first_read_sectors_l2_hit += from.first_read_sectors_l2_hit;
  to.first_read_sectors_dram += from.first_read_sectors_dram;
  to.written_sectors += from.written_sectors;
}

class Launch {
 public:
  Launch(Device::Impl& device, const LaunchSpec& spec);
  LaunchResult run();

 private:
  void prepare();
  void run_in_order();
  bool finish(Block& block);    // takes in a block that ended; true: the launch stops
  void sum_up();
  std::unique_ptr<Block> take_block();
  std::uint32_t sm_of(std::uint64_t order) const;

  Device::Impl& device_;
  const LaunchSpec& spec_;
  LaunchState state_;
  Worker worker_;
  LaunchResult result_;
  BlockOrder order_;
  std::vector<std::unique_ptr<Block>> spare_;
  std::uint64_t instructions_ = 0;
  bool may_spin_ = false;
};

Launch::Launch(Device::Impl& device, const LaunchSpec& spec)
    : device_(device), spec_(spec), order_(spec.grid.count(), device.options.seed) {}

void Launch::prepare() {
  const Code& kernel = *device_.codes.at(spec_.function);
  Memory::Impl& store = device_.memory.impl();
  const Reach uses = reach(device_, spec_.function);
  may_spin_ = uses.atomics || uses.strong;
  state_.spec = &spec_;
  state_.kernel = &kernel;
  state_.codes = &device_.codes;
  state_.memory = &device_.memory;
  state_.store = &store;
  state_.limits = &device_.limits;
  state_.latencies = &device_.latencies;
  state_.options = &device_.options;
  state_.spans = store.spans();
  state_.threads = static_cast<std::uint32_t>(spec_.block.count());
  state_.warps = (state_.threads + lanes - 1) / lanes;
  state_.blocks = spec_.grid.count();
  state_.shared_bytes = kernel.static_shared;
  if (spec_.dynamic_shared_bytes != 0) state_.shared_bytes = (kernel.static_shared + 15) / 16 * 16 + spec_.dynamic_shared_bytes;
  state_.resident = std::max(1u, device_.blocks_per_sm(spec_.function, state_.threads, spec_.dynamic_shared_bytes));
  // What shared memory leaves of the SM's L1, split over the blocks that share it.
  const std::uint64_t carved = std::uint64_t{state_.resident} * state_.shared_bytes;
  const std::uint64_t l1 = device_.limits.l1_bytes_per_sm;
  const std::uint64_t resident_now = std::clamp<std::uint64_t>((state_.blocks + device_.limits.sm_count - 1) / device_.limits.sm_count, 1, state_.resident);
  state_.l1_bytes = (l1 > carved ? l1 - carved : 0) / resident_now;
  state_.check_init = device_.options.check_uninitialised;
  state_.check_shared_races = device_.options.check_races && state_.warps > 1 && state_.shared_bytes != 0;
  const bool exact = may_spin_ || uses.fence || state_.blocks * state_.threads <= small_launch;
  if (device_.options.check_races && exact) {
    device_.races->begin_launch();
    state_.races = device_.races.get();
  }
  state_.budget = device_.options.instruction_budget;
  state_.grid_id = ++device_.grids;
  fill_thread_indices(state_);
  store.begin_operation();
  worker_.launch = &state_;
  worker_.hits.assign(device_.hits, 0);
  worker_.last_span.assign(device_.hits, Span{});
}

std::uint32_t Launch::sm_of(std::uint64_t order) const {
  // Consecutive blocks of the order go to different SMs, but not to SM 0, 1, 2, ...
  const std::uint64_t n = device_.limits.sm_count;
  std::uint64_t step = std::max<std::uint64_t>(n * 5 / 8, 1);
  while (std::gcd(step, n) != 1) ++step;
  return static_cast<std::uint32_t>((order * step + mix(device_.options.seed + 1)) % n);
}

std::unique_ptr<Block> Launch::take_block() {
  if (spare_.empty()) {
    auto block = std::make_unique<Block>();
    block->worker = &worker_;
    return block;
  }
  auto block = std::move(spare_.back());
  spare_.pop_back();
  return block;
}

bool Launch::finish(Block& block) {
  Counters& c = result_.counters;
  const std::uint64_t latency = block.latency();
  c.block_latency_cycles_sum += latency >> 16;
  c.block_latency_cycles_max = std::max(c.block_latency_cycles_max, latency >> 16);
  c.block_latency_trips_sum += latency & 0xffff;
  c.block_latency_trips_max = std::max(c.block_latency_trips_max, latency & 0xffff);
  if (!block.output.empty()) {
    const std::size_t room = print_buffer - result_.output.size();
    if (block.output.size() > room) result_.output_truncated = true;
    result_.output.append(block.output, 0, room);
  }
  if (!block.fault) return false;
  result_.fault = explain(device_, state_, block, *block.fault);
  return true;
}

// Blocks in the fixed order, one at a time; a block that has used its turn makes room for the next resident one.
void Launch::run_in_order() {
  const std::uint64_t turn = may_spin_ ? 50'000 : 50'000'000;
  const std::uint64_t resident = std::max<std::uint64_t>(1, std::uint64_t{device_.limits.sm_count} * state_.resident);
  std::vector<std::unique_ptr<Block>> running;
  std::uint64_t next = 0;
  std::size_t at = 0;
  while (next < state_.blocks || !running.empty()) {
    if (at >= running.size()) {
      if (next < state_.blocks && running.size() < resident) {
        auto block = take_block();
        block->sm = sm_of(next);
        block->start(state_, next, order_.at(next));
        ++next;
        running.push_back(std::move(block));
      }
      at = at >= running.size() ? 0 : at;
    }
    Block& block = *running[at];
    const std::uint64_t before = block.instructions;
    const bool ended = block.run(std::min(turn, state_.budget - std::min(state_.budget, instructions_)));
    instructions_ += block.instructions - before;
    if (ended) {
      if (finish(block)) return;
      spare_.push_back(std::move(running[at]));
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
    } else if (instructions_ >= state_.budget) {
      for (const Warp& w : block.warps) {
        if (w.splits.empty()) continue;
        RawFault f;
        f.kind = FaultKind::endless_kernel;
        const Split& s = w.splits[w.current < w.splits.size() ? w.current : 0];
        f.code = s.frame->code;
        f.pc = s.pc;
        f.warp = w.index;
        f.mask = s.mask;
        f.lane = static_cast<std::uint32_t>(std::countr_zero(s.mask));
        block.fault = f;
        break;
      }
      finish(block);
      return;
    } else {
      ++at;
    }
  }
}

void Launch::sum_up() {
  Counters& c = result_.counters;
  const FunctionFacts& facts = device_.facts.at(spec_.function);
  c.grid = {spec_.grid.x, spec_.grid.y, spec_.grid.z};
  c.block = {spec_.block.x, spec_.block.y, spec_.block.z};
  c.registers_per_thread = facts.registers;
  c.registers_estimated = facts.registers_estimated;
  c.static_shared_bytes = facts.static_shared_bytes;
  c.dynamic_shared_bytes = spec_.dynamic_shared_bytes;
  c.warps = state_.blocks * state_.warps;
  for (const auto& code : device_.codes) {
    if (code == nullptr) continue;
    for (std::size_t pc = 0; pc < code->body.size(); ++pc) {
      const std::uint64_t n = worker_.hits[code->first_hit + pc];
      c.inst_executed += n;
      c.inst_by_class[static_cast<std::size_t>(code->body[pc].cls)] += n;
    }
  }
  c.thread_inst_executed = worker_.thread_instructions;
  add_memory_counters(c, worker_.counters);
  for (const auto& [address, n] : worker_.hot_integer) c.atomic_hottest_integer = std::max(c.atomic_hottest_integer, n);
  for (const auto& [address, n] : worker_.hot_float) c.atomic_hottest_float = std::max(c.atomic_hottest_float, n);
  device_.memory.impl().l2_clock += worker_.l2_inserted;
}

LaunchResult Launch::run() {
  prepare();
  if (const std::string why = device_.why_unsupported(spec_.function); !why.empty()) {
    Fault f;
    f.kind = FaultKind::illegal_instruction;
    f.kernel = device_.facts.at(spec_.function).display_name;
    f.text = why;
    result_.fault = f;
    return std::move(result_);
  }
  if (state_.threads == 0 || state_.blocks == 0) return std::move(result_);
  run_in_order();
  sum_up();
  return std::move(result_);
}

}  // namespace

LaunchResult run_launch(Device::Impl& device, const LaunchSpec& spec) { return Launch(device, spec).run(); }

}  // namespace workbook::sim
