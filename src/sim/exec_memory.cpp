// ld and st of every space: addresses, and moving the bytes. What is checked and counted is in access.h.
#include <cstring>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "sim/access.h"
#include "sim/exec_common.h"
#include "sim/exec_tables.h"

namespace workbook::sim::WORKBOOK_EXEC {
namespace {

struct Addresses {
  alignas(64) u64 at[lanes];
};

[[gnu::always_inline]] inline void compute(const Warp& w, const Inst& in, Addresses& a) {
  const u64 offset = static_cast<u64>(in.imm) + (in.access.dynamic_shared ? w.block->dynamic_base : 0u) +
                     (in.access.frame ? w.frame->local_base : 0u);
  if (in.access.no_register) {
    for (int l = 0; l < lanes; ++l) a.at[l] = offset;
  } else if (in.access.wide_address) {
    const u64* row = w.row<u64>(in.a);
    for (int l = 0; l < lanes; ++l) a.at[l] = row[l] + offset;
  } else {
    const u32* row = w.row<u32>(in.a);
    // An address of 32 bits is computed in 32 bits: a negative index comes round again.
    for (int l = 0; l < lanes; ++l) a.at[l] = static_cast<u32>(row[l] + offset);
  }
}

// The lanes whose sector is not that of the lane before, lane 0 among them.
[[gnu::always_inline]] inline u32 sector_changes(const Addresses& a) {
#if defined(__AVX2__)
  u32 same = 0;
  for (int l = 0; l < lanes; l += 4) {
    const __m256i here = _mm256_srli_epi64(_mm256_load_si256(reinterpret_cast<const __m256i*>(a.at + l)), 5);
    const __m256i before =
        l == 0 ? _mm256_permute4x64_epi64(here, 0x90)
               : _mm256_srli_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(a.at + l - 1)), 5);
    same |= static_cast<u32>(_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(here, before)))) << l;
  }
  return ~same | 1u;
#else
  u32 changes = 1;
  for (int l = 1; l < lanes; ++l) changes |= static_cast<u32>(a.at[l] >> 5 != a.at[l - 1] >> 5) << l;
  return changes;
#endif
}
// The lowest and the highest address of all lanes, none of which has its top bit set.
[[gnu::always_inline]] inline void bounds(const Addresses& a, u64& low, u64& high) {
  s64 least = static_cast<s64>(a.at[0]), most = least;
  for (int l = 1; l < lanes; ++l) {
    const auto v = static_cast<s64>(a.at[l]);
    least = v < least ? v : least;
    most = v > most ? v : most;
  }
  low = static_cast<u64>(least);
  high = static_cast<u64>(most);
}

// A full warp whose addresses lie to each other as when this instruction ran last.
bool is_known(const KnownPattern& known, const Inst& in, const Addresses& a, Pattern& p) {
  if (known.site != in.site) return false;
  const u64 base = a.at[0];
  if (!known.any_base && (base & 31u) != known.base_in_sector) return false;
  u64 off = 0;
  for (int l = 0; l < lanes; ++l) off |= (a.at[l] - base) ^ known.distance[l];
  if (off != 0) return false;
  p.low = base + known.low;
  p.high = base + known.high;
  p.bits = known.any_base ? base : known.bits;
  p.heads = known.heads;
  p.distinct = true;
  return true;
}
void remember(KnownPattern& known, const Inst& in, const Addresses& a, const Pattern& p) {
  known.site = in.site;
  known.heads = p.heads;
  const u64 base = a.at[0];
  u64 all = 0;
  for (int l = 0; l < lanes; ++l) {
    known.distance[l] = a.at[l] - base;
    all |= known.distance[l];
  }
  known.any_base = (all & 31u) == 0;
  known.base_in_sector = base & 31u;
  known.low = p.low - base;
  known.high = p.high - base;
  known.bits = p.bits;
}

