#include "sim/access.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

namespace workbook::sim {

namespace {

const Span* look_up(const LaunchState& launch, std::uint64_t address) {
  auto it = std::upper_bound(launch.spans.begin(), launch.spans.end(), address,
                             [](std::uint64_t a, const Span& s) { return a < s.base; });
  if (it == launch.spans.begin()) return nullptr;
  --it;
  return address < it->end ? &*it : nullptr;
}

// The lanes whose access is not inside one live allocation, and the kind of fault of the first of them.
std::uint32_t outside(const LaunchState& launch, const Pattern& p, const std::uint64_t* address,
                      bool is_write, Placed& placed, FaultKind& kind) {
  std::uint32_t bad = 0;
  for (std::uint32_t rest = p.mask; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    const Span* s = look_up(launch, address[l]);
    if (s == nullptr || address[l] + p.bytes > s->end) {
      if (bad == 0) {
        const Allocation* a = launch.memory->find(address[l]);
        kind = a != nullptr && a->freed ? FaultKind::use_after_free
               : s == nullptr && !launch.memory->is_device_address(address[l]) && address[l] >= 65536 &&
                       !launch.memory->is_behind_mapped(address[l])
                   ? FaultKind::host_pointer
                   : FaultKind::out_of_bounds;
      }
      bad |= 1u << l;
    } else if (is_write && s->read_only) {
      if (bad == 0) kind = FaultKind::write_to_constant;
      bad |= 1u << l;
    } else {
      placed.deltas[l] = s->delta;
    }
  }
  placed.split = true;
  return bad;
}

std::uint32_t misaligned(const Pattern& p, const std::uint64_t* address) {
  std::uint32_t bad = 0;
  for (std::uint32_t rest = p.mask; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    if ((address[l] & (p.bytes - 1)) != 0) bad |= 1u << l;
  }
  return bad;
}

// Lanes that read bytes of which none was ever written. Partly written values are let pass: they may be
// padding.
std::uint32_t uninitialised(const Memory::Impl& m, const Pattern& p, const std::uint64_t* address) {
  const std::uint64_t ones = (1ull << p.bytes) - 1;
  std::uint32_t bad = 0;
  for (std::uint32_t rest = p.mask; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    const std::uint64_t bit = address[l] - m.base;
    if ((m.init_bits[bit >> 6] >> (bit & 63) & ones) == 0) bad |= 1u << l;  // aligned, so inside one word
  }
  return bad;
}

void mark_bits(Memory::Impl& m, std::uint64_t first, std::uint64_t count, bool atomic) {
  while (count > 0) {
    const std::uint64_t bit = first & 63, here = std::min<std::uint64_t>(count, 64 - bit);
    const std::uint64_t mask = (here == 64 ? ~0ull : (1ull << here) - 1) << bit;
    std::uint64_t& word = m.init_bits[first >> 6];
    std::atomic_ref<std::uint64_t> shared(word);
    if ((shared.load(std::memory_order_relaxed) & mask) != mask) {
      if (atomic)
        shared.fetch_or(mask, std::memory_order_relaxed);
      else
        word |= mask;
    }
    first += here;
    count -= here;
  }
}

void mark_written(LaunchState& launch, const Pattern& p, const std::uint64_t* address, bool dense) {
  Memory::Impl& m = *launch.store;
  if (p.kind == PatternKind::uniform || (p.kind == PatternKind::contiguous && dense)) {
    mark_bits(m, p.low - m.base, p.high - p.low, launch.several_threads);
    return;
  }
  for (std::uint32_t rest = p.mask; rest != 0; rest &= rest - 1)
    mark_bits(m, address[std::countr_zero(rest)] - m.base, p.bytes, launch.several_threads);
}

// The distinct sectors of a request, in the order of the lanes.
struct Sectors {
  std::uint64_t number[2 * lanes];
  std::uint32_t count = 0;
};

void collect(const Pattern& p, const std::uint64_t* address, bool dense, Sectors& out) {
  if (p.kind == PatternKind::uniform || (p.kind == PatternKind::contiguous && dense)) {
    const std::uint64_t first = p.low / sector_bytes, last = (p.high - 1) / sector_bytes;
    for (std::uint64_t s = first; s <= last && out.count < 2 * lanes; ++s) out.number[out.count++] = s;
    return;
  }
  // An aligned access of at most 32 bytes lies in one sector.
  for (std::uint32_t rest = p.distinct ? p.heads : distinct_heads(address, p.heads); rest != 0;
       rest &= rest - 1)
    out.number[out.count++] = address[std::countr_zero(rest)] / sector_bytes;
}

// Are all bytes of all these sectors written? The common case, that needs no look at single lanes.
bool all_initialised(const Memory::Impl& m, const Sectors& sectors) {
  const auto* bits = reinterpret_cast<const std::uint32_t*>(m.init_bits);
  const std::uint64_t first = m.base / sector_bytes;
  bool all = true;
  for (std::uint32_t i = 0; i < sectors.count; ++i) all &= bits[sectors.number[i] - first] == 0xffffffffu;
  return all;
}

SectorBefore remember(const Memory::Impl& m, std::uint64_t sector) {
  SectorBefore b;
  b.sector = sector;
  b.init_bits = reinterpret_cast<const std::uint32_t*>(m.init_bits)[sector - m.base / sector_bytes];
  std::memcpy(b.bytes, m.bytes(sector * sector_bytes), sector_bytes);
  return b;
}

void stamp_fresh(Worker& worker, std::uint64_t sector, std::uint32_t how) {
  LaunchState& launch = *worker.launch;
  Memory::Impl& m = *launch.store;
  std::uint32_t& cell = m.stamps[sector - m.base / sector_bytes];
  // The bytes are read before the stamp says `written`: until then no block has changed them.
  const bool keep = launch.owners != nullptr && (how & l2::written) != 0;
  const bool unwritten =
      keep && reinterpret_cast<const std::uint32_t*>(m.init_bits)[sector - m.base / sector_bytes] == 0;
  if (unwritten)
    worker.undo_unwritten.push_back(sector);
  else if (keep)
    worker.undo.push_back(remember(m, sector));
  const auto take_back = [&] {
    if (unwritten)
      worker.undo_unwritten.pop_back();
    else if (keep)
      worker.undo.pop_back();
  };
  std::atomic_ref<std::uint32_t> shared(cell);
  std::uint32_t old = shared.load(std::memory_order_relaxed), now;
  do {
    const bool here = old >> l2::shift == m.operation;
    if (here && (old & how) == how) {
      take_back();
      return;
    }
    now = here ? old | how : m.operation << l2::shift | how | (m.was_resident(old) ? l2::resident : 0);
    if (!launch.several_threads) {
      cell = now;
      break;
    }
  } while (!shared.compare_exchange_weak(old, now, std::memory_order_acq_rel));
  const bool first_touch = old >> l2::shift != m.operation;
  const std::uint32_t fresh = first_touch ? how : how & ~old;
  if ((fresh & l2::written) == 0) take_back();
  if (fresh != 0 && launch.note_touched) note_sector(worker, sector);
  if (first_touch && (now & l2::resident) == 0) ++worker.l2_inserted;
  if ((fresh & l2::read) != 0)
    ++((now & l2::resident) != 0 ? worker.counters.first_read_sectors_l2_hit
                                 : worker.counters.first_read_sectors_dram);
  if ((fresh & l2::written) != 0) ++worker.counters.written_sectors;
}

inline void stamp(Worker& worker, std::uint64_t sector, std::uint32_t how) {
  const Memory::Impl& m = *worker.launch->store;
  const std::uint32_t old = std::atomic_ref<std::uint32_t>(m.stamps[sector - m.base / sector_bytes])
                                .load(std::memory_order_relaxed);
  if (old >> l2::shift == m.operation && (old & how) == how) return;
  stamp_fresh(worker, sector, how);
}

// A load: what L1 has, what L2 must give, and how long the result takes.
void count_load(Warp& w, const Inst& in, const Sectors& sectors) {
  Worker& worker = *w.worker;
  LaunchState& launch = *worker.launch;
  Counters& c = worker.counters;
  std::uint32_t missed = 0;
  for (std::uint32_t i = 0; i < sectors.count;) {
    const std::uint64_t line = sectors.number[i] / 4;
    std::uint32_t wanted = 0;
    for (; i < sectors.count && sectors.number[i] / 4 == line; ++i) wanted |= 1u << (sectors.number[i] & 3);
    const std::uint32_t hit = in.access.strong ? 0 : w.block->l1.lookup(line, wanted);
    for (std::uint32_t miss = wanted & ~hit; miss != 0; miss &= miss - 1) {
      const std::uint64_t sector = line * 4 + static_cast<std::uint64_t>(std::countr_zero(miss));
      ++missed;
      stamp(worker, sector, l2::read);
      if (launch.owners != nullptr)
        launch.owners->read(sector - launch.store->base / sector_bytes, w.block->ticket);
    }
  }
  c.l1_hit_sectors += sectors.count - missed;
  c.l2_read_sectors += missed;
  w.result_latency =
      missed != 0 ? packed_cycles(launch.latencies->l2_hit) + 1 : packed_cycles(launch.latencies->l1_hit);
}

// Counts a request of global memory and asks the caches.
void count_global(Warp& w, const Inst& in, const Pattern& p, const Sectors& sectors, bool is_write,
                  bool device) {
  Worker& worker = *w.worker;
  LaunchState& launch = *worker.launch;
  const Latencies& t = *launch.latencies;
  Counters& c = worker.counters;
  if (in.access.space == ptx::Space::constant) {
    w.result_latency = packed_cycles(t.alu);
    return;
  }
  const bool atomic = in.access.atomic != ptx::AtomicOp::none;
  const std::uint32_t active = count_lanes(p.mask);
  if (atomic) {
    ++c.atomic_requests;
    c.atomic_lanes += active;
    c.atomic_sectors += sectors.count;
    w.result_latency = packed_cycles(t.atomic);
  } else {
    AccessCounters& a = is_write ? c.global_store : c.global_load;
    ++a.requests;
    a.sectors += sectors.count;
    a.bytes += std::uint64_t{active} * p.bytes;
  }
  if (!device) {  // host memory: over the bus, no cache of ours
    w.result_latency = packed_cycles(t.l2_hit) + (is_write ? 0 : 1);
  } else if (is_write || atomic) {
    if (!atomic) c.l2_write_sectors += sectors.count;
    for (std::uint32_t i = 0; i < sectors.count; ++i) {
      stamp(worker, sectors.number[i], atomic ? l2::read | l2::written : l2::written);
      if (launch.owners != nullptr)
        launch.owners->write(sectors.number[i] - launch.store->base / sector_bytes, w.block->ticket);
    }
  } else {
    count_load(w, in, sectors);
  }
}

bool is_dense(std::uint32_t mask) {
  const std::uint32_t run = mask >> std::countr_zero(mask);
  return (run & (run + 1)) == 0;
}

}  // namespace

void L1::configure(std::uint64_t bytes) {
  std::uint64_t count = 1;
  while (count * 2 * ways * 128 <= bytes && count < 512) count *= 2;
  set_mask = static_cast<std::uint32_t>(count - 1);
  sets.assign(count, {});
  clock = floor = 0;
}
void L1::clear() {
  floor = clock;
  if (clock < 0xf0000000u) return;
  std::fill(sets.begin(), sets.end(), Set{});
  clock = floor = 0;
}
ptx::Space space_of(std::uint64_t address) {
  switch (address & window_mask) {
    case shared_window:
      return ptx::Space::shared;
    case local_window:
      return ptx::Space::local;
    case param_window:
      return ptx::Space::param;
    default:
      return ptx::Space::global;
  }
}

void raise(Warp& w, const Inst& in, FaultKind kind, std::uint32_t mask, std::uint64_t address,
           std::uint32_t bytes, bool is_write) {
  RawFault f;
  f.kind = kind;
  f.code = w.frame->code;
  f.pc = static_cast<std::uint32_t>(&in - w.frame->code->body.data());
  f.warp = w.index;
  f.lane = mask == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(mask));
  f.mask = mask;
  f.address = address;
  f.bytes = bytes;
  f.is_write = is_write;
  for (const Frame* frame = w.frame; frame->caller != nullptr && f.stack.size() < 64; frame = frame->caller)
    f.stack.emplace_back(frame->caller->code, frame->call_pc);
  w.block->fault = std::move(f);
}

