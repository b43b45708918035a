// Damaged text must give an Error or a module that still holds together; it must never crash. The mutations
// are the same in every run.
#include <gtest/gtest.h>

#include <random>

#include "ptx/control_flow.h"
#include "ptx/reader.h"
#include "ptx_text.h"

namespace workbook::ptx {
namespace {

const std::string seed_text =
    std::string(test::header) +
    ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
    ".func f(.param .b32 a);\n"
    ".global .align 8 .u64 table[3] = {f, 5, generic(table)+-4};\n"
    ".const .align 4 .f32 c[2][2] = {{0f3F800000, -1.0}, {2.0}};\n"
    ".global .align 1 .b8 text[] = {104, 0xFF(f), 0};\n"
    ".extern .shared .align 16 .b8 dynamic[];\n"
    ".func f(.param .b32 a) { ret; }\n"
    ".visible .entry k(.param .u64 .ptr .global .align 4 p, .param .align 8 .b8 s[24]) .maxntid 256, 1, "
    "1\n{\n"
    ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .f32 %f<6>; .reg .b64 %rd<8>; .shared .align 4 .b8 tile[64];\n"
    ".loc 1 10 2\n ld.param.u64 %rd1, [p];\n mov.u32 %r1, %ctaid.x;\n mad.lo.s32 %r4, %r1, %r2, %r3;\n"
    ".loc 1 20 3, function_name $L, inlined_at 1 10 2\n setp.ge.s32 %p1, %r4, %r5;\n @%p1 bra $E;\n"
    " mul.wide.s32 %rd3, %r4, 4;\n ld.global.v2.f32 {%f1, _}, [%rd3+-8];\n fma.rn.f32 %f3, %f1, %f2, "
    "0f3F800000;\n"
    " T: .branchtargets A, B; brx.idx %r1, T;\nA: { .reg .b32 x; mov.b64 {x, %r2}, %rd1; }\nB: bar.sync 0;\n"
    " shfl.sync.bfly.b32 %r1|%p2, %r2, 1, 31, -1;\n atom.shared.cas.b32 %r1, [tile+4], %r2, %r3;\n"
    "{ .param .b64 p0; .param .b64 p1; .param .b32 q;\n call.uni (q), vprintf, (p0, p1); }\n"
    "{ .param .b64 p0; P: .callprototype _ (.param .b64 _);\n call %rd1, (p0), P; }\n"
    "$E: ret;\n}\n.file 1 \"a.cu\"\n.section .debug_str\n{\n$L:\n.b8 95,90\n}\n";

const char* const words[] = {
    "{",         "}",        "[",       "]",    "(",           ")",          ",",      ";",     ":",
    "@",         "!",        "|",       "-",    "+",           "<",          ">",      "=",     "_",
    "\"",        ".",        "/*",      "%r1",  "%p1",         "k",          "f",      "table", "T",
    "A",         "tile",     "0",       "-1",   "99999999999", "0f3F800000", "0x",     "bra",   "call",
    "ld.global", ".v4",      ".u64",    ".reg", ".b32",        ".param",     ".align", ".func", ".entry",
    ".extern",   "generic(", "brx.idx", "mov",  "\n",          "\x80"};

std::string mutated(std::mt19937& random) {
  std::string text = seed_text;
  const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (std::size_t times = 1 + below(3); times > 0; --times) {
    const std::size_t at = below(text.size());
    const std::size_t length = std::min(below(30), text.size() - at);
    switch (below(4)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, words[below(std::size(words))]);
        break;
      case 2:
        text.insert(below(text.size()), text.substr(at, length));
        break;
      default:
        text.replace(at, std::min<std::size_t>(1, length), words[below(std::size(words))]);
        break;
    }
    if (text.empty()) text = " ";
  }
  return text;
}

void check_operand(const Operand& operand, const Module& module, const Function& function) {
  if (operand.kind == Operand::Kind::reg) {
    ASSERT_LT(operand.reg, function.registers.size());
  }
  if (operand.kind == Operand::Kind::function) {
    ASSERT_LT(operand.index, module.functions.size());
  }
  if (operand.kind == Operand::Kind::label) {
    ASSERT_LE(operand.index, function.body.size());
  }
  if (operand.kind == Operand::Kind::variable ||
      (operand.kind == Operand::Kind::address && operand.index != no_index)) {
    const std::size_t sizes[] = {module.variables.size(), function.variables.size(), function.params.size(),
                                 function.returns.size()};
    ASSERT_LT(operand.index, sizes[static_cast<std::size_t>(operand.home)]);
  }
  for (const Operand& element : operand.elements) check_operand(element, module, function);
}

void check(const Module& module) {
  for (const Variable& variable : module.variables) {
    for (const Relocation& relocation : variable.relocations) {
      ASSERT_LT(relocation.index, relocation.is_function ? module.functions.size() : module.variables.size());
      ASSERT_LE(relocation.at + 8, variable.init.size());
    }
  }
  for (const Function& function : module.functions) {
    for (const Instruction& instruction : function.body) {
      for (const Operand& operand : instruction.operands) check_operand(operand, module, function);
    }
    const ControlFlow flow = analyze(function);
    for (const std::uint32_t meeting : flow.reconvergence) {
      if (meeting != no_index) {
        ASSERT_LE(meeting, function.body.size());
      }
    }
    for (const Block& block : flow.blocks) ASSERT_LE(block.post_dominator, flow.blocks.size());
  }
}

TEST(Mutation, the_seed_itself_is_readable_but_for_its_text) {
  std::string text = seed_text;
  text.replace(text.find("0xFF(f), "), 9, "");
  const Module module = read(text);
  for (const Function& function : module.functions) EXPECT_EQ(function.unreadable, "");
  check(module);
}

TEST(Mutation, never_crashes) {
  std::mt19937 random(20);
  int errors = 0, unreadable = 0, readable = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = mutated(random);
    if (const auto mask = text.find("0xFF(f), "); mask != std::string::npos && i % 8 != 0)
      text.erase(mask, 9);
    try {
      const Module module = read(text);
      check(module);
      if (HasFatalFailure()) FAIL() << text;
      bool all = true;
      for (const Function& function : module.functions) all = all && function.unreadable.empty();
      ++(all ? readable : unreadable);
    } catch (const Error& error) {
      ASSERT_GE(error.line(), 1u);
      ++errors;
    }
  }
  // The mutations reach all three ends.
  EXPECT_GT(errors, 1000);
  EXPECT_GT(unreadable, 1000);
  EXPECT_GT(readable, 200);
}

}  // namespace
}  // namespace workbook::ptx
