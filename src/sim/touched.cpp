#include "sim/touched.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "sim/access.h"

namespace workbook::sim {

namespace {

constexpr std::size_t tidy_above = 1u
                                   << 16;  // ranges of host memory that a worker keeps before it merges them

void set_bits(std::uint64_t* bits, std::uint64_t first, std::uint64_t count, bool several_threads) {
  while (count > 0) {
    const std::uint64_t bit = first & 63, here = std::min<std::uint64_t>(count, 64 - bit);
    const std::uint64_t mask = (here == 64 ? ~0ull : (1ull << here) - 1) << bit;
    std::uint64_t& word = bits[first >> 6];
    std::atomic_ref<std::uint64_t> shared(word);
    if ((shared.load(std::memory_order_relaxed) & mask) != mask) {
      if (several_threads)
        shared.fetch_or(mask, std::memory_order_relaxed);
      else
        word |= mask;
    }
    first += here;
    count -= here;
  }
}

bool before(const Touched& a, const Touched& b) {
  if (a.written != b.written) return !a.written;
  return a.begin < b.begin;
}

void tidy(std::vector<Touched>& ranges) {
  if (ranges.empty()) return;
  std::sort(ranges.begin(), ranges.end(), before);
  std::size_t kept = 0;
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    Touched& last = ranges[kept];
    if (ranges[i].written == last.written && ranges[i].begin <= last.end)
      last.end = std::max(last.end, ranges[i].end);
    else
      ranges[++kept] = ranges[i];
  }
  ranges.resize(kept + 1);
}

void add_host_range(Worker& worker, std::uint64_t begin, std::uint64_t end, bool written) {
  auto& ranges = worker.touched_host;
  if (!ranges.empty() && ranges.back().written == written && begin <= ranges.back().end &&
      end >= ranges.back().begin) {
    ranges.back().begin = std::min(ranges.back().begin, begin);
    ranges.back().end = std::max(ranges.back().end, end);
    return;
  }
  if (ranges.size() >= worker.tidy_touched_at) {
    tidy(ranges);
    worker.tidy_touched_at = std::max(tidy_above, 2 * ranges.size());
  }
  ranges.push_back({begin, end, written});
}

// One kind of access: the range that is still growing, and where finished ones go.
struct Growing {
  bool written;
  std::uint64_t begin = 0, end = 0;
  void add(std::vector<Touched>& out, std::uint64_t address, std::uint32_t bits) {
    while (bits != 0) {
      const int skip = std::countr_zero(bits);
      const int run = std::countr_one(bits >> skip);
      const std::uint64_t from = address + static_cast<std::uint64_t>(skip);
      if (from != end || end == 0) {
        close(out);
        begin = from;
      }
      end = from + static_cast<std::uint64_t>(run);
      if (skip + run >= 32) return;
      bits &= ~0u << (skip + run);
    }
  }
  void close(std::vector<Touched>& out) {
    if (end > begin) out.push_back({begin, end, written});
    begin = end = 0;
  }
};

}  // namespace

void note_touched(Worker& worker, const Inst& in, const Pattern& p, const std::uint64_t* address, bool dense,
                  bool device, bool is_write) {
  LaunchState& launch = *worker.launch;
  if (in.access.space == ptx::Space::constant) return;
  const bool atomic = in.access.atomic != ptx::AtomicOp::none;
  if (in.access.strong && !atomic && !is_write) return;
  const bool written = is_write && !atomic && !in.access.strong;
  Memory::Impl& m = *launch.store;
  const auto note = [&](std::uint64_t begin, std::uint64_t end) {
    if (device)
      set_bits(written ? m.written_bits : m.read_bits, begin - m.base, end - begin, launch.several_threads);
    else
      add_host_range(worker, begin, end, written);
  };
  if (p.kind == PatternKind::uniform || (p.kind == PatternKind::contiguous && dense)) {
    note(p.low, p.high);
    return;
  }
  for (std::uint32_t rest = p.mask; rest != 0; rest &= rest - 1) {
    const std::uint64_t at = address[std::countr_zero(rest)];
    note(at, at + p.bytes);
  }
}

void note_sector(Worker& worker, std::uint64_t sector) {
  auto& runs = worker.touched_sectors;
  if (!runs.empty() && runs.back().last + 1 == sector)
    runs.back().last = sector;
  else if (runs.empty() || sector < runs.back().first || sector > runs.back().last)
    runs.push_back({sector, sector});
}

void take_touched(LaunchState&, Worker& worker, std::vector<SectorRun>& sectors,
                  std::vector<Touched>& ranges) {
  sectors.insert(sectors.end(), worker.touched_sectors.begin(), worker.touched_sectors.end());
  ranges.insert(ranges.end(), worker.touched_host.begin(), worker.touched_host.end());
  worker.touched_sectors.clear();
  worker.touched_host.clear();
}

std::vector<Touched> ranges_of(LaunchState& launch, std::vector<SectorRun> sectors,
                               std::vector<Touched> ranges) {
  tidy(ranges);
  std::sort(sectors.begin(), sectors.end(),
            [](const SectorRun& a, const SectorRun& b) { return a.first < b.first; });
  Memory::Impl& m = *launch.store;
  auto* const read = reinterpret_cast<std::uint32_t*>(m.read_bits);
  auto* const written = reinterpret_cast<std::uint32_t*>(m.written_bits);
  Growing reads{false}, writes{true};
  std::vector<Touched> written_ranges;
  std::uint64_t next = 0;  // sectors below are done
  for (const SectorRun& run : sectors) {
    for (std::uint64_t sector = std::max(run.first, next); sector <= run.last; ++sector) {
      const std::uint64_t at = sector - m.base / sector_bytes;
      reads.add(ranges, sector * sector_bytes, read[at]);
      writes.add(written_ranges, sector * sector_bytes, written[at]);
      read[at] = written[at] = 0;
    }
    next = std::max(next, run.last + 1);
  }
  reads.close(ranges);
  writes.close(written_ranges);
  ranges.insert(ranges.end(), written_ranges.begin(), written_ranges.end());
  return ranges;
}

}  // namespace workbook::sim