std::string lanes_text(std::uint32_t mask) {
  std::vector<std::string> runs;
  for (std::uint32_t rest = mask; rest != 0;) {
    const int first = std::countr_zero(rest), count = std::countr_one(rest >> first),
              last = first + count - 1;
    if (count == 2) runs.push_back(std::to_string(first));
    runs.push_back(count > 2 ? std::to_string(first) + " to " + std::to_string(last) : std::to_string(last));
    rest &= last == 31 ? 0 : ~0u << (last + 1);
  }
  std::string s = std::popcount(mask) == 1 ? "lane " : "lanes ";
  for (std::size_t i = 0; i < runs.size(); ++i)
    s += (i == 0 ? "" : i + 1 == runs.size() ? " and " : ", ") + runs[i];
  return s;
}

void raise_strangers(Warp& w, const Inst& in, std::uint32_t strangers) {
  raise(w, in, FaultKind::absent_lanes, strangers, 0, 0, false);
  w.block->fault->text = lanes_text(strangers) + (std::popcount(strangers) == 1 ? " comes" : " come") +
                         " to this line with a mask in which " +
                         (std::popcount(strangers) == 1 ? "it is" : "they are") + " not named";
}

std::string absent_text(std::uint32_t absent) {
  return lanes_text(absent) + (std::popcount(absent) == 1 ? " is" : " are") +
         " in the mask and did not come to this line";
}

