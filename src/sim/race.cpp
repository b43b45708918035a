#include "sim/race.h"

#include <bit>
#include <cstring>

#include "sim/block.h"

namespace workbook::sim {

namespace {

// Shared cells: epoch in the high 32 bits, then warp (5), lane (5), site (22).
constexpr std::uint64_t mark_of(std::uint64_t epoch, std::uint32_t warp, std::uint32_t lane,
                                std::uint32_t site) {
  return epoch << 32 | warp << 27 | lane << 22 | (site & 0x3fffffu);
}
constexpr std::uint32_t warp_of(std::uint64_t mark) {
  return static_cast<std::uint32_t>(mark) >> 27;
}
constexpr std::uint32_t lane_of(std::uint64_t mark) {
  return static_cast<std::uint32_t>(mark) >> 22 & 31u;
}
constexpr std::uint32_t site_of(std::uint64_t mark) {
  return static_cast<std::uint32_t>(mark) & 0x3fffffu;
}

}  // namespace

void SharedRaces::configure(std::uint32_t bytes, bool by_byte) {
  shift_ = by_byte ? 0 : 2;
  const std::size_t need = (bytes >> shift_) + 1;
  // Another block starts: its epochs come after all that the cells have seen.
  generation_ = last_epoch_ + 1;
  read_count_ = 0;
  written_ = false;
  if (cells_.size() < need || generation_ > 0xf0000000u) {
    cells_.assign(need, {});
    generation_ = 1;
  }
}

RaceParty SharedRaces::access(std::uint32_t warp, std::uint32_t site, std::uint32_t mask,
                              const std::uint32_t* offsets, std::uint32_t size, bool plain_write,
                              std::uint32_t silent, std::uint32_t epoch) {
  constexpr std::size_t most_reads = 1 << 14;
  const std::uint64_t now = generation_ + epoch;
  if (now != last_epoch_) {
    last_epoch_ = now;
    read_count_ = 0;
    written_ = false;
  }
  if (!written_ && !plain_write) {
    if (read_count_ == reads_.size()) {
      if (reads_.size() == most_reads) {
        look_at_reads();
      } else {
        reads_.resize(reads_.empty() ? 64 : reads_.size() * 2);
      }
    }
    Read& r = reads_[read_count_++];
    r.warp = warp;
    r.site = site;
    r.mask = mask;
    r.size = size;
    std::memcpy(r.offsets, offsets, sizeof r.offsets);
    return {};
  }
  if (!written_ && (mask & ~silent) == 0) return {};  // nothing is changed
  if (!written_) look_at_reads();
  written_ = true;
  return look(warp, site, mask, offsets, size, plain_write, silent, now);
}

void SharedRaces::look_at_reads() {
  for (std::size_t i = 0; i < read_count_; ++i) {
    const Read& r = reads_[i];
    look(r.warp, r.site, r.mask, r.offsets, r.size, false, 0, last_epoch_);
  }
  read_count_ = 0;
}

RaceParty SharedRaces::look(std::uint32_t warp, std::uint32_t site, std::uint32_t mask,
                            const std::uint32_t* offsets, std::uint32_t size, bool plain_write,
                            std::uint32_t silent, std::uint64_t now) {
  const std::uint64_t here = mark_of(now, warp, 0, site);
  // Two marks are of one epoch and warp exactly if their upper 37 bits agree.
  const auto same_warp = [here](std::uint64_t mark) { return (mark ^ here) >> 27 == 0; };
  const auto conflicts = [&](std::uint64_t mark) { return mark >> 32 == now && !same_warp(mark); };
  const auto party = [](std::uint32_t lane, std::uint64_t m, bool was_write) {
    return RaceParty{true, lane, 0, warp_of(m) * 32 + lane_of(m), site_of(m), was_write};
  };
  std::uint32_t before = full_mask;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t offset = offsets[lane];
    if (!plain_write && offset == before) continue;  // a broadcast is one access
    before = offset;
    const std::uint64_t mine = here | lane << 22;
    for (std::uint32_t k = offset >> shift_; k <= (offset + size - 1) >> shift_; ++k) {
      Cell& c = cells_[k];
      if (!plain_write) {
        if (conflicts(c.write)) return party(lane, c.write, true);
        // A reader of another warp in this epoch stays: a later write by this warp must find it.
        if (!conflicts(c.other)) c.other = mine;
      } else if ((silent >> lane & 1u) == 0) {
        if (conflicts(c.write)) return party(lane, c.write, true);
        if (conflicts(c.other)) return party(lane, c.other, false);
        c.write = mine;
      }
    }
  }
  return {};
}

GlobalRaces::GlobalRaces(std::uint64_t base) : base_(base) {}
GlobalRaces::~GlobalRaces() = default;

void GlobalRaces::forget() {
  chunks_.clear();
  last_chunk_ = ~0ull;
  last_ = nullptr;
  log_.clear();
  log_base_ = 1;
}

