// From what the executor saw to a fault that a learner can read.
#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>

#include "sim/device_impl.h"

namespace workbook::sim {

namespace {

SourceLine line_of(const ptx::Module& m, const ptx::SourcePosition& p) {
  SourceLine s;
  if (p.file == 0 || p.file >= m.files.size()) return s;
  s.file = m.files[p.file];
  s.line = p.line;
  s.column = p.column;
  return s;
}

bool is_toolkit_header(const std::string& file) {
  return file.find("/targets/") != std::string::npos || file.find("/cuda/") != std::string::npos ||
         file.find("/nvidia/") != std::string::npos;
}

std::string bytes_text(std::uint64_t n) {
  return std::to_string(n) + (n == 1 ? " byte" : " bytes");
}

std::string name_text(const AllocationFacts& a) {
  return a.name.empty() ? "an allocation of " + bytes_text(a.size) : a.name + " (" + bytes_text(a.size) + ")";
}

std::string hex(std::uint64_t v) {
  char s[32];
  std::snprintf(s, sizeof s, "0x%" PRIx64, v);
  return s;
}

std::array<std::uint32_t, 3> thread_index(const LaunchState& launch, std::uint32_t linear) {
  if (linear >= launch.tids[0].size()) return {};
  return {launch.tids[0][linear], launch.tids[1][linear], launch.tids[2][linear]};
}

std::string index_text(const std::array<std::uint32_t, 3>& i, const Dim3& shape) {
  std::string s = std::to_string(i[0]);
  if (shape.y > 1 || shape.z > 1)
    s = "(" + s + ", " + std::to_string(i[1]) + (shape.z > 1 ? ", " + std::to_string(i[2]) : "") + ")";
  return s;
}

void set_allocation(Fault& f, const Memory& memory) {
  const Allocation* a = memory.find(f.address);
  if (a == nullptr && (memory.is_device_address(f.address) || memory.is_behind_mapped(f.address)))
    a = memory.nearest(f.address);
  if (a == nullptr) return;
  f.allocation = {true, a->id, a->name, a->base, a->size, static_cast<std::int64_t>(f.address - a->base)};
}

std::string verb(const Fault& f) {
  return (f.is_write ? "writes " : "reads ") + bytes_text(f.bytes);
}

std::string out_of_bounds_text(const Fault& f) {
  if (f.address < 65536)
    return verb(f) + (f.address == 0 ? " through a null pointer"
                                     : ", at address " + hex(f.address) + ": close to a null pointer");
  const AllocationFacts& a = f.allocation;
  if (!a.known) return verb(f) + " at address " + hex(f.address) + ", far from everything that is allocated";
  if (a.offset < 0)
    return verb(f) + ", " + bytes_text(static_cast<std::uint64_t>(-a.offset)) + " before the start of " +
           name_text(a);
  const std::uint64_t offset = static_cast<std::uint64_t>(a.offset);
  if (offset < a.size)
    return verb(f) + " at offset " + std::to_string(offset) + " of " + name_text(a) +
           ": the last of them are past the end";
  return verb(f) + ", " + (offset == a.size ? "just" : bytes_text(offset - a.size)) + " past the end of " +
         name_text(a);
}

std::string other_text(const Fault& f, const LaunchState& launch) {
  std::string s = "thread " + index_text(f.other_thread, launch.spec->block);
  if (f.other_block != f.block) s += " of block " + index_text(f.other_block, launch.spec->grid);
  if (f.other_at.line != 0) s += " (line " + std::to_string(f.other_at.line) + ")";
  return s;
}

std::string race_text(const Fault& f, const RawFault& raw, const LaunchState& launch) {
  const bool shared = f.kind == FaultKind::race_shared;
  std::string s =
      verb(f) + " of " +
      (shared               ? "shared memory (offset " + std::to_string(f.address & 0xffffffffu) + ")"
       : f.allocation.known ? name_text(f.allocation) + " at offset " + std::to_string(f.allocation.offset)
                            : "global memory");
  s += " that " + other_text(f, launch) +
       (raw.text == "write"  ? " writes"
        : raw.text == "read" ? " reads"
                             : " uses");
  const bool one_block = f.other_block == f.block;
  return s + (one_block ? ", with no barrier between the two" : ", and nothing orders the two blocks");
}

std::string barrier_text(const Fault& f, const RawFault& raw, const LaunchState& launch) {
  if (f.kind == FaultKind::divergent_barrier) {
    if (raw.text == "other_barrier")
      return "waits at this barrier while " + other_text(f, launch) +
             " waits at another one: all threads of a block must come to the same barrier";
    return "waits at a barrier that " + other_text(f, launch) + " of the same block does not come to";
  }
  if (raw.text == "gather") return "waits for lanes of its warp that its mask names and that never come";
  if (raw.text == "count") return "waits at a barrier for more threads than will ever come";
  return "waits forever: every thread of the block waits at a barrier that the others do not come to";
}

std::string text_of(const Fault& f, const RawFault& raw, const LaunchState& launch) {
  switch (f.kind) {
    case FaultKind::out_of_bounds:
      return raw.text.empty() ? out_of_bounds_text(f) : raw.text;
    case FaultKind::use_after_free:
      return raw.text.empty() ? verb(f) + " at offset " + std::to_string(f.allocation.offset) + " of " +
                                    name_text(f.allocation) + ", which was freed"
                              : raw.text;
    case FaultKind::uninitialised_read:
      return verb(f) + " at offset " + std::to_string(f.allocation.offset) + " of " +
             name_text(f.allocation) + ", where nothing was ever written";
    case FaultKind::misaligned:
      return verb(f) + " at " + hex(f.address) + ", which is not a multiple of " + std::to_string(f.bytes);
    case FaultKind::host_pointer:
      return verb(f) + " at " + hex(f.address) +
             ": that is memory of the host, which the device cannot reach";
    case FaultKind::write_to_constant:
      return verb(f) +
             (f.allocation.known ? " of " + name_text(f.allocation) : std::string(" of a parameter")) +
             ", which kernels cannot change";
    case FaultKind::shared_out_of_bounds:
      return verb(f) + " of shared memory at offset " + std::to_string(f.address & 0xffffffffu) +
             "; the block has " + bytes_text(launch.shared_bytes);
    case FaultKind::local_out_of_bounds:
      return verb(f) + " outside the thread's own arrays";
    case FaultKind::race_shared:
    case FaultKind::race_global:
      return race_text(f, raw, launch);
    case FaultKind::divergent_barrier:
    case FaultKind::deadlock:
      return barrier_text(f, raw, launch);
    case FaultKind::endless_kernel:
      return "the kernel had not ended after " + std::to_string(launch.budget) +
             " instructions of its warps; this thread was still running: its loop never ends, or is far too "
             "long" +
             raw.text;
    case FaultKind::trap:
      return "the kernel stopped itself with a trap";
    case FaultKind::stack_overflow:
      return "calls functions too deeply: its stack is full";
    case FaultKind::absent_lanes:
    case FaultKind::assertion:
    case FaultKind::illegal_instruction:
      return raw.text;
  }
  return raw.text;
}

}  // namespace

SourceLine source_line(const Code& code, std::uint32_t pc) {
  const auto& body = code.function->body;
  if (body.empty()) return {};
  pc = std::min<std::uint32_t>(pc, static_cast<std::uint32_t>(body.size() - 1));
  const ptx::Instruction& i = body[pc];
  SourceLine at = line_of(*code.module, i.at);
  // A line inside CUDA's own headers helps nobody; name the learner's line that the compiler put it into.
  if (i.inlined_at.file != 0 && (at.line == 0 || is_toolkit_header(at.file)))
    at = line_of(*code.module, i.inlined_at);
  // What the compiler moved has no line; what stands behind it, or else before it, is nearest.
  for (std::size_t next = pc + 1; at.line == 0 && next < body.size(); ++next)
    at = line_of(*code.module, body[next].at);
  for (std::uint32_t back = pc; at.line == 0 && back > 0; --back)
    at = line_of(*code.module, body[back - 1].at);
  return at;
}

Fault explain(const Device::Impl& device, const LaunchState& launch, const Block& block,
              const RawFault& raw) {
  Fault f;
  f.kind = raw.kind;
  f.kernel = launch.kernel->display_name;
  f.block = block.index;
  f.thread = thread_index(launch, raw.warp * lanes + raw.lane);
  f.threads_at_fault = static_cast<std::uint32_t>(std::popcount(raw.mask));
  f.address = raw.address;
  f.bytes = raw.bytes;
  f.is_write = raw.is_write;
  if (raw.code != nullptr) {
    f.at = source_line(*raw.code, raw.pc);
    const auto& body = raw.code->function->body;
    if (raw.pc < body.size()) {
      const SourceLine outer = line_of(*raw.code->module, body[raw.pc].inlined_at);
      if (outer.line != 0 && (outer.line != f.at.line || outer.file != f.at.file))
        f.called_from.push_back(outer);
    }
  }
  for (const auto& [code, pc] : raw.stack) f.called_from.push_back(source_line(*code, pc));
  set_allocation(f, device.memory);
  if (raw.has_other) {
    f.has_other = true;
    const Dim3& g = launch.spec->grid;
    f.other_block = {static_cast<std::uint32_t>(raw.other_block % g.x),
                     static_cast<std::uint32_t>(raw.other_block / g.x % g.y),
                     static_cast<std::uint32_t>(raw.other_block / g.x / g.y)};
    f.other_thread = thread_index(launch, raw.other_thread);
    if (raw.other_code != nullptr) f.other_at = source_line(*raw.other_code, raw.other_pc);
  }
  f.text = text_of(f, raw, launch);
  return f;
}

}  // namespace workbook::sim
