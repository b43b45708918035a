// Accesses to shared and local memory: bounds, alignment, bank conflicts.
#include <algorithm>
#include <bit>

#include "sim/access.h"

namespace workbook::sim {

namespace {

// No bank has to give two different words: the common case, found without counting.
bool is_free(const std::uint32_t* offset, std::uint32_t mask, std::uint32_t words_per_lane) {
  std::uint32_t word_of[32], used = 0, before = 0xffffffffu;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const std::uint32_t first = offset[std::countr_zero(rest)] / 4;
    if (first == before) continue;
    before = first;
    for (std::uint32_t word = first; word < first + words_per_lane; ++word) {
      const std::uint32_t bank = word & 31u;
      if ((used >> bank & 1u) != 0 && word_of[bank] != word) return false;
      used |= 1u << bank;
      word_of[bank] = word;
    }
  }
  return true;
}

// Wavefronts of one phase: the most distinct words that one bank has to give.
std::uint32_t phase(const std::uint32_t* offset, std::uint32_t mask, std::uint32_t words_per_lane) {
  if (is_free(offset, mask, words_per_lane)) return 1;
  std::uint32_t words[32][32];
  std::uint8_t count[32] = {};
  std::uint32_t most = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const std::uint32_t first = offset[std::countr_zero(rest)] / 4;
    for (std::uint32_t k = 0; k < words_per_lane; ++k) {
      const std::uint32_t word = first + k, bank = word & 31u;
      std::uint32_t i = 0;
      while (i < count[bank] && words[bank][i] != word) ++i;
      if (i < count[bank]) continue;
      words[bank][count[bank]++] = word;
      most = std::max<std::uint32_t>(most, count[bank]);
    }
  }
  return most;
}

}  // namespace

std::uint32_t shared_wavefronts(const std::uint32_t* offset, std::uint32_t mask, std::uint32_t bytes) {
  if (bytes <= 4) return phase(offset, mask, 1);
  const std::uint32_t words = bytes / 4, lanes_per_phase = lanes / words;
  std::uint32_t sum = 0;
  for (std::uint32_t first = 0; first < lanes; first += lanes_per_phase) {
    const std::uint32_t part =
        mask & ((lanes_per_phase == 32 ? full_mask : (1u << lanes_per_phase) - 1) << first);
    if (part != 0) sum += phase(offset, part, words);
  }
  return sum;
}

bool prepare_shared(Warp& w, const Inst& in, const std::uint32_t* offset, std::uint32_t mask,
                    std::uint32_t bytes, bool is_write) {
  const Block& block = *w.block;
  const std::uint32_t lane0 = static_cast<std::uint32_t>(std::countr_zero(mask)), at0 = offset[lane0],
                      origin = at0 - lane0 * bytes;
  std::uint32_t highest = 0, bits = 0, off_line = bytes <= 4 ? 0 : 1, off_start = off_line;
  for (std::uint32_t l = 0; l < lanes; ++l) {
    const std::uint32_t on = (mask >> l & 1u) != 0 ? full_mask : 0;
    highest = std::max(highest, offset[l] & on);
    bits |= offset[l] & on;
    off_line |= (offset[l] ^ (origin + l * bytes)) & on;
    off_start |= (offset[l] ^ at0) & on;
  }
  if (block.shared_bytes < bytes || highest > block.shared_bytes - bytes || (bits & (bytes - 1)) != 0) {
    std::uint32_t bad = 0, crooked = 0;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const int l = std::countr_zero(rest);
      if (offset[l] >= block.shared_bytes || bytes > block.shared_bytes - offset[l]) bad |= 1u << l;
      if ((offset[l] & (bytes - 1)) != 0) crooked |= 1u << l;
    }
    const std::uint32_t which = crooked != 0 ? crooked : bad;
    raise(w, in, crooked != 0 ? FaultKind::misaligned : FaultKind::shared_out_of_bounds, which,
          offset[std::countr_zero(which)] | shared_window, bytes, is_write);
    return false;
  }
  Counters& c = w.worker->counters;
  w.result_latency = packed_cycles(w.worker->launch->latencies->shared);
  SharedCounters& s = in.access.atomic != ptx::AtomicOp::none ? c.shared_atomic
                      : is_write                              ? c.shared_store
                                                              : c.shared_load;
  const std::uint32_t waves = off_line == 0 || off_start == 0 ? 1 : shared_wavefronts(offset, mask, bytes);
  ++s.requests;
  s.wavefronts += waves;
  return true;
}

bool check_shared_race(Warp& w, const Inst& in, const std::uint32_t* offset, std::uint32_t mask,
                       std::uint32_t bytes, bool plain_write, std::uint32_t silent) {
  if (!w.worker->launch->check_shared_races) return true;
  const RaceParty found = w.block->shared_races.access(w.index, in.site, mask, offset, bytes, plain_write,
                                                       silent, w.block->epoch);
  if (!found.found) return true;
  RaceParty party = found;
  party.block = w.block->linear;
  raise_race(w, in, FaultKind::race_shared, party, offset[party.lane_here] | shared_window, bytes,
             plain_write);
  return false;
}

// Local memory is interleaved: one word of all lanes is one line, a sector has that of eight neighbours.
// Lanes that use different words of theirs use different lines.
static std::uint32_t local_sectors(const std::uint64_t* offset, std::uint32_t mask) {
  std::uint32_t sectors = 0;
  for (std::uint32_t first = 0; first < lanes; first += 8) {
    for (std::uint32_t rest = mask >> first & 0xffu; rest != 0; ++sectors) {
      const std::uint64_t word = offset[first + static_cast<std::uint32_t>(std::countr_zero(rest))] / 4;
      for (std::uint32_t others = rest; others != 0; others &= others - 1) {
        const auto l = static_cast<std::uint32_t>(std::countr_zero(others));
        if (offset[first + l] / 4 == word) rest &= ~(1u << l);
      }
    }
  }
  return sectors;
}

bool prepare_local(Warp& w, const Inst& in, const std::uint64_t* offset, std::uint32_t mask,
                   std::uint32_t bytes, bool is_write) {
  std::uint32_t bad = 0, crooked = 0;
  const std::uint64_t top = w.frame->local_base + w.frame->code->frame_bytes;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    if (offset[l] >= top || bytes > top - offset[l]) bad |= 1u << l;
    if ((offset[l] & (bytes - 1)) != 0) crooked |= 1u << l;
  }
  if ((bad | crooked) != 0) {
    const std::uint32_t which = crooked != 0 ? crooked : bad;
    raise(w, in, crooked != 0 ? FaultKind::misaligned : FaultKind::local_out_of_bounds, which,
          offset[std::countr_zero(which)] | local_window, bytes, is_write);
    return false;
  }
  Counters& c = w.worker->counters;
  w.result_latency = packed_cycles(w.worker->launch->latencies->l1_hit);
  AccessCounters& a = is_write ? c.local_store : c.local_load;
  ++a.requests;
  const std::uint32_t words = bytes <= 4 ? 1 : bytes / 4;
  a.sectors += std::uint64_t{words} * local_sectors(offset, mask);
  a.bytes += std::uint64_t{count_lanes(mask)} * bytes;
  return true;
}

}  // namespace workbook::sim