void raise_absent(Warp& w, const Inst& in, std::uint32_t here, std::uint32_t absent) {
  raise(w, in, FaultKind::absent_lanes, here, 0, 0, false);
  w.block->fault->text = absent_text(absent);
}

void note_absent_source(Warp& w, const Inst& in, std::uint32_t readers, std::uint32_t sources,
                        std::uint32_t absent) {
  if (w.block->absent_source) return;
  raise(w, in, FaultKind::absent_lanes, readers, 0, 0, false);
  w.block->fault->text = absent_text(absent) + ": they have ended, and what " + lanes_text(readers) +
                         (std::popcount(readers) == 1 ? " gets" : " get") + " from " + lanes_text(sources) +
                         " is nobody's value";
  w.block->absent_source = std::move(w.block->fault);
  w.block->fault.reset();
}

void raise_race(Warp& w, const Inst& in, FaultKind kind, const RaceParty& party, std::uint64_t address,
                std::uint32_t bytes, bool is_write) {
  raise(w, in, kind, 1u << party.lane_here, address, bytes, is_write);
  RawFault& f = *w.block->fault;
  f.has_other = true;
  f.other_block = party.block;
  f.other_thread = party.thread;
  for (const auto& code : *w.worker->launch->codes) {
    if (code == nullptr || party.site < code->first_hit || party.site - code->first_hit >= code->body.size())
      continue;
    f.other_code = code.get();
    f.other_pc = party.site - code->first_hit;
  }
  f.text = party.was_write ? "write" : "read";
}

