// Calls into the device's own library: printf, assert, malloc and free.
#include <bit>
#include <cstring>

#include "sim/access.h"
#include "sim/flow.h"
#include "sim/print.h"

namespace workbook::sim {

namespace {

constexpr std::uint64_t heap_limit = 8u << 20;  // cudaLimitMallocHeapSize's default

std::uint64_t argument(Warp& w, const CallSite& site, std::size_t k, int lane) {
  if (k >= site.arguments.size()) return 0;
  const Place& p = site.arguments[k];
  return w.local.load(static_cast<std::uint32_t>(lane), w.frame->local_base + p.offset, p.size >= 8 ? 8 : 4);
}

void give_back(Warp& w, const CallSite& site, int lane, std::uint64_t value) {
  if (site.returns.empty()) return;
  const Place& p = site.returns[0];
  w.local.store(static_cast<std::uint32_t>(lane), w.frame->local_base + p.offset, p.size >= 8 ? 8 : 4, value);
}

// Bytes at a generic address as the lane sees them; false when there are none.
bool read_bytes(Warp& w, int lane, std::uint64_t address, void* to, std::uint32_t size) {
  switch (space_of(address)) {
    case ptx::Space::local:
      for (std::uint32_t k = 0; k < size; ++k)
        static_cast<std::uint8_t*>(to)[k] = static_cast<std::uint8_t>(w.local.load(
            static_cast<std::uint32_t>(lane), static_cast<std::uint32_t>(address & 0xffffffffu) + k, 1));
      return true;
    case ptx::Space::shared: {
      const std::uint64_t offset = address & ~window_mask;
      if (offset + size > w.block->shared_bytes) return false;
      std::memcpy(to, w.block->shared.data() + offset, size);
      return true;
    }
    default:
      break;
  }
  for (const Span& s : w.worker->launch->spans) {
    if (address < s.base || address + size > s.end) continue;
    std::memcpy(to, reinterpret_cast<const void*>(address + s.delta), size);
    return true;
  }
  return false;
}

bool read_string(Warp& w, int lane, std::uint64_t address, std::string& out) {
  for (char c = 1; out.size() < 4096; ++address) {
    if (!read_bytes(w, lane, address, &c, 1)) return false;
    if (c == 0) return true;
    out += c;
  }
  return true;
}

void print(Warp& w, const Inst& in, const CallSite& site, std::uint32_t mask) {
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    std::string format, text;
    if (!read_string(w, l, argument(w, site, 0, l), format)) {
      raise(w, in, FaultKind::out_of_bounds, 1u << l, argument(w, site, 0, l), 1, false);
      return;
    }
    const std::uint64_t values = argument(w, site, 1, l);
    const PrintSource source{[&](std::uint32_t offset, std::uint32_t size) {
                               std::uint64_t v = 0;
                               read_bytes(w, l, values + offset, &v, size);
                               return v;
                             },
                             [&](std::uint64_t at) {
                               std::string s;
                               if (!read_string(w, l, at, s)) s = "(null)";
                               return s;
                             }};
    const int count = format_print(format, source, text);
    w.block->output += text;
    give_back(w, site, l, static_cast<std::uint64_t>(count));
  }
}

void assert_fail(Warp& w, const Inst& in, const CallSite& site, std::uint32_t mask) {
  const int l = std::countr_zero(mask);
  std::string expression, file;
  read_string(w, l, argument(w, site, 0, l), expression);
  read_string(w, l, argument(w, site, 1, l), file);
  raise(w, in, FaultKind::assertion, mask, 0, 0, false);
  w.block->fault->text = file + ":" + std::to_string(static_cast<std::uint32_t>(argument(w, site, 2, l))) +
                         ": the assertion `" + expression + "` does not hold";
}

void allocate(Warp& w, const CallSite& site, std::uint32_t mask) {
  LaunchState& launch = *w.worker->launch;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    const std::uint64_t size = argument(w, site, 0, l);
    std::uint64_t at = 0;
    if (launch.heap_used + size <= heap_limit) at = launch.memory->allocate(size, AllocationKind::device, "");
    if (at != 0) launch.heap_used += size;
    give_back(w, site, l, at);
  }
  launch.spans = launch.store->spans();
}

void release(Warp& w, const Inst& in, const CallSite& site, std::uint32_t mask) {
  LaunchState& launch = *w.worker->launch;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    const std::uint64_t at = argument(w, site, 0, l);
    if (at == 0) continue;
    const Allocation* a = launch.memory->find(at);
    const std::uint64_t size = a != nullptr ? a->size : 0;
    if (launch.memory->free(at) != Memory::FreeResult::ok) {
      raise(w, in, a != nullptr && a->freed ? FaultKind::use_after_free : FaultKind::out_of_bounds, 1u << l,
            at, 0, true);
      w.block->fault->text = "frees a pointer that is not the start of a live block of the device's heap";
      return;
    }
    launch.heap_used -= size < launch.heap_used ? size : launch.heap_used;
  }
  launch.spans = launch.store->spans();
  for (Span& s : w.worker->last_span) s = Span{};
}

}  // namespace

void system_call(Warp& w, const Inst& in, std::uint32_t mask) {
  const CallSite& site = w.frame->code->calls[in.e];
  switch (static_cast<SystemCall>(in.target)) {
    case SystemCall::print:
      print(w, in, site, mask);
      break;
    case SystemCall::assert_fail:
      assert_fail(w, in, site, mask);
      break;
    case SystemCall::allocate:
      allocate(w, site, mask);
      break;
    case SystemCall::release:
      release(w, in, site, mask);
      break;
    case SystemCall::none:
      break;
  }
}

}  // namespace workbook::sim