Pattern recognise(Warp& w, const Inst& in, const Addresses& a, u32 mask, u32 bytes) {
  Pattern p;
  p.mask = mask;
  p.bytes = bytes;
  KnownPattern& known = w.worker->patterns[in.site % w.worker->patterns.size()];
  if (mask == full_mask && is_known(known, in, a, p)) return p;
  const int first = std::countr_zero(mask) & 31,
            last = 31 - (std::countl_zero(mask) & 31);  // the mask is never empty
  const u64 start = a.at[first], origin = start - static_cast<u64>(first) * bytes;
  u64 off_line = 0, off_start = 0, bits = 0;
  if (mask == full_mask) {
    for (int l = 0; l < lanes; ++l) {
      off_line |= a.at[l] ^ (origin + static_cast<u64>(l) * bytes);
      off_start |= a.at[l] ^ start;
      bits |= a.at[l];
    }
  } else {
    for (int l = 0; l < lanes; ++l) {
      const u64 on = (mask >> l & 1u) != 0 ? ~0ull : 0;
      off_line |= (a.at[l] ^ (origin + static_cast<u64>(l) * bytes)) & on;
      off_start |= (a.at[l] ^ start) & on;
      bits |= a.at[l] & on;
    }
  }
  p.bits = bits;
  if (off_start == 0) {
    p.kind = PatternKind::uniform;
    p.low = start;
    p.high = start + bytes;
  } else if (off_line == 0) {
    p.kind = PatternKind::contiguous;
    p.low = start;
    p.high = a.at[last] + bytes;
  } else {
    u64 low = start, high = start;
    if (mask == full_mask && (bits >> 63) == 0) {
      bounds(a, low, high);
    } else {
      for (int l = 0; l < lanes; ++l) {
        const bool on = (mask >> l & 1u) != 0;
        low = on && a.at[l] < low ? a.at[l] : low;
        high = on && a.at[l] > high ? a.at[l] : high;
      }
    }
    p.low = low;
    p.high = high + bytes;
  }
  if (p.kind == PatternKind::general || (p.kind == PatternKind::contiguous && mask != full_mask))
    p.heads = mask & (sector_changes(a) | ~(mask << 1));  // a lane behind an idle one begins anew
  if (mask == full_mask && p.kind == PatternKind::general) {
    p.heads = distinct_heads(a.at, p.heads);
    p.distinct = true;
    remember(known, in, a, p);
  }
  return p;
}

template <class T>
[[gnu::always_inline]] inline T read_bytes(u64 host) {
  T v;
  std::memcpy(&v, reinterpret_cast<const void*>(host), sizeof(T));
  return v;
}

// Puts one loaded element into the register's row, extended to its width.
template <class T>
[[gnu::always_inline]] inline void put(Warp& w, const Row& r, int l, T v) {
  if (r.wide)
    w.row<u64>(r.offset)[l] = static_cast<u64>(static_cast<s64>(v));
  else
    w.row<u32>(r.offset)[l] = static_cast<u32>(v);
}
template <class T>
[[gnu::always_inline]] inline T get(const Warp& w, const Row& r, int l) {
  return static_cast<T>(r.wide ? w.row<u64>(r.offset)[l] : w.row<u32>(r.offset)[l]);
}

const Row* rows_of(const Warp& w, const Inst& in) {
  return w.frame->code->rows.data() + in.list.first;
}

// Loads from host addresses at + delta. T carries sign and size.
template <class T>
void load_from(Warp& w, const Inst& in, const Addresses& a, const Pattern& p, const Placed& where) {
  const Row* rows = rows_of(w, in);
  const int count = in.access.count;
  const bool natural = rows[0].wide == (sizeof(T) == 8);
  if (!where.split && natural && sizeof(T) >= 4 && count == 1 && p.mask == full_mask &&
      p.kind != PatternKind::general) {
    auto* d = w.row<Storage<T>>(rows[0].offset);
    if (p.kind == PatternKind::contiguous) {
      std::memcpy(d, reinterpret_cast<const void*>(p.low + where.delta), lanes * sizeof(T));
    } else {
      const auto v = static_cast<Storage<T>>(read_bytes<T>(p.low + where.delta));
      for (int l = 0; l < lanes; ++l) d[l] = v;
    }
    return;
  }
  for (int e = 0; e < count; ++e) {
    const Row r = rows[e];
    if (r.offset == ptx::no_index) continue;  // the sink `_`
    if (!where.split && natural && p.mask == full_mask && sizeof(T) >= 4) {
      auto* d = w.row<Storage<T>>(r.offset);
#pragma GCC unroll 8
      for (int l = 0; l < lanes; ++l)
        d[l] =
            static_cast<Storage<T>>(read_bytes<T>(a.at[l] + where.delta + static_cast<u64>(e) * sizeof(T)));
      continue;
    }
    for (u32 rest = p.mask; rest != 0; rest &= rest - 1) {
      const int l = std::countr_zero(rest);
      put<T>(w, r, l,
             read_bytes<T>(a.at[l] + (where.split ? where.deltas[l] : where.delta) +
                           static_cast<u64>(e) * sizeof(T)));
    }
  }
}

