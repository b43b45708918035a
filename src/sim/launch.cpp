// A launch: its order of blocks, what it may do, and the sum of what it did. launch_run.cpp runs it.
#include <algorithm>
#include <bit>
#include <numeric>
#include <thread>

#include "sim/launch_impl.h"

namespace workbook::sim {

BlockOrder::BlockOrder(std::uint64_t blocks, std::uint64_t seed, bool shuffled)
    : blocks_(blocks), seed_(seed), shuffled_(shuffled) {
  window_ = std::clamp<std::uint64_t>(blocks, 1, 16);
  windows_ = std::max<std::uint64_t>(blocks / window_, 1);  // whole ones; what is left of the grid comes last
  first_ = seed == 0 ? 0 : mix_bits(seed) % windows_;
}

std::uint64_t BlockOrder::at(std::uint64_t k) const {
  if (!shuffled_) return k;
  const std::uint64_t w = k / window_, i = k % window_;
  if (w >= windows_) return w * window_ + shuffle(i, blocks_ % window_, w);
  const std::uint64_t turned = (w + first_) % windows_;
  return turned * window_ + shuffle(i, window_, turned);
}

// i -> (i * step + shift) mod size, with a step prime to the size; step 1 only where there is no other.
std::uint64_t BlockOrder::shuffle(std::uint64_t i, std::uint64_t size, std::uint64_t w) const {
  if (size <= 1) return i;
  const std::uint64_t r = mix_bits(seed_ * golden_step + w + 1);
  std::uint64_t step = size <= 3 ? size - 1 : 2 + r % (size - 2);
  while (std::gcd(step, size) != 1) step = step % (size - 1) + 1;
  const std::uint64_t shift = 1 + (r >> 32) % (size - 1);
  return (i * step + shift) % size;
}

namespace {

constexpr std::size_t print_buffer = 1 << 20;  // bytes of device printf, the default of CUDA
constexpr std::uint64_t small_launch = 65536;  // threads up to which every access is checked for races

struct Reach {
  bool atomics = false, strong = false, fence = false, heap = false, sub_word = false, timer = false;
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
    r.timer |= c.uses_timer;
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
  add(to.shared_atomic, from.shared_atomic);
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

}  // namespace

Launch::Launch(Device::Impl& device, const LaunchSpec& spec)
    : device_(device), spec_(spec), order_(spec.grid.count(), device.options.seed, !spec.in_order) {}

void Launch::prepare() {
  const Code& kernel = *device_.codes.at(spec_.function);
  const Reach uses = reach(device_, spec_.function);
  may_spin_ = uses.atomics || uses.strong;
  state_.spec = &spec_;
  state_.kernel = &kernel;
  state_.codes = &device_.codes;
  state_.memory = &device_.memory;
  state_.store = &device_.memory.impl();
  state_.limits = &device_.limits;
  state_.latencies = &device_.latencies;
  state_.options = &device_.options;
  state_.spans = state_.store->spans();
  state_.threads = static_cast<std::uint32_t>(spec_.block.count());
  state_.warps = (state_.threads + lanes - 1) / lanes;
  state_.blocks = spec_.grid.count();
  if (device_.options.seed != 0 && state_.warps > 1) {
    const std::uint64_t r = mix_bits(device_.options.seed * golden_step + 7);
    state_.warp_step = static_cast<std::uint32_t>(1 + r % (state_.warps - 1));
    while (std::gcd(state_.warp_step, state_.warps) != 1)
      state_.warp_step = state_.warp_step % (state_.warps - 1) + 1;
    state_.warp_shift = static_cast<std::uint32_t>((r >> 32) % state_.warps);
  }
  state_.shared_bytes = kernel.static_shared;
  if (spec_.dynamic_shared_bytes != 0)
    state_.shared_bytes = (kernel.static_shared + 15) / 16 * 16 + spec_.dynamic_shared_bytes;
  state_.resident =
      std::max(1u, device_.blocks_per_sm(spec_.function, state_.threads, spec_.dynamic_shared_bytes));
  // What shared memory leaves of the SM's L1, split over the blocks that share it.
  const std::uint64_t carved = std::uint64_t{state_.resident} * state_.shared_bytes;
  const std::uint64_t l1 = device_.limits.l1_bytes_per_sm;
  const std::uint64_t resident_now = std::clamp<std::uint64_t>(
      (state_.blocks + device_.limits.sm_count - 1) / device_.limits.sm_count, 1, state_.resident);
  state_.l1_bytes = (l1 > carved ? l1 - carved : 0) / resident_now;
  state_.check_init = device_.options.check_uninitialised;
  state_.note_touched = state_.store->note_touched;
  state_.check_shared_races = device_.options.check_races && state_.warps > 1 && state_.shared_bytes != 0;
  state_.sub_word_shared = uses.sub_word;
  state_.reads_timer = uses.timer;
  exact_ = may_spin_ || state_.reads_timer || uses.fence || uses.heap ||
           state_.blocks * state_.threads <= small_launch || state_.blocks >= 0xf0000000ull;
  state_.budget = device_.options.instruction_budget;
  state_.grid_id = ++device_.grids;
  // An SM's clock does not begin with the launch: what counts is a difference of two readings. So it stands
  // somewhere else at each launch, at some minutes of a GPU that has been on for a while.
  constexpr std::uint64_t a_minute = 100'000'000'000;
  state_.first_cycle = a_minute + mix_bits(state_.grid_id * golden_step) % (16 * a_minute);
  fill_thread_indices(state_);
}

void Launch::drop_workers() {
  for (const auto& worker : workers_) take_touched(state_, *worker, touched_sectors_, touched_host_);
  workers_.clear();
}

void Launch::begin_attempt() {
  result_ = LaunchResult{};
  absent_order_ = ~0ull;
  instructions_ = 0;
  drop_workers();
  spare_.clear();
  places_ = Places{};
  std::uint32_t count = 1;
  if (!exact_) {
    count = device_.options.host_threads != 0 ? device_.options.host_threads
                                              : std::max(1u, std::thread::hardware_concurrency());
    count = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, state_.blocks));
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    workers_.push_back(std::make_unique<Worker>());
    workers_.back()->launch = &state_;
    workers_.back()->hits.assign(device_.hits, 0);
    workers_.back()->last_span.assign(device_.hits, Span{});
  }
  state_.several_threads = count > 1;
  state_.races = nullptr;
  if (exact_ && device_.options.check_races) {
    device_.races->begin_launch();
    state_.races = device_.races.get();
  }
}

