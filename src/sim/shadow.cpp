// Shadow state of device memory: init bits and L2 stamps.
#include <sys/mman.h>

#include <algorithm>
#include <bit>

#include "sim/memory_impl.h"

namespace workbook::sim {

namespace {

// Calls f(word index, mask) for every 64-bit word of the bit range [first, first + count).
template <class F>
void for_words(std::uint64_t first, std::uint64_t count, F f) {
  while (count > 0) {
    const std::uint64_t bit = first & 63, here = count < 64 - bit ? count : 64 - bit;
    const std::uint64_t mask = (here == 64 ? ~0ull : (1ull << here) - 1) << bit;
    if (!f(first >> 6, mask)) return;
    first += here;
    count -= here;
  }
}

}  // namespace

bool Memory::Impl::all_initialised(std::uint64_t address, std::uint64_t size) const {
  bool all = true;
  for_words(address - base, size, [&](std::uint64_t word, std::uint64_t mask) {
    all = (init_bits[word] & mask) == mask;
    return all;
  });
  return all;
}

void Memory::Impl::mark(std::uint64_t address, std::uint64_t size, bool initialised) {
  for_words(address - base, size, [&](std::uint64_t word, std::uint64_t mask) {
    // A word that is already right is not written: an untouched page of the shadow stays untouched.
    const std::uint64_t old = init_bits[word], now = initialised ? old | mask : old & ~mask;
    if (now != old) init_bits[word] = now;
    return true;
  });
}

std::uint64_t Memory::initialised_bytes(std::uint64_t address, std::uint64_t size) const {
  if (!impl_->on_device(address)) return size;
  std::uint64_t sum = 0;
  for_words(address - impl_->base, size, [&](std::uint64_t word, std::uint64_t mask) {
    sum += static_cast<std::uint64_t>(std::popcount(impl_->init_bits[word] & mask));
    return true;
  });
  return sum;
}

void Memory::Impl::begin_operation() {
  // 29 bits number the operations; nobody gets there, but a wrapped stamp would lie.
  if (operation + 1 >= (1u << (32 - l2::shift))) {
    madvise(stamps, range / sector_bytes * sizeof(std::uint32_t), MADV_DONTNEED);
    operation = 0;
    flushed_before = 1;
    clock_at.assign(1, l2_clock);
    fills.clear();
  }
  ++operation;
  first_attempt = 0;
  clock_at.push_back(l2_clock);
}

void Memory::Impl::touch(std::uint64_t address, std::uint64_t size, std::uint32_t how) {
  if (size == 0 || !on_device(address)) return;
  const std::uint64_t last = (address - base + size - 1) / sector_bytes;
  for (std::uint64_t s = (address - base) / sector_bytes; s <= last; ++s) {
    const std::uint32_t old = stamps[s];
    if (old >> l2::shift == operation) {
      stamps[s] = old | how;
      continue;
    }
    const bool resident = was_resident(old);
    stamps[s] = operation << l2::shift | how | (resident ? l2::resident : 0);
    if (!resident) ++l2_clock;
  }
}

// Emptying the L2 cache means filling twice its bytes, again and again, with what they hold already. When
// every sector's stamp says that the same fill was the last to touch it, only the stamps have to be renewed.
bool Memory::Impl::refill(std::uint64_t address, int byte, std::uint64_t size) {
  const auto known = std::find_if(fills.begin(), fills.end(), [&](const Fill& f) {
    return f.address == address && f.size == size && f.byte == byte && f.version == version;
  });
  if (known == fills.end()) return false;
  std::uint32_t* const first = stamp(address);
  std::uint32_t* const behind = first + size / sector_bytes;
  const std::uint32_t left = known->operation << l2::shift | l2::written;
  std::uint32_t other = 0;
  for (const std::uint32_t* s = first; s != behind; ++s) other |= (*s & ~l2::resident) ^ left;
  if (other != 0) return false;
  const bool resident = was_resident(left);
  std::fill(first, behind, operation << l2::shift | l2::written | (resident ? l2::resident : 0));
  if (!resident) l2_clock += size / sector_bytes;
  known->operation = operation;
  return true;
}

void Memory::Impl::note_fill(std::uint64_t address, int byte, std::uint64_t size) {
  constexpr std::size_t few = 4;
  if (size < (1u << 20) || size % sector_bytes != 0 || (address - base) % sector_bytes != 0) return;
  std::erase_if(fills, [&](const Fill& f) { return f.address == address && f.size == size; });
  if (fills.size() >= few) fills.erase(fills.begin());
  fills.push_back({address, size, byte, version, operation});
}

void Memory::flush_l2() {
  impl_->flushed_before = impl_->operation + 1;
  impl_->begin_operation();
}

}  // namespace workbook::sim