template <class T>
u32 silent_lanes(const Warp& w, const Inst& in, const Addresses& a, const Pattern& p, const Placed& where) {
  const Row* rows = rows_of(w, in);
  u32 silent = 0;
  if (!where.split && sizeof(T) >= 4 && in.access.count == 1 && p.mask == full_mask &&
      rows[0].wide == (sizeof(T) == 8)) {
    const auto* now = w.row<Storage<T>>(rows[0].offset);
    Storage<T> before[lanes];
    if (p.kind == PatternKind::contiguous) {
      std::memcpy(before, reinterpret_cast<const void*>(p.low + where.delta), sizeof before);
    } else {
#pragma GCC unroll 8
      for (int l = 0; l < lanes; ++l)
        before[l] = static_cast<Storage<T>>(read_bytes<T>(a.at[l] + where.delta));
    }
    return ballot([&](int l) { return before[l] == now[l]; });
  }
  for (u32 rest = p.mask; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    bool same = true;
    for (int e = 0; e < in.access.count; ++e)
      same = same && read_bytes<T>(a.at[l] + (where.split ? where.deltas[l] : where.delta) +
                                   static_cast<u64>(e) * sizeof(T)) == get<T>(w, rows[e], l);
    silent |= static_cast<u32>(same) << l;
  }
  return silent;
}

template <class T>
void store_to(Warp& w, const Inst& in, const Addresses& a, const Pattern& p, const Placed& where) {
  const Row* rows = rows_of(w, in);
  const int count = in.access.count;
  if (!where.split && sizeof(T) >= 4 && count == 1 && p.mask == full_mask &&
      p.kind == PatternKind::contiguous && rows[0].wide == (sizeof(T) == 8)) {
    std::memcpy(reinterpret_cast<void*>(p.low + where.delta), w.row<Storage<T>>(rows[0].offset),
                lanes * sizeof(T));
    return;
  }
  if (!where.split && sizeof(T) >= 4 && count == 1 && p.mask == full_mask &&
      rows[0].wide == (sizeof(T) == 8)) {
    const auto* from = w.row<Storage<T>>(rows[0].offset);
#pragma GCC unroll 8
    for (int l = 0; l < lanes; ++l)
      std::memcpy(reinterpret_cast<void*>(a.at[l] + where.delta), &from[l], sizeof(T));
    return;
  }
  // Lane order: the highest lane wins when several write one place, as any order may.
  for (u32 rest = p.mask; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    for (int e = 0; e < count; ++e) {
      const T v = get<T>(w, rows[e], l);
      std::memcpy(reinterpret_cast<void*>(a.at[l] + (where.split ? where.deltas[l] : where.delta) +
                                          static_cast<u64>(e) * sizeof(T)),
                  &v, sizeof(T));
    }
  }
}

u32 access_bytes(const Inst& in) {
  return static_cast<u32>(in.access.element) * in.access.count;
}

template <class T>
void global_load(Warp& w, const Inst& in, u32 mask, const Addresses& a) {
  const Pattern p = recognise(w, in, a, mask, access_bytes(in));
  Placed where;
  if (!prepare_global(w, in, a.at, p, false, where)) return;
  if (w.worker->launch->races != nullptr && !check_global_race(w, in, a.at, p, false, 0)) return;
  if (in.access.strong && w.worker->launch->races != nullptr)
    for (u32 rest = p.kind == PatternKind::uniform ? mask & -mask : mask; rest != 0; rest &= rest - 1)
      w.worker->launch->races->acquire(*w.block, a.at[std::countr_zero(rest)]);
  load_from<T>(w, in, a, p, where);
}
template <class T>
void global_store(Warp& w, const Inst& in, u32 mask, const Addresses& a) {
  const Pattern p = recognise(w, in, a, mask, access_bytes(in));
  Placed where;
  if (!prepare_global(w, in, a.at, p, true, where)) return;
  if (in.access.release) order_before(w);
  if (GlobalRaces* races = w.worker->launch->races; races != nullptr) {
    if (!check_global_race(w, in, a.at, p, !in.access.strong, silent_lanes<T>(w, in, a, p, where))) return;
    if (in.access.strong)
      for (u32 rest = p.kind == PatternKind::uniform ? mask & -mask : mask; rest != 0; rest &= rest - 1)
        races->publish(*w.block, a.at[std::countr_zero(rest)]);
  }
  store_to<T>(w, in, a, p, where);
}

