// Decoded PTX: what the executor runs. Made once per function by decode.cpp.
//
// Registers live in a frame of rows: one row holds a register of all 32 lanes, 4 bytes a lane (types up to 32
// bits, zero-extended) or 8 (64-bit types). An operand is the byte offset of its row; an immediate is a row
// too, filled when the frame is made. A predicate register is not a row but one 32-bit mask, a bit a lane.
//
// Each instruction carries the function that executes it for the lanes of a mask (`run`), the scoreboard
// slots of what it reads and writes, and what the warp loop must know about it (`kind`).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ptx/ir.h"
#include "sim/counters.h"

namespace workbook::sim {

struct Warp;
struct Inst;
using Handler = void (*)(Warp&, const Inst&, std::uint32_t mask);

inline constexpr int lanes = 32;
inline constexpr std::uint32_t full_mask = 0xffffffffu;
inline constexpr std::uint32_t narrow_row = 4 * lanes;  // bytes
inline constexpr std::uint32_t wide_row = 8 * lanes;

// Generic addresses of the windows; no user-space pointer and no device address is that large.
inline constexpr std::uint64_t shared_window = 1ull << 48;
inline constexpr std::uint64_t local_window = 2ull << 48;
inline constexpr std::uint64_t param_window = 3ull << 48;
inline constexpr std::uint64_t code_window = 4ull
                                             << 48;  // function addresses: window + global function number
inline constexpr std::uint64_t window_mask = 0xffffull << 48;

enum class Kind : std::uint8_t {
  plain,   // run, then the next one
  memory,  // run; it may fault, and it sets the latency of its result
  clock,   // a read of a clock: costs time itself
  gather,  // a warp collective: waits until the lanes it names are there
  branch,
  branch_index,
  call,
  call_indirect,
  call_system,
  ret,
  exit,
  barrier,
  fence,
  trap,
  sleep,
};

enum class SystemCall : std::uint32_t { none, print, assert_fail, allocate, release };

// Operand rows and scoreboard slots of vectors: `count` entries from `first` on in Code::rows.
struct RowList {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};
struct Row {
  std::uint32_t offset = 0;
  std::uint32_t slot = 0;
  bool wide = false;
};

// The access of a memory instruction.
struct AccessShape {
  ptx::Space space = ptx::Space::none;
  std::uint8_t element = 4;     // bytes of one element
  std::uint8_t count = 1;       // elements a lane: v2, v4, v8
  bool is_signed = false;       // sub-word loads are sign-extended
  bool wide_address = true;     // the address register has 64 bits
  bool no_register = false;     // the address is the immediate alone
  bool dynamic_shared = false;  // relative to the start of dynamic shared memory
  bool strong = false;          // volatile, relaxed, acquire, release: does not race with its like
  bool acquire = false, release = false;
  bool kernel_param = false;  // uniform parameter block
  bool frame = false;         // the address is relative to the frame: a local variable or a call parameter
  bool call_param = false;    // st.param and ld.param of calls: neither checked nor counted
  ptx::AtomicOp atomic = ptx::AtomicOp::none;
};

struct Inst {
  Handler run = nullptr;
  std::uint32_t d = 0, a = 0, b = 0, c = 0, e = 0;  // row offsets or predicate numbers
  std::uint32_t guard = 0;                          // predicate number; 0 is always true
  std::uint32_t guard_not = 0;                      // all ones for @!p
  std::uint32_t slot_d = 0, slot_a = 0, slot_b = 0, slot_c = 0, slot_g = 0;
  std::uint64_t latency = 0;           // of the result, packed like the scoreboard
  std::int64_t imm = 0;                // address offset, truth table, bar id, target function, ...
  std::uint32_t target = 0;            // branch: instruction; call: system call or function
  std::uint32_t meet = ptx::no_index;  // where lanes that part meet again
  Kind kind = Kind::plain;
  InstructionClass cls = InstructionClass::integer;
  std::uint8_t flags = 0;        // of the handler: negated predicates, ...
  std::uint8_t sub = 0;          // of the handler: compare, mode, ...
  bool is_warp_barrier = false;  // __syncwarp
  RowList list;                  // vector operands, call arguments
  AccessShape access;
  std::uint32_t ir = 0;    // index into Function::body
  std::uint32_t site = 0;  // Code::first_hit + ir: number among all instructions decoded
};

// Lanes of a mask. (The bit trick: plain x86-64 has no instruction for it.)
inline std::uint32_t count_lanes(std::uint32_t mask) {
  if (mask == full_mask) return lanes;
  mask -= mask >> 1 & 0x55555555u;
  mask = (mask & 0x33333333u) + (mask >> 2 & 0x33333333u);
  return ((mask + (mask >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

namespace flag {
inline constexpr std::uint8_t not_a = 1, not_b = 2, not_c = 4, wide_a = 8, wide_d = 16, has_e = 32,
                              full_mask = 64,
                              anywhere = 128;  // a barrier's lanes may come to it at several places
}

// One value to put into a row when a frame is made.
struct Constant {
  std::uint32_t row = 0;
  bool wide = false;
  std::uint64_t bits = 0;
};

// A call-scope .param variable, a parameter or a return value: bytes relative to the frame in local memory.
struct Place {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

// Rows that a new frame must clear.
struct ClearedRows {
  std::uint32_t first = 0, bytes = 0;
};

struct CallSite {
  std::vector<Place> arguments, returns;
};

struct MatrixOp;  // matrix.h

struct Code {
  Code();
  ~Code();
  const ptx::Module* module = nullptr;
  const ptx::Function* function = nullptr;
  std::string display_name;
  std::vector<Inst> body;  // one more than the IR: an exit at the end
  std::vector<Row> rows;   // for RowList
  std::vector<Constant> constants;
  std::vector<MatrixOp> matrices;  // Inst::e indexes it for mma and its kind
  std::vector<CallSite> calls;     // Inst::e indexes it for calls
  std::vector<std::vector<std::uint32_t>> targets;
  std::vector<Place> params, returns;  // of a device function
  std::uint32_t row_bytes = 0;         // of a frame
  std::uint32_t predicates = 1;        // masks of a frame; number 0 is all ones
  std::uint32_t slots = 1;             // of the scoreboard; slot 0 is always ready
  std::uint32_t frame_bytes = 0;       // local memory of a frame: call parameters, then variables
  std::uint32_t first_hit = 0;         // index of body[0] in the execution counts
  std::uint32_t static_shared = 0;
  std::uint32_t number = 0;            // FunctionId
  std::vector<std::uint32_t> callees;  // function numbers
  std::vector<ClearedRows> live_in;    // rows that may be read before they are written
  bool uses_atomics = false, uses_strong = false, uses_fence = false, uses_heap = false, uses_barrier = false;
  bool uses_indirect = false, uses_clock = false, uses_timer = false, stores_global = false,
       sub_word_shared = false;
  std::string unsupported;  // why it cannot run
};

}  // namespace workbook::sim