std::uint32_t Launch::sm_of(std::uint64_t order) const {
  // Consecutive blocks of the order go to different SMs, but not to SM 0, 1, 2, ...
  const std::uint64_t n = device_.limits.sm_count;
  std::uint64_t step = std::max<std::uint64_t>(n * 5 / 8, 1);
  while (std::gcd(step, n) != 1) ++step;
  return static_cast<std::uint32_t>((order * step + mix_bits(device_.options.seed + 1)) % n);
}

void Launch::add_latency(Counters& c, const Block& block) const {
  const std::uint64_t latency = block.latency();
  c.block_latency_cycles_sum += latency >> 16;
  c.block_latency_cycles_max = std::max(c.block_latency_cycles_max, latency >> 16);
  c.block_latency_trips_sum += latency & 0xffff;
  c.block_latency_trips_max = std::max(c.block_latency_trips_max, latency & 0xffff);
}

void Launch::print(const std::string& text) {
  const std::size_t room = print_buffer - result_.output.size();
  if (text.size() > room) result_.output_truncated = true;
  result_.output.append(text, 0, room);
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
  c.last_block_end_cycles = places_.last_end();
  for (const auto& worker : workers_) {
    for (const auto& code : device_.codes) {
      if (code == nullptr) continue;
      for (std::size_t pc = 0; pc < code->body.size(); ++pc) {
        const std::uint64_t n = worker->hits[code->first_hit + pc];
        c.inst_executed += n;
        c.inst_by_class[static_cast<std::size_t>(code->body[pc].cls)] += n;
      }
    }
    c.thread_inst_executed += worker->thread_instructions;
    add_memory_counters(c, worker->counters);
    // Atomics run on one host thread, so each address is in one table.
    for (const auto& [address, n] : worker->hot_integer)
      c.atomic_hottest_integer = std::max(c.atomic_hottest_integer, n);
    for (const auto& [address, n] : worker->hot_float)
      c.atomic_hottest_float = std::max(c.atomic_hottest_float, n);
    device_.memory.impl().l2_clock += worker->l2_inserted;
  }
}

LaunchResult Launch::run() {
  if (const std::string why = device_.why_unsupported(spec_.function); !why.empty()) {
    Fault f;
    f.kind = FaultKind::illegal_instruction;
    f.kernel = device_.facts.at(spec_.function).display_name;
    f.text = why;
    result_.fault = f;
    return std::move(result_);
  }
  prepare();
  if (state_.threads == 0 || state_.blocks == 0) return std::move(result_);
  Memory::Impl& store = *state_.store;
  if (spec_.cooperative) {
    const std::uint32_t workspace[16] = {sizeof workspace};
    state_.grid_workspace =
        device_.memory.allocate(sizeof workspace, AllocationKind::module_, "the grid's barrier");
    if (state_.grid_workspace != 0) device_.memory.write(state_.grid_workspace, workspace, sizeof workspace);
    state_.spans = store.spans();
  }
  store.begin_operation();
  begin_attempt();
  if (exact_) {
    run_in_order();
  } else if (!run_coarse()) {
    const std::uint32_t first = store.operation;
    store.begin_operation();
    store.first_attempt = first;
    exact_ = true;
    begin_attempt();
    run_in_order();
  }
  if (state_.grid_workspace != 0) device_.memory.free(state_.grid_workspace);
  sum_up();
  drop_workers();
  if (state_.note_touched)
    result_.touched = ranges_of(state_, std::move(touched_sectors_), std::move(touched_host_));
  return std::move(result_);
}

LaunchResult run_launch(Device::Impl& device, const LaunchSpec& spec) {
  return Launch(device, spec).run();
}

}  // namespace workbook::sim