template <class T, bool store>
void shared_access(Warp& w, const Inst& in, u32 mask, Addresses& a) {
  const u32 bytes = access_bytes(in);
  u32 offset[lanes];
  for (int l = 0; l < lanes; ++l)
    offset[l] = (a.at[l] & ~0xffffffffull) == 0 ? static_cast<u32>(a.at[l]) : full_mask;
  if (!prepare_shared(w, in, offset, mask, bytes, store)) return;
  Pattern p;
  p.mask = mask;
  p.bytes = bytes;
  if (mask == full_mask) {
    u32 off_line = 0, off_start = 0;
    for (u32 l = 0; l < lanes; ++l) {
      off_line |= offset[l] ^ (offset[0] + l * bytes);
      off_start |= offset[l] ^ offset[0];
    }
    p.kind = off_start == 0  ? PatternKind::uniform
             : off_line == 0 ? PatternKind::contiguous
                             : PatternKind::general;
    p.low = offset[0];
  }
  Placed where;
  where.delta = reinterpret_cast<u64>(w.block->shared.data());
  if (store && in.access.release) order_before(w);
  if (w.worker->launch->check_shared_races) {
    const u32 silent = store ? silent_lanes<T>(w, in, a, p, where) : 0;
    if (!check_shared_race(w, in, offset, mask, bytes, store && !in.access.strong, silent)) return;
  }
  if constexpr (store)
    store_to<T>(w, in, a, p, where);
  else
    load_from<T>(w, in, a, p, where);
}

template <class T, bool store>
void local_access(Warp& w, const Inst& in, u32 mask, const Addresses& a) {
  const u32 bytes = access_bytes(in);
  if (in.access.call_param)
    w.result_latency = packed_cycles(4);
  else if (!prepare_local(w, in, a.at, mask, bytes, store))
    return;
  const Row* rows = rows_of(w, in);
  const u32 at0 = static_cast<u32>(a.at[std::countr_zero(mask) & 31]);
  bool same = mask == full_mask && sizeof(T) == 4;
  if (same)
    for (int l = 0; l < lanes; ++l) same = same && a.at[l] == at0;
  for (int e = 0; e < in.access.count; ++e) {
    const Row r = rows[e];
    if (r.offset == ptx::no_index) continue;
    if (same && !r.wide) {
      u32* words = w.local.row(at0 + static_cast<u32>(e) * 4);
      if constexpr (store)
        std::memcpy(words, w.row<u32>(r.offset), narrow_row);
      else
        std::memcpy(w.row<u32>(r.offset), words, narrow_row);
      continue;
    }
    for (u32 rest = mask; rest != 0; rest &= rest - 1) {
      const int l = std::countr_zero(rest);
      const u32 at = static_cast<u32>(a.at[l]) + static_cast<u32>(e) * static_cast<u32>(sizeof(T));
      if constexpr (store)
        w.local.store(static_cast<u32>(l), at, sizeof(T), static_cast<u64>(get<T>(w, r, l)));
      else
        put<T>(w, r, l, static_cast<T>(w.local.load(static_cast<u32>(l), at, sizeof(T))));
    }
  }
}

