#include "sim/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "sim/memory_impl.h"

namespace workbook::sim {

namespace {

constexpr std::uint64_t page = 4096;
constexpr int poison = 0xff;

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}

void* reserve(void* hint, std::uint64_t size, int rights) {
  void* p = mmap(hint, size, rights, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    throw std::runtime_error("the simulated device could not reserve " + std::to_string(size >> 20) +
                             " MiB of address space (" + std::strerror(errno) +
                             "); lift the limit on virtual memory (ulimit -v unlimited)");
  // Half of a short program's time was the kernel filling in pages of 4 KiB one by one. Where the system has
  // no huge pages to give, this changes nothing.
  if (rights != PROT_NONE) madvise(p, size, MADV_HUGEPAGE);
  return p;
}

// What an allocation takes: it has an address of its own even when it has no bytes.
std::uint64_t rounded(std::uint64_t size) {
  return round_up(std::max<std::uint64_t>(size, 1), allocation_granularity);
}

std::uint64_t gap_behind(std::uint64_t size, std::uint64_t most) {
  if (most <= tight_gap) return tight_gap;
  return std::clamp(round_up(size, smallest_gap), smallest_gap, most) + tight_gap;
}

bool contains(const Allocation& a, std::uint64_t address) {
  return address - a.base < std::max<std::uint64_t>(a.size, 1);
}

}  // namespace

Memory::Impl::Impl(std::uint64_t capacity_) : capacity(capacity_) {
  range = round_up(capacity + capacity / 2 + (64u << 20), 2u << 20);
  // A fixed place, so that addresses are the same in every run; far from where Linux puts heaps and
  // libraries.
  base = reinterpret_cast<std::uint64_t>(reserve(reinterpret_cast<void*>(0x7e0000000000), range, PROT_NONE));
  end = base + range;
  backing = static_cast<std::uint8_t*>(reserve(nullptr, range, PROT_READ | PROT_WRITE));
  init_bits = static_cast<std::uint64_t*>(reserve(nullptr, range / 8, PROT_READ | PROT_WRITE));
  stamps = static_cast<std::uint32_t*>(reserve(nullptr, range / sector_bytes * 4, PROT_READ | PROT_WRITE));
  owners = static_cast<std::uint64_t*>(reserve(nullptr, range / sector_bytes * 8, PROT_READ | PROT_WRITE));
  next = base + (2u << 20);  // address arithmetic from a null-like base stays outside
}

Memory::Impl::~Impl() {
  munmap(reinterpret_cast<void*>(base), range);
  munmap(backing, range);
  munmap(init_bits, range / 8);
  munmap(stamps, range / sector_bytes * 4);
  munmap(owners, range / sector_bytes * 8);
  if (read_bits != nullptr) munmap(read_bits, range / 8);
  if (written_bits != nullptr) munmap(written_bits, range / 8);
}

// Gives whole pages back to the system, those of the gaps around it too: a small block has no page for
// itself.
void Memory::Impl::forget_pages(std::uint64_t address, std::uint64_t size) {
  const auto here = table.find(address), next_one = std::next(here);
  std::uint64_t low = here->first, high = low + size + gap_behind(size, largest_gap);
  if (here != table.begin()) {
    const Allocation& before = std::prev(here)->second;
    low = std::max(low - std::min(low - base, largest_gap), before.base + rounded(before.size));
  }
  if (next_one != table.end()) high = std::min(high, next_one->first);
  const std::uint64_t first = round_up(low - base, page), last = (std::min(high, end) - base) / page * page;
  if (last > first) madvise(backing + first, last - first, MADV_DONTNEED);
  // The bits of the range: by hand at both ends, by pages between.
  const std::uint64_t whole = page * 8, from = round_up(address - base, whole),
                      to = (address - base + size) / whole * whole;
  if (to > from) {
    madvise(reinterpret_cast<std::uint8_t*>(init_bits) + from / 8, (to - from) / 8, MADV_DONTNEED);
    mark(address, base + from - address, false);
    mark(base + to, address + size - (base + to), false);
  } else {
    mark(address, size, false);
  }
}

void Memory::Impl::evict_oldest() {
  const auto it = table.find(quarantine.front());
  quarantine.pop_front();
  quarantined -= rounded(it->second.size);
  table.erase(it);
}

// The first place for `size` bytes and their gap from `next` on, going around once; 0 when there is none.
std::uint64_t Memory::Impl::place(std::uint64_t size, std::uint64_t most_gap) {
  const std::uint64_t need = rounded(size) + gap_behind(size, most_gap);
  const auto behind = [&](const Allocation& a) {
    return a.base + rounded(a.size) + gap_behind(a.size, most_gap);
  };
  for (int round = 0; round < 2; ++round) {
    std::uint64_t at = next;
    auto it = table.upper_bound(at);
    if (it != table.begin()) at = std::max(at, behind(std::prev(it)->second));
    for (; it != table.end() && it->first < at + need; ++it) at = behind(it->second);
    if (at + need <= end) return at;
    next = base + (2u << 20);
  }
  return 0;
}

std::vector<Span> Memory::Impl::spans() const {
  std::vector<Span> list;
  list.reserve(table.size() + mapped.size());
  for (const auto& [at, a] : mapped) list.push_back({at, at + a.size, 0, false, false});
  const std::uint64_t delta = reinterpret_cast<std::uint64_t>(backing) - base;
  for (const auto& [at, a] : table)
    if (!a.freed) list.push_back({at, at + a.size, delta, true, a.read_only});
  std::sort(list.begin(), list.end(), [](const Span& a, const Span& b) { return a.base < b.base; });
  return list;
}

void Memory::note_touched() {
  Impl& m = *impl_;
  if (m.note_touched) return;
  m.note_touched = true;
  m.read_bits = static_cast<std::uint64_t*>(reserve(nullptr, m.range / 8, PROT_READ | PROT_WRITE));
  m.written_bits = static_cast<std::uint64_t*>(reserve(nullptr, m.range / 8, PROT_READ | PROT_WRITE));
}

Memory::Memory(std::uint64_t capacity) : impl_(std::make_unique<Impl>(capacity)) {}
Memory::~Memory() = default;

std::uint64_t Memory::allocate(std::uint64_t size, AllocationKind kind, std::string name) {
  Impl& m = *impl_;
  const std::uint64_t whole = rounded(size);
  if (size > m.capacity || m.used + whole > m.capacity) return 0;
  while (m.quarantined > m.capacity / 4) m.evict_oldest();
  std::uint64_t at = m.place(size, largest_gap);
  while (at == 0 && !m.quarantine.empty()) {
    m.evict_oldest();
    at = m.place(size, largest_gap);
  }
  if (at == 0) at = m.place(size, tight_gap);
  if (at == 0) return 0;
  m.next = at + whole + gap_behind(size, largest_gap);
  m.table.emplace(at, Allocation{m.next_id++, at, size, 0, kind, false, false, std::move(name)});
  m.used += whole;
  ++m.live;
  ++m.version;
  return at;
}

void Memory::map_host(void* host, std::uint64_t size, std::uint64_t guard) {
  const auto at = reinterpret_cast<std::uint64_t>(host);
  impl_->mapped[at] = Allocation{impl_->next_id++, at, size, guard, AllocationKind::mapped, false, false, {}};
  ++impl_->version;
}

void Memory::unmap_host(void* host) {
  impl_->mapped.erase(reinterpret_cast<std::uint64_t>(host));
  ++impl_->version;
}

Memory::FreeResult Memory::free(std::uint64_t base) {
  Impl& m = *impl_;
  const auto it = m.table.find(base);
  if (it == m.table.end()) {
    const Allocation* a = find(base);
    return a == nullptr || a->kind == AllocationKind::mapped ? FreeResult::never_allocated
                                                             : FreeResult::not_the_base;
  }
  Allocation& a = it->second;
  if (a.freed) return FreeResult::already_freed;
  a.freed = true;
  const std::uint64_t whole = rounded(a.size);
  m.used -= whole;
  --m.live;
  ++m.version;
  m.forget_pages(base, whole);
  m.quarantine.push_back(base);
  m.quarantined += whole;
  return FreeResult::ok;
}

void Memory::set_name(std::uint64_t base, std::string name) {
  for (auto* table : {&impl_->table, &impl_->mapped})
    if (const auto it = table->find(base); it != table->end()) it->second.name = std::move(name);
}

const Allocation* Memory::find(std::uint64_t address) const {
  for (const auto* table : {&impl_->mapped, &impl_->table}) {
    auto it = table->upper_bound(address);
    if (it != table->begin() && contains((--it)->second, address)) return &it->second;
  }
  return nullptr;
}

const Allocation* Memory::nearest(std::uint64_t address) const {
  // Further off than a few times its own size an allocation has little to do with the address: to name it
  // would send the reader to an array that nobody touched.
  const auto within_reach = [](const Allocation& a, std::uint64_t bytes) {
    return bytes <= std::clamp<std::uint64_t>(4 * a.size, 4096, 1u << 20);
  };
  // A gap belongs to the allocation before it. What runs over an end goes far, by rows and tiles; what begins
  // too early mostly stays close.
  constexpr std::uint64_t early = 4;
  const Allocation* best = nullptr;
  std::uint64_t distance = ~std::uint64_t{0};
  for (const auto* table : {&impl_->mapped, &impl_->table}) {
    auto it = table->upper_bound(address);
    if (it != table->end()) {
      const std::uint64_t bytes = it->first - address;
      if (within_reach(it->second, bytes) && bytes * early < distance) {
        best = &it->second;
        distance = bytes * early;
      }
    }
    if (it == table->begin()) continue;
    const Allocation& before = (--it)->second;
    const std::uint64_t behind = contains(before, address) ? 0 : address - (before.base + before.size) + 1;
    if (behind <= distance && within_reach(before, behind)) {
      best = &before;
      distance = behind;
    }
  }
  return best;
}

bool Memory::is_device_address(std::uint64_t address) const {
  return impl_->on_device(address);
}

bool Memory::is_behind_mapped(std::uint64_t address) const {
  const auto next_one = impl_->mapped.upper_bound(address);
  if (next_one == impl_->mapped.begin()) return false;
  const Allocation& a = std::prev(next_one)->second;
  return address - a.base >= a.size && address - a.base - a.size < a.guard;
}

std::optional<Fault> Memory::check_range(std::uint64_t address, std::uint64_t size, bool is_write) const {
  const Allocation* a = find(address);
  if (size == 0) return std::nullopt;
  if (a != nullptr && !a->freed && address - a->base + size <= a->size) return std::nullopt;
  Fault fault;
  fault.kind = a != nullptr && a->freed ? FaultKind::use_after_free
               : a == nullptr && !is_device_address(address) && !is_behind_mapped(address)
                   ? FaultKind::host_pointer
                   : FaultKind::out_of_bounds;
  fault.address = address;
  fault.bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(size, 0xffffffffu));
  fault.is_write = is_write;
  if (a == nullptr && fault.kind == FaultKind::out_of_bounds) a = nearest(address);
  if (a != nullptr)
    fault.allocation = {true, a->id, a->name, a->base, a->size, static_cast<std::int64_t>(address - a->base)};
  return fault;
}

