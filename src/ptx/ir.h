// The intermediate form of a PTX module: what the reader makes and what the simulated device decodes.
//
// It stays close to the text. One `Instruction` is one PTX statement; its operands keep the order of the text
// (destination first); its modifiers are unpacked into named fields, so that nobody downstream looks at
// strings. Names are resolved: a register is an index into the function's register table, a label an index
// into its body, a variable or function an index into the module. Types and sizes are PTX's own.
//
// Source: "Parallel Thread Execution ISA", version 9.0, NVIDIA.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ptx/opcode.h"

namespace workbook::ptx {

enum class Type : std::uint8_t {
  none, pred,
  b8, b16, b32, b64, b128,
  u8, u16, u32, u64,
  s8, s16, s32, s64,
  f16, bf16, f16x2, bf16x2, tf32, f32, f64,
};

// Bytes of one value of the type; pred counts as 1, none as 0.
int size_of(Type type);
bool is_float(Type type);   // f16 ... f64, packed types too
bool is_signed(Type type);  // s8 ... s64

enum class Space : std::uint8_t { none, generic, global, shared, local, constant, param };
enum class Rounding : std::uint8_t { none, rn, rz, rm, rp, rna, rni, rzi, rmi, rpi };
enum class Compare : std::uint8_t {
  none, eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan,
};
enum class Combine : std::uint8_t { none, and_, or_, xor_ };  // setp.CmpOp.BoolOp, and also vote/redux kinds
enum class Half : std::uint8_t { none, lo, hi, wide };        // mul, mad
enum class AtomicOp : std::uint8_t { none, add, min, max, inc, dec, and_, or_, xor_, exch, cas };
enum class ShuffleMode : std::uint8_t { none, up, down, bfly, idx };
enum class VoteMode : std::uint8_t { none, all, any, uni, ballot };
enum class Order : std::uint8_t { none, weak, relaxed, acquire, release, acq_rel, sc };
enum class Scope : std::uint8_t { none, cta, cluster, gpu, sys };
enum class Special : std::uint8_t {  // special registers
  none,
  tid_x, tid_y, tid_z, ntid_x, ntid_y, ntid_z,
  ctaid_x, ctaid_y, ctaid_z, nctaid_x, nctaid_y, nctaid_z,
  laneid, warpid, nwarpid, smid, nsmid, gridid,
  lanemask_eq, lanemask_le, lanemask_lt, lanemask_ge, lanemask_gt,
  clock, clock_hi, clock64, globaltimer, globaltimer_lo, globaltimer_hi,
  total_smem_size, dynamic_smem_size, envreg,
};

// Where a statement comes from. `file` is an index into Module::files, 0 = no `.loc` was given.
struct SourcePosition {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool operator==(const SourcePosition&) const = default;
};

inline constexpr std::uint32_t no_index = 0xffffffffu;

struct Operand {
  enum class Kind : std::uint8_t {
    none,       // also the sink `_`
    reg,        // `reg`
    immediate,  // `bits`: the value, sign-extended or as an IEEE pattern of the instruction's type
    special,    // `special`
    variable,   // the address of module or function variable `index`, plus `offset`
    function,   // function `index` (call target, or its address)
    label,      // `index`: instruction index in the body
    address,    // [base + offset]; base is a register (`reg`) or a variable (`index`, with reg == no_index)
    vector,     // `elements`
    target_list // the branch targets (brx.idx) or the prototype (indirect call) number `index`
  };
  Kind kind = Kind::none;
  bool negated = false;             // !p on a predicate source
  Special special = Special::none;
  std::uint32_t reg = no_index;     // register index
  std::uint32_t index = no_index;   // variable, function, label or list index; see `scope` for variables
  bool local_variable = false;      // `index` counts in Function::variables instead of Module::variables
  std::uint64_t bits = 0;
  std::int64_t offset = 0;
  std::vector<Operand> elements;
};

// Everything after the first dot of an opcode.
struct Modifiers {
  Type type = Type::none;         // the instruction's type; for cvt the destination type
  Type source_type = Type::none;  // cvt and set: the source type; others: none
  Space space = Space::none;      // ld, st, atom, red, cvta, isspacep
  bool to_space = false;          // cvta.to
  Rounding rounding = Rounding::none;
  bool ftz = false, sat = false, approx = false, full = false, relu = false;
  Half half = Half::none;
  Compare compare = Compare::none;
  Combine combine = Combine::none;
  AtomicOp atomic = AtomicOp::none;
  ShuffleMode shuffle = ShuffleMode::none;
  VoteMode vote = VoteMode::none;
  Order order = Order::none;
  Scope scope = Scope::none;
  std::uint8_t vector = 1;        // v2, v4, v8
  bool sync = false, aligned = false, uniform = false, is_volatile = false, nc = false;
  bool wrap = false, clamp = false;            // shf
  bool carry_out = false;                      // add.cc and its kind
  bool shift_amount = false;                   // bfind.shiftamt
  std::string rest;               // modifiers with no field of their own, dotted, e.g. ".m16n8k16.row.col"
};

struct Instruction {
  Opcode op{};
  Modifiers mod;
  std::uint32_t guard = no_index;  // predicate register of @p / @!p
  bool guard_negated = false;
  std::vector<Operand> operands;
  SourcePosition at;               // the learner's source, from `.loc`
  std::uint32_t ptx_line = 0;      // line in the PTX text, from 1
};

struct Register {
  std::string name;  // with the percent sign
  Type type;
};

// Bytes of a variable's initial value that hold an address (`.global .u64 p = symbol + offset`).
struct Relocation {
  std::uint64_t at = 0;
  std::uint32_t index = no_index;
  bool is_function = false;
  std::int64_t offset = 0;
};

struct Variable {
  std::string name;
  Space space = Space::none;
  Type type = Type::none;
  std::uint32_t align = 1;
  std::uint64_t size = 0;           // bytes; 0 for `extern .shared x[]` (dynamic shared memory)
  bool is_extern = false;
  std::vector<std::uint8_t> init;   // empty: zero for global and constant, undefined for shared and local
  std::vector<Relocation> relocations;
};

struct Parameter {
  std::string name;
  Type type = Type::none;   // b8 for arrays
  std::uint32_t align = 1;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;  // in the parameter block, laid out in order by alignment
};

struct Function {
  std::string name;
  bool is_kernel = false;
  bool has_body = true;       // false: extern (vprintf, malloc, __assertfail, ...)
  bool no_return = false;
  std::vector<Parameter> params;
  std::vector<Parameter> returns;
  std::vector<Register> registers;
  std::vector<Variable> variables;  // .local, .shared and call-scope .param variables, in order of declaration
  std::vector<Instruction> body;
  std::vector<std::vector<std::uint32_t>> target_lists;  // for brx.idx: instruction indices
  std::vector<std::uint32_t> prototypes;                 // for indirect calls: index into Module::prototypes
  std::array<std::uint32_t, 3> max_threads{0, 0, 0};     // .maxntid, 0 = not given
  std::array<std::uint32_t, 3> required_threads{0, 0, 0};  // .reqntid
  std::uint32_t min_blocks = 0;                          // .minnctapersm
  std::uint32_t line = 0;                                // in the PTX text
};

struct Prototype {
  std::vector<Parameter> params;
  std::vector<Parameter> returns;
};

struct Module {
  std::string version;  // "9.0"
  std::string target;   // "sm_75"
  std::vector<std::string> files;  // [0] is empty; `.file` numbers count from 1
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<Prototype> prototypes;
  std::unordered_map<std::string, std::uint32_t> function_index;
  std::unordered_map<std::string, std::uint32_t> variable_index;
};

}  // namespace workbook::ptx
