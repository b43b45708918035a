// The opcodes of PTX, one row each: the one table that the reader, the verifier and the simulated device
// share.
//
// A row is X(name, text, min, max, sentence):
//   name      the value of enum class Opcode; PTX's own word, with `_` for a dot and a trailing `_` where C++
//             has the word for itself (and_, or_, xor_, not_);
//   text      how PTX spells it (what stands before the first modifier);
//   min, max  how many operands an instruction has in the layout that ir.h describes (a pair `p|q` counts as
//   two,
//             a vector or an address as one);
//   sentence  what it does.
//
// An opcode that has no row is an error that names it; a row here promises only that it can be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

// clang-format off
#define WORKBOOK_PTX_OPCODES(X)                                                                                  \
  /* integer and floating-point arithmetic */                                                                    \
  X(abs, "abs", 2, 2, "d = |a|")                                                                                 \
  X(add, "add", 3, 3, "d = a + b; with .cc it also writes the carry flag")                                       \
  X(addc, "addc", 3, 3, "d = a + b + carry flag; with .cc it also writes the carry flag")                        \
  X(sub, "sub", 3, 3, "d = a - b; with .cc it also writes the borrow")                                           \
  X(subc, "subc", 3, 3, "d = a - (b + borrow); with .cc it also writes the borrow")                              \
  X(mul, "mul", 3, 3, "d = a * b; low half, high half or the wide product for integers")                         \
  X(mul24, "mul24", 3, 3, "d = a * b of 24-bit integers, low or high part")                                      \
  X(mad, "mad", 4, 4, "d = a * b + c; low, high or wide; with .cc it also writes the carry flag")                \
  X(mad24, "mad24", 4, 4, "d = a * b + c, the product of 24-bit integers")                                       \
  X(madc, "madc", 4, 4, "d = a * b + c + carry flag; with .cc it also writes the carry flag")                    \
  X(fma, "fma", 4, 4, "d = a * b + c, rounded once")                                                             \
  X(div, "div", 3, 3, "d = a / b; exact, .approx or .full for f32")                                              \
  X(rem, "rem", 3, 3, "d = a % b, integers")                                                                     \
  X(sad, "sad", 4, 4, "d = |a - b| + c")                                                                         \
  X(dp2a, "dp2a", 4, 4, "d = c + dot product of two 16-bit and two 8-bit values (.lo or .hi pair of b)")         \
  X(dp4a, "dp4a", 4, 4, "d = c + dot product of four 8-bit values with four 8-bit values")                       \
  X(vabsdiff4, "vabsdiff4", 4, 4, "d = |a - b| of each of four bytes; with .add c and the sum of them")           \
  X(min, "min", 3, 4, "d = the smaller of a and b (and c)")                                                      \
  X(max, "max", 3, 4, "d = the greater of a and b (and c)")                                                      \
  X(neg, "neg", 2, 2, "d = -a")                                                                                  \
  X(copysign, "copysign", 3, 3, "d = b with the sign of a")                                                      \
  X(testp, "testp", 2, 2, "p = a has the property in `rest` (.finite .infinite .number .notanumber .normal .subnormal)") \
  X(rcp, "rcp", 2, 2, "d = 1 / a")                                                                               \
  X(sqrt, "sqrt", 2, 2, "d = square root of a")                                                                  \
  X(rsqrt, "rsqrt", 2, 2, "d = 1 / square root of a, approximate")                                               \
  X(sin, "sin", 2, 2, "d = sine of a, approximate")                                                              \
  X(cos, "cos", 2, 2, "d = cosine of a, approximate")                                                            \
  X(lg2, "lg2", 2, 2, "d = logarithm of a to base 2, approximate")                                               \
  X(ex2, "ex2", 2, 2, "d = 2 to the power a, approximate")                                                       \
  X(tanh, "tanh", 2, 2, "d = hyperbolic tangent of a, approximate")                                              \
  /* bits */                                                                                                     \
  X(and_, "and", 3, 3, "d = a & b, also of predicates")                                                          \
  X(or_, "or", 3, 3, "d = a | b, also of predicates")                                                            \
  X(xor_, "xor", 3, 3, "d = a ^ b, also of predicates")                                                          \
  X(not_, "not", 2, 2, "d = ~a, also of a predicate")                                                            \
  X(cnot, "cnot", 2, 2, "d = a == 0 ? 1 : 0")                                                                    \
  X(lop3, "lop3", 5, 7, "d = the bitwise function of a, b, c whose truth table is the immediate")                \
  X(shl, "shl", 3, 3, "d = a << b; a count beyond the width gives 0")                                            \
  X(shr, "shr", 3, 3, "d = a >> b; a count beyond the width gives 0 or the sign")                                \
  X(shf, "shf", 4, 4, "d = the 32 bits of the pair b:a after a shift by c (funnel shift)")                       \
  X(bfe, "bfe", 4, 4, "d = the field of a at position b, c bits long")                                           \
  X(bfi, "bfi", 5, 5, "d = b with a's low bits put in at position c, d bits long")                               \
  X(bfind, "bfind", 2, 2, "d = position of the highest bit that is not the sign, or -1")                         \
  X(brev, "brev", 2, 2, "d = the bits of a in reverse")                                                          \
  X(clz, "clz", 2, 2, "d = number of leading zeros")                                                             \
  X(popc, "popc", 2, 2, "d = number of ones")                                                                    \
  X(fns, "fns", 4, 4, "d = position of the n-th set bit of a mask from a base")                                  \
  X(bmsk, "bmsk", 3, 3, "d = a mask of b ones from bit a")                                                       \
  X(szext, "szext", 3, 3, "d = a, sign or zero extended from bit b")                                             \
  X(prmt, "prmt", 4, 4, "d = four bytes picked from the eight of a and b by the selector c")                     \
  /* comparing and choosing */                                                                                   \
  X(set, "set", 3, 4, "d = all ones, or 1.0, if a compares to b, else 0")                                        \
  X(setp, "setp", 3, 5, "p = a compares to b (combined with c); q = the opposite (combined with c)")             \
  X(selp, "selp", 4, 4, "d = p ? a : b")                                                                         \
  X(slct, "slct", 4, 4, "d = c >= 0 ? a : b")                                                                    \
  /* moving and converting */                                                                                    \
  X(mov, "mov", 2, 2, "d = a: register, immediate, special register, address; packs and unpacks vectors")        \
  X(cvt, "cvt", 2, 4, "d = a converted from the source type")                                                    \
  X(cvta, "cvta", 2, 2, "d = the generic address of an address in a state space, or the reverse (to_space)")     \
  X(isspacep, "isspacep", 2, 2, "p = the generic address lies in the state space")                               \
  X(mapa, "mapa", 3, 3, "d = the address of a shared variable in another block of the cluster")                  \
  X(getctarank, "getctarank", 2, 2, "d = the rank of the block that a shared address belongs to")                \
  /* memory */                                                                                                   \
  X(ld, "ld", 2, 3, "d = value at the address")                                                                  \
  X(ldu, "ldu", 2, 2, "d = value at an address that is the same in all threads")                                 \
  X(st, "st", 2, 3, "value at the address = b")                                                                  \
  X(atom, "atom", 3, 5, "d = the old value at the address, which becomes op(old, b)")                            \
  X(red, "red", 2, 3, "value at the address becomes op(old, b), with no result")                                 \
  X(prefetch, "prefetch", 1, 1, "hint: bring a line into the cache")                                             \
  X(prefetchu, "prefetchu", 1, 1, "hint: bring a line into the uniform cache")                                   \
  X(applypriority, "applypriority", 2, 2, "hint: give cached lines a priority")                                  \
  X(discard, "discard", 2, 2, "hint: the lines' contents are no longer needed")                                  \
  X(createpolicy, "createpolicy", 2, 4, "hint: d = a cache policy")                                              \
  X(membar, "membar", 0, 0, "fence at the scope: earlier accesses are seen before later ones")                   \
  X(fence, "fence", 0, 2, "fence with order and scope")                                                          \
  X(cp_async, "cp.async", 0, 5, "asynchronous copy from global to shared; `rest` has commit_group, wait_group, wait_all") \
  X(cp_reduce, "cp.reduce", 3, 5, "asynchronous bulk reduction")                                                 \
  X(alloca, "alloca", 2, 3, "d = address of a new piece of the thread's stack")                                  \
  X(stacksave, "stacksave", 1, 1, "d = the stack pointer")                                                       \
  X(stackrestore, "stackrestore", 1, 1, "the stack pointer = a")                                                 \
  /* control */                                                                                                  \
  X(bra, "bra", 1, 1, "go to the label")                                                                         \
  X(brx_idx, "brx.idx", 2, 2, "go to entry a of the target list")                                                \
  X(call, "call", 3, 4, "call a function")                                                                       \
  X(ret, "ret", 0, 0, "return from the function; from a kernel: the thread ends")                                \
  X(exit, "exit", 0, 0, "the thread ends")                                                                       \
  X(trap, "trap", 0, 0, "abort the kernel with an error")                                                        \
  X(brkpt, "brkpt", 0, 0, "stop in the debugger")                                                                \
  X(pmevent, "pmevent", 1, 1, "hint: trigger a performance monitor event")                                       \
  X(nanosleep, "nanosleep", 1, 1, "wait about a nanoseconds")                                                    \
  X(griddepcontrol, "griddepcontrol", 0, 0, "programmatic launch: `rest` is .launch_dependents or .wait")        \
  X(setmaxnreg, "setmaxnreg", 1, 1, "hint: release or ask for registers")                                        \
  /* together: barriers and warps */                                                                             \
  X(bar, "bar", 1, 4, "barrier of the block: sync, arrive or reduce (Modifiers::barrier)")                       \
  X(barrier, "barrier", 0, 4, "the same with threads of a warp counted singly; .cluster in `rest`")              \
  X(bar_warp_sync, "bar.warp.sync", 1, 1, "barrier of the warp's lanes in the mask")                             \
  X(mbarrier, "mbarrier", 1, 4, "barrier object in shared memory; `rest` has the operation")                     \
  X(shfl, "shfl", 4, 6, "d = another lane's value; p = that lane was in range")                                  \
  X(vote, "vote", 2, 3, "d = all, any, uniform or ballot of a predicate over the lanes in the mask")             \
  X(match, "match", 3, 4, "d = mask of the lanes with the same value (any), or all lanes if all agree (all)")    \
  X(redux, "redux", 3, 3, "d = the values of the lanes in the mask combined")                                    \
  X(activemask, "activemask", 1, 1, "d = mask of the lanes that execute this together")                          \
  X(elect, "elect", 2, 3, "p = this lane is the leader, d = the leader's number")                                \
  /* matrices */                                                                                                 \
  X(ldmatrix, "ldmatrix", 2, 2, "load 8x8 matrices from shared memory, spread over the warp")                    \
  X(stmatrix, "stmatrix", 2, 2, "store 8x8 matrices to shared memory")                                           \
  X(movmatrix, "movmatrix", 2, 2, "transpose an 8x8 matrix held by the warp")                                    \
  X(mma, "mma", 4, 8, "D = A * B + C on matrices held by the warp")                                              \
  X(wmma, "wmma", 2, 4, "load, store or multiply matrices held by the warp; `rest` starts with which")
// clang-format on

namespace workbook::ptx {

enum class Opcode : std::uint8_t {
#define WORKBOOK_X(name, text, min, max, sentence) name,
  WORKBOOK_PTX_OPCODES(WORKBOOK_X)
#undef WORKBOOK_X
};

#define WORKBOOK_X(name, text, min, max, sentence) +1
inline constexpr int opcode_count = 0 WORKBOOK_PTX_OPCODES(WORKBOOK_X);
#undef WORKBOOK_X

struct OpcodeRow {
  std::string_view text;  // "bar.warp.sync"
  int min_operands;
  int max_operands;
  std::string_view sentence;  // what it does
};

const OpcodeRow& row_of(Opcode op);
std::string_view name_of(Opcode op);  // row_of(op).text

// The opcode at the start of a dotted instruction word such as "bar.warp.sync" or "ld.global.f32". The
// longest row that fits wins; `length` is set to the number of characters it took.
std::optional<Opcode> find_opcode(std::string_view dotted, std::size_t& length);

}  // namespace workbook::ptx
