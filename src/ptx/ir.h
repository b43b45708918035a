// The intermediate form of a PTX module: what the reader makes and what the simulated device decodes.
//
// It stays close to the text. One `Instruction` is one PTX statement; its operands keep the order of the text
// (destination first); its modifiers are unpacked into named fields, so that nobody downstream looks at
// strings. Names are resolved: a register is an index into the function's register table, a label an index
// into its body, a variable or function an index into the module. Types and sizes are PTX's own.
//
// How an instruction's operands are laid out
// ------------------------------------------
// In the order of the text, destination first. `{a, b}` is one operand of kind vector, `[x+4]` one of kind
// address, `_` one of kind none. What is not obvious:
//
//   pairs `d|p`  two operands, d then p, and Modifiers::pair is set. Without the second destination there
//                 is just one operand less: setp [p, q?, a, b, c?], shfl [d, p?, a, b, c, mask], match.all
//                 [d, p?, a, mask], elect [d, p, mask] (d may be none), lop3.and/.or [d, p, a, b, c, table,
//                 q] (else 5 operands).
//   setp, set    the third source c is there exactly if Modifiers::combine is not none.
//   call         [target, returns, arguments, list?]: target is a function or a register; returns and
//                 arguments are always there, as vectors (perhaps empty) of variables (.param), registers
//                 or immediates; `list` is kind target_list: index into Function::prototypes, there for
//                 indirect calls only.
//   bra          [label].        brx.idx  [register, target_list: index into Function::target_lists].
//   ld           [d or {d..}, address]; a cache policy may follow and means nothing.
//   st           [address, b or {b..}].
//   atom         [d, address, b, c?]; cas: b is the value compared, c the new one.   red  [address, b].
//   ld.param, st.param   the address names a parameter (home params, returns) or a .param variable of the
//                 call (home function, space param).
//   mov          [d, a]; one of the two may be a vector (pack, unpack). `mov d, name` gives a variable or
//                 function.
//   bar, barrier sync: [a, b?] barrier number and thread count, arrive: [a, b]; red: [d, a, b?, p].
//                 bar.sync without operands is not PTX; barrier.cluster.* has none.
//   vote         [d, p, mask]; activemask [d]; match [d, a, mask]; redux [d, a, mask]; bar.warp.sync
//                 [mask].
//   cvt          [d, a]; to a packed type (f16x2, bf16x2, e4m3x2 ... from f32) and with .pack [d, a, b],
//                a is the upper half; with .pack of bytes [d, a, b, c], c is above both.
//   cp.async     [shared address, global address, size, source size?]; rest is ".commit_group" (none),
//                 ".wait_group" [n], ".wait_all" (none), else ".ca" or ".cg" (or .bulk... and
//                 .mbarrier.arrive [address]).
//   mma          [d, a, b, c]; ldmatrix [d, address];
//   wmma         load [d, address, stride?], store [address, d, stride?], mma [d, a, b, c].
//
// Predicates: `!p` on a source sets Operand::negated. The guard @p is not an operand.
// Immediates: integers are the written value in two's complement of 64 bits, whatever the instruction's
// type: take the low bytes. A floating-point literal has been brought to the type of its place: 64-bit
// pattern for f64 (and b64, u64, s64), 32-bit pattern otherwise. WARP_SZ is the immediate 32.
//
// Types: Modifiers::type is the first type written; for cvt, set, slct and dp2a/dp4a the second is
// source_type. For mma and wmma, `rest` has everything after the opcode, shapes and the types too.
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

// The tables are easier to read as they are.
// clang-format off

enum class Type : std::uint8_t {
  none, pred,
  b8, b16, b32, b64, b128,
  u8, u16, u32, u64,
  s8, s16, s32, s64,
  u16x2, s16x2,
  f16, bf16, f16x2, bf16x2, e4m3x2, e5m2x2, tf32, f32, f64,
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
enum class BarrierAction : std::uint8_t { none, sync, arrive, red };
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
  total_smem_size, dynamic_smem_size, aggr_smem_size,
  envreg,  // Operand::index is its number
  clusterid_x, clusterid_y, clusterid_z, nclusterid_x, nclusterid_y, nclusterid_z,
  cluster_ctaid_x, cluster_ctaid_y, cluster_ctaid_z, cluster_nctaid_x, cluster_nctaid_y, cluster_nctaid_z,
  cluster_ctarank, cluster_nctarank, is_explicit_cluster,
};

// Where a statement comes from. `file` is an index into Module::files, 0 = no `.loc` was given.
struct SourcePosition {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool operator==(const SourcePosition&) const = default;
};

inline constexpr std::uint32_t no_index = 0xffffffffu;

// The table that a variable's index counts in: Module::variables, Function::variables, ::params or ::returns.
enum class Home : std::uint8_t { module, function, params, returns };

struct Operand {
  enum class Kind : std::uint8_t {
    none,       // also the sink `_`
    reg,        // `reg`
    immediate,  // `bits`: the value, sign-extended or as an IEEE pattern of the instruction's type
    special,    // `special`
    variable,   // the address of variable `index` of `home`, plus `offset`
    function,   // function `index` (call target, or its address)
    label,      // `index`: instruction index in the body
    address,    // [base + offset]; base is a register (`reg`), a variable (`index` of `home`) or, if both are
                // no_index, nothing: `offset` is the address
    vector,     // `elements`
    target_list // the branch targets (brx.idx) or the prototype (indirect call) number `index`
  };
  Kind kind = Kind::none;
  bool negated = false;             // !p on a predicate source
  Special special = Special::none;
  std::uint32_t reg = no_index;     // register index
  std::uint32_t index = no_index;   // variable, function, label or list index
  Home home = Home::module;         // what `index` counts in, for variables
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
  bool propagate_nan = false;     // min, max: .NaN
  bool xorsign = false;           // min, max: .xorsign.abs
  Half half = Half::none;
  Compare compare = Compare::none;
  Combine combine = Combine::none;    // setp, set, lop3, and bar.red (none there: .popc)
  bool pair = false;              // two destinations, `d|p`
  AtomicOp atomic = AtomicOp::none;   // atom, red, redux
  BarrierAction barrier = BarrierAction::none;  // bar, barrier
  ShuffleMode shuffle = ShuffleMode::none;
  VoteMode vote = VoteMode::none;  // vote, and match (any, all)
  Order order = Order::none;
  Scope scope = Scope::none;
  std::uint8_t vector = 1;        // v2, v4, v8
  bool sync = false, aligned = false, uniform = false, is_volatile = false, nc = false;
  bool left = false, wrap = false, clamp = false;  // shf: .l or .r, what a count beyond 32 does
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
  SourcePosition inlined_at;       // `at` lies in an inlined function: its outermost call, in this function's text
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
  std::string unreadable;  // why the body can't be run, with its line; then body is empty. Empty: all is well
  std::uint32_t unreadable_line = 0;
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

// clang-format on

}  // namespace workbook::ptx