void Memory::write(std::uint64_t address, const void* from, std::uint64_t size) {
  Impl& m = *impl_;
  if (size == 0) return;
  if (!m.on_device(address)) {
    std::memmove(reinterpret_cast<void*>(address), from, size);
    return;
  }
  m.begin_operation();
  std::memcpy(m.bytes(address), from, size);
  m.mark(address, size, true);
  m.touch(address, size, l2::written);
}

void Memory::read(std::uint64_t address, void* to, std::uint64_t size) const {
  const Impl& m = *impl_;
  if (size == 0) return;
  if (!m.on_device(address)) {
    std::memmove(to, reinterpret_cast<const void*>(address), size);
    return;
  }
  const std::uint64_t known = initialised_bytes(address, size);
  if (known == 0) {
    std::memset(to, poison, size);
    return;
  }
  std::memcpy(to, m.bytes(address), size);
  if (known == size) return;
  auto* out = static_cast<std::uint8_t*>(to);
  for (std::uint64_t i = 0; i < size; ++i)
    if (!m.all_initialised(address + i, 1)) out[i] = poison;
}

void Memory::fill(std::uint64_t address, int byte, std::uint64_t size) {
  Impl& m = *impl_;
  if (size == 0) return;
  if (!m.on_device(address)) {
    std::memset(reinterpret_cast<void*>(address), byte, size);
    return;
  }
  m.begin_operation();
  if (m.refill(address, byte, size)) return;
  std::memset(m.bytes(address), byte, size);
  m.mark(address, size, true);
  m.touch(address, size, l2::written);
  m.note_fill(address, byte, size);
}

void Memory::copy(std::uint64_t to, std::uint64_t from, std::uint64_t size) {
  Impl& m = *impl_;
  if (size == 0) return;
  if (!m.on_device(from)) {
    write(to, reinterpret_cast<const void*>(from), size);
    return;
  }
  if (!m.on_device(to)) {
    read(from, reinterpret_cast<void*>(to), size);
    return;
  }
  m.begin_operation();
  const std::uint64_t known = initialised_bytes(from, size);
  std::memmove(m.bytes(to), m.bytes(from), size);
  if (known == size || known == 0) {
    m.mark(to, size, known == size);
  } else {
    // From the end when the ranges overlap upwards, as memmove does.
    for (std::uint64_t k = 0; k < size; ++k) {
      const std::uint64_t i = to > from ? size - 1 - k : k;
      m.mark(to + i, 1, m.all_initialised(from + i, 1));
    }
  }
  m.touch(from, size, l2::read);
  m.touch(to, size, l2::written);
}

std::uint64_t Memory::capacity() const {
  return impl_->capacity;
}
std::uint64_t Memory::used() const {
  return impl_->used;
}
std::uint64_t Memory::live_count() const {
  return impl_->live;
}

}  // namespace workbook::sim