std::uint32_t sector_heads(const std::uint64_t* address, std::uint32_t mask) {
  std::uint32_t heads = 0;
  std::uint64_t before = ~0ull;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    const std::uint64_t s = address[l] / sector_bytes;
    if (s != before) heads |= 1u << l;
    before = s;
  }
  return heads;
}

// A small table finds the sectors that were seen.
std::uint32_t distinct_heads(const std::uint64_t* address, std::uint32_t heads) {
  std::uint64_t seen[64];
  std::uint64_t filled = 0;
  std::uint32_t distinct = 0;
  for (std::uint32_t rest = heads; rest != 0; rest &= rest - 1) {
    const std::uint64_t s = address[std::countr_zero(rest)] / sector_bytes;
    std::uint64_t at = s * 0x9e3779b97f4a7c15ull >> 58;
    while ((filled >> at & 1) != 0 && seen[at] != s) at = (at + 1) & 63;
    if ((filled >> at & 1) != 0) continue;
    filled |= 1ull << at;
    seen[at] = s;
    distinct |= rest & -rest;
  }
  return distinct;
}

bool prepare_global(Warp& w, const Inst& in, const std::uint64_t* address, const Pattern& p, bool is_write,
                    Placed& placed) {
  Worker& worker = *w.worker;
  LaunchState& launch = *worker.launch;
  if ((p.bits & (p.bytes - 1)) != 0) {
    const std::uint32_t bad = misaligned(p, address);
    raise(w, in, FaultKind::misaligned, bad, address[std::countr_zero(bad)], p.bytes, is_write);
    return false;
  }
  Span& span = worker.last_span[in.site];
  placed.split = false;
  if (p.low < span.base || p.high > span.end) {
    const Span* s = look_up(launch, p.low);
    if (s != nullptr && p.high <= s->end)
      span = *s;
    else
      span = Span{};
  }
  bool device = span.device;
  if (span.end == 0 || (is_write && span.read_only)) {
    FaultKind kind{};
    const std::uint32_t bad = outside(launch, p, address, is_write, placed, kind);
    if (bad != 0) {
      raise(w, in, kind, bad, address[std::countr_zero(bad)], p.bytes, is_write);
      return false;
    }
    // Lanes in different allocations: device memory if all of it is.
    device = launch.store->on_device(p.low) && launch.store->on_device(p.high - 1);
  } else {
    placed.delta = span.delta;
  }
  const bool dense = is_dense(p.mask), reads = !is_write || in.access.atomic != ptx::AtomicOp::none;
  Sectors sectors;
  collect(p, address, dense, sectors);
  if (device && reads && launch.check_init && !all_initialised(*launch.store, sectors)) {
    const std::uint32_t bad = uninitialised(*launch.store, p, address);
    if (bad != 0) {
      raise(w, in, FaultKind::uninitialised_read, bad, address[std::countr_zero(bad)], p.bytes, false);
      return false;
    }
  }
  count_global(w, in, p, sectors, is_write, device);
  if (device && is_write) mark_written(launch, p, address, dense);
  if (launch.note_touched) note_touched(worker, in, p, address, dense, device, is_write);
  return true;
}

bool check_global_race(Warp& w, const Inst& in, const std::uint64_t* address, const Pattern& p,
                       bool plain_write, std::uint32_t silent) {
  GlobalRaces* races = w.worker->launch->races;
  if (races == nullptr || !w.worker->launch->store->on_device(p.low) ||
      !w.worker->launch->store->on_device(p.high - 1) || in.access.space == ptx::Space::constant)
    return true;
  // A uniform access is one access, by its first lane.
  const std::uint32_t mask = p.kind == PatternKind::uniform ? p.mask & -p.mask : p.mask;
  const RaceParty party =
      races->access(*w.block, w.index, in.site, mask, address, p.bytes, plain_write, silent);
  if (!party.found) return true;
  raise_race(w, in, FaultKind::race_global, party, address[party.lane_here], p.bytes, plain_write);
  return false;
}

}  // namespace workbook::sim