void GlobalRaces::begin_launch() {
  constexpr std::size_t kept_chunks = 2048;  // 128 MiB of data, 256 MiB of cells
  log_base_ += static_cast<std::uint32_t>(log_.size());
  log_.clear();
  if (log_base_ > 1u << 26 || chunks_.size() > kept_chunks) forget();
  clock_ = 1;
  give_up_ = false;
  words_.clear();
  publications_.clear();
}

GlobalRaces::Cell& GlobalRaces::cell(std::uint64_t address) {
  const std::uint64_t at = address - base_, number = at / chunk_bytes;
  if (number != last_chunk_) {
    auto& chunk = chunks_[number];
    if (!chunk) chunk = std::make_unique<Chunk>();
    last_chunk_ = number;
    last_ = chunk.get();
  }
  return (*last_)[at % chunk_bytes / 4];
}

// Null for a mark of an earlier launch.
const GlobalRaces::Context* GlobalRaces::context(std::uint32_t mark) const {
  const std::uint32_t number = mark >> 5;
  return number < log_base_ || mark == 0 ? nullptr : &log_[number - log_base_];
}

bool GlobalRaces::ordered(const Context& before, const Block& now, std::uint32_t warp,
                          std::uint64_t address) const {
  if (before.block == now.linear) return before.warp == warp || before.epoch != now.epoch;
  if (give_up_) return true;
  const auto it = publications_.find(before.block);
  if (it == publications_.end()) return false;
  const auto has_seen = [&](const BlockSync::Publication& p) {
    const auto seen = now.sync.acquired.find(p.word);
    return seen != now.sync.acquired.end() && seen->second > p.index;
  };
  // Atomics on one word have an order of their own. Who came behind the other block's last one may take the
  // word for itself: the last block sets the counter back with a plain store.
  const BlockSync::Publication* last_here = nullptr;
  for (const BlockSync::Publication& p : it->second) {
    if (p.word == address) last_here = &p;
    if (p.fence_time > before.time && has_seen(p)) return true;
  }
  return last_here != nullptr && has_seen(*last_here);
}

RaceParty GlobalRaces::access(Block& block, std::uint32_t warp, std::uint32_t site, std::uint32_t mask,
                              const std::uint64_t* addresses, std::uint32_t size, bool plain_write,
                              std::uint32_t silent) {
  if (log_base_ + log_.size() >= (1u << 27) - 1) forget();  // the log is full: history starts anew
  const std::uint32_t number = log_base_ + static_cast<std::uint32_t>(log_.size());
  log_.push_back({block.linear, site, block.epoch, clock_, warp});
  RaceParty party;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const bool is_silent = plain_write && (silent >> lane & 1u) != 0;
    for (std::uint64_t at = addresses[lane] & ~3ull; at < addresses[lane] + size; at += 4) {
      Cell& c = cell(at);
      const auto conflict = [&](std::uint32_t mark, std::uint64_t word) {
        const Context* before = context(mark);
        if (before == nullptr || ordered(*before, block, warp, word)) return false;
        party = {true, lane, before->block, before->warp * 32 + (mark & 31u), before->site, mark == c.write};
        return true;
      };
      // Cells are words: accesses of single bytes, where neighbours belong to others, are left out.
      if (size >= 4 && !is_silent && (conflict(c.write, 0) || (plain_write && conflict(c.other, at))))
        return party;
      const std::uint32_t mine = number << 5 | lane;
      if (size < 4) continue;
      if (plain_write) {
        if (!is_silent) c.write = mine;
      } else {
        const Context* before = context(c.other);
        if (before == nullptr || before->block == block.linear) c.other = mine;
      }
    }
  }
  return party;
}

void GlobalRaces::fence(Block& block) {
  block.sync.fence_time = ++clock_;
}

void GlobalRaces::publish(Block& block, std::uint64_t address) {
  if (give_up_ || block.sync.fence_time == 0) return;
  constexpr std::size_t many_words = 4096, many_publications = 4096;
  auto& list = publications_[block.linear];
  Word& word = words_[address];
  const std::uint32_t index = word.count++;
  for (const auto& [seen, count] : block.sync.acquired) {
    auto& c = word.seen_by_publishers[seen];
    if (count > c) c = count;
  }
  list.push_back({address, index, block.sync.fence_time});
  if (words_.size() > many_words || list.size() > many_publications ||
      word.seen_by_publishers.size() > many_words)
    give_up_ = true;
}

void GlobalRaces::acquire(Block& block, std::uint64_t address) {
  if (give_up_) return;
  const auto it = words_.find(address);
  if (it == words_.end()) return;
  const auto raise = [&](std::uint64_t word, std::uint32_t count) {
    auto& c = block.sync.acquired[word];
    if (count > c) c = count;
  };
  for (const auto& [seen, count] : it->second.seen_by_publishers) raise(seen, count);
  raise(address, it->second.count);
}

}  // namespace workbook::sim