// Kernel parameters: the same for all lanes unless the offset is computed.
template <class T>
void param_load(Warp& w, const Inst& in, u32 mask, const Addresses& a) {
  const auto block = w.worker->launch->spec->parameters;
  const Row* rows = rows_of(w, in);
  w.result_latency = packed_cycles(4);
  const bool natural = rows[0].wide == (sizeof(T) == 8);
  if (mask == full_mask && in.access.no_register && in.access.count == 1 && natural &&
      static_cast<u64>(in.imm) + sizeof(T) <= block.size()) {
    const auto v = static_cast<Storage<T>>(
        read_bytes<T>(reinterpret_cast<u64>(block.data()) + static_cast<u64>(in.imm)));
    auto* d = w.row<Storage<T>>(rows[0].offset);
    for (int l = 0; l < lanes; ++l) d[l] = v;
    return;
  }
  for (int e = 0; e < in.access.count; ++e) {
    const Row r = rows[e];
    if (r.offset == ptx::no_index) continue;
    for (u32 rest = mask; rest != 0; rest &= rest - 1) {
      const int l = std::countr_zero(rest);
      const u64 at = (a.at[l] & ~window_mask) + static_cast<u64>(e) * sizeof(T);
      if (at + sizeof(T) > block.size()) {
        raise(w, in, FaultKind::out_of_bounds, 1u << l, a.at[l], sizeof(T), false);
        return;
      }
      put<T>(w, r, l, read_bytes<T>(reinterpret_cast<u64>(block.data()) + at));
    }
  }
}

template <class T, bool store>
void access_space(Warp& w, const Inst& in, u32 mask, Addresses& a, ptx::Space space) {
  switch (space) {
    case ptx::Space::shared:
      shared_access<T, store>(w, in, mask, a);
      break;
    case ptx::Space::local:
      local_access<T, store>(w, in, mask, a);
      break;
    case ptx::Space::param:
      if constexpr (!store)
        param_load<T>(w, in, mask, a);
      else
        raise(w, in, FaultKind::write_to_constant, mask, a.at[std::countr_zero(mask) & 31], sizeof(T), true);
      break;
    default:
      if constexpr (store)
        global_store<T>(w, in, mask, a);
      else
        global_load<T>(w, in, mask, a);
  }
}

template <class T, bool store, ptx::Space space>
void access(Warp& w, const Inst& in, u32 mask) {
  Addresses a;
  compute(w, in, a);
  access_space<T, store>(w, in, mask, a, space);
}

// A generic address may point into any window, and not the same one in every lane.
template <class T, bool store>
void generic_access(Warp& w, const Inst& in, u32 mask) {
  Addresses a;
  compute(w, in, a);
  u32 rest = mask;
  while (rest != 0 && !w.block->fault) {
    const ptx::Space space = space_of(a.at[std::countr_zero(rest)]);
    u32 part = 0;
    for (int l = 0; l < lanes; ++l)
      if ((rest >> l & 1u) != 0 && space_of(a.at[l]) == space) part |= 1u << l;
    rest &= ~part;
    if (space == ptx::Space::shared || space == ptx::Space::local)
      for (int l = 0; l < lanes; ++l) a.at[l] = (part >> l & 1u) != 0 ? a.at[l] & ~window_mask : a.at[l];
    access_space<T, store>(w, in, part, a, space);
  }
}

template <class T, bool store>
Handler by_space(const AccessShape& shape) {
  if (shape.kernel_param) return store ? nullptr : access<T, false, ptx::Space::param>;
  if (shape.call_param) return access<T, store, ptx::Space::local>;
  switch (shape.space) {
    case ptx::Space::global:
    case ptx::Space::constant:
      return access<T, store, ptx::Space::global>;
    case ptx::Space::shared:
      return access<T, store, ptx::Space::shared>;
    case ptx::Space::local:
      return access<T, store, ptx::Space::local>;
    case ptx::Space::none:
    case ptx::Space::generic:
      return generic_access<T, store>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler find_memory(const AccessShape& shape, bool store) {
  switch (shape.element) {
    case 1:
      return shape.is_signed ? (store ? by_space<s8, true>(shape) : by_space<s8, false>(shape))
                             : (store ? by_space<u8, true>(shape) : by_space<u8, false>(shape));
    case 2:
      return shape.is_signed ? (store ? by_space<s16, true>(shape) : by_space<s16, false>(shape))
                             : (store ? by_space<u16, true>(shape) : by_space<u16, false>(shape));
    case 4:
      return shape.is_signed ? (store ? by_space<s32, true>(shape) : by_space<s32, false>(shape))
                             : (store ? by_space<u32, true>(shape) : by_space<u32, false>(shape));
    case 8:
      return store ? by_space<u64, true>(shape) : by_space<u64, false>(shape);
    default:
      return nullptr;
  }
}

}  // namespace workbook::sim::WORKBOOK_EXEC
