// Mistakes: each is told with its line, and one in a body leaves the other functions usable.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ptx/reader.h"
#include "ptx_text.h"

namespace workbook::ptx {
namespace {

using test::first_body_line;
using test::module_of;
using testing::HasSubstr;

struct Mistake {
  const char* body;
  std::uint32_t line;  // in the body, from 0
  const char* message;
};

class MistakeInBody : public testing::TestWithParam<Mistake> {};

TEST_P(MistakeInBody, is_kept_with_its_line) {
  const Mistake& mistake = GetParam();
  const Module module = read(module_of(mistake.body) + ".entry other() { ret; }");
  const Function& k = module.functions.at(0);
  EXPECT_THAT(k.unreadable, HasSubstr(mistake.message)) << mistake.body;
  EXPECT_EQ(k.unreadable_line, first_body_line + mistake.line) << k.unreadable;
  EXPECT_TRUE(k.body.empty());
  const Function& other = module.functions.at(1);
  EXPECT_EQ(other.unreadable, "");
  EXPECT_EQ(other.body.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(
    Reader, MistakeInBody,
    testing::Values(
        Mistake{"pmevent 1;\nfrobnicate.u32 %r1, %r2;", 1, "the instruction `frobnicate` is not supported"},
        Mistake{"add.wobbly.u32 %r1, %r2, %r3;", 0, "`add` with `.wobbly` is not supported"},
        Mistake{"add.u32.u32 %r1, %r2, %r3;", 0, "`add` with `.u32` is not supported"},
        Mistake{"add.u32. %r1, %r2, %r3;", 0, "`add` with `.` is not supported"},
        Mistake{"\nadd.u32 %r1, %r2;", 1, "`add` takes 3 operands, not 2"},
        Mistake{"add.u32 %r1, %r2, %r3, %r4;", 0, "`add` takes 3 operands, not 4"},
        Mistake{"add.u32 %r1, %r2, %r99;", 0, "`%r99` is not declared"},
        Mistake{"add.u32 %r1, %r2, %r01;", 0, "`%r01` is not declared"},
        Mistake{"add.u32 %rd1, %r2, %r3;", 0, "register %rd1 is .b64, but `add` needs .u32 here"},
        Mistake{"add.u32 %f1, %r2, %r3;", 0, "register %f1 is .f32"},
        Mistake{"add.f64 %fd1, %fd2, %f1;", 0, "register %f1 is .f32"},
        Mistake{"mul.wide.u32 %r1, %r2, %r3;", 0, "register %r1 is .b32, but `mul` needs .u64"},
        Mistake{"mul.u32 %r1, %r2, %r3;", 0, "`mul` needs `.lo`, `.hi` or `.wide`"},
        Mistake{"ld.global.u64 %r1, [%rd1];", 0, "register %r1 is .b32, but `ld` needs .u64"},
        Mistake{"ld.global.u32 %r1, %rd1;", 0, "`ld` needs an address in brackets"},
        Mistake{"ld.global.u32 %r1, [%f1];", 0, "register %f1 is .f32 and can't hold an address"},
        Mistake{"ld.global.v4.u32 {%r1, %r2}, [%rd1];", 0, "`ld` has .v4 but 2 elements"},
        Mistake{"mov.b64 %rd1, {%r1, %rs1};", 0, "`mov` moves 8 bytes, but an operand has 6"},
        Mistake{"setp.u32 %p1, %r1, %r2;", 0, "`setp` needs a comparison"},
        Mistake{"setp.lt.u32 %r1, %r1, %r2;", 0, "register %r1 is .b32, but `setp` needs .pred"},
        Mistake{"@%r1 bra L;\nL: ret;", 0, "`%r1` is not a predicate register"},
        Mistake{"pmevent 1;\npmevent 1;\nbra nowhere;", 2, "there is no label `nowhere` here"},
        Mistake{"bra in; { in: pmevent 1; }", 0, "there is no label `in` here"},
        Mistake{"L: pmevent 1;\nL: ret;", 1, "the label `L` is there a second time"},
        Mistake{".reg .b32 %r<4>;", 0, "`%r` is declared a second time"},
        Mistake{".reg .b32 a; .reg .f32 a;", 0, "`a` is declared a second time"},
        Mistake{".reg .b32 %x<4000000000>;", 0, "must not be greater than"},
        Mistake{"add.f32 %f1, %f2, 1;", 0, "a .f32 literal is written as a floating-point number"},
        Mistake{"mov.u32 5, %r1;", 0, "`mov` needs a register to write to"},
        Mistake{"st.global.u32 [%rd1], %p1;", 0, "register %p1 is .pred"},
        Mistake{"mov.u32 %r1, 99999999999999999999;", 0, "does not fit 64 bits"},
        Mistake{"mov.u32 %r1, 12ab;", 0, "`12ab` is not a number"},
        Mistake{"mov.u32 %r1, %nosuch;", 0, "`%nosuch` is not declared"},
        Mistake{"call nobody;", 0, "`nobody` is not declared"},
        Mistake{"call k, (%rd1);", 0, "this call takes 2 arguments, not 1"},
        Mistake{"call %rd1, (%rd1);", 0, "an indirect call needs a prototype"},
        Mistake{"shfl.down.b32 %r1, %r2, %r3, 31;", 0, "`shfl` needs `.sync`"},
        Mistake{"ret", 1, "expected an operand instead of `}`"},
        Mistake{"bar.sync 0", 1, "expected `;` before `}`"},
        Mistake{"mov.u32 %r1, \"open;", 0, "this string is never closed"},
        Mistake{".section .debug { }", 0, "`.section` is not a directive that can stand here"}));

struct BadModule {
  const char* text;
  std::uint32_t line, column;
  const char* message;
};

class MistakeInModule : public testing::TestWithParam<BadModule> {};

TEST_P(MistakeInModule, throws_with_its_place) {
  try {
    read(GetParam().text);
    FAIL() << "nothing was thrown for " << GetParam().text;
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr(GetParam().message));
    EXPECT_EQ(error.line(), GetParam().line) << error.what();
    EXPECT_EQ(error.column(), GetParam().column) << error.what();
  }
}

#define HEAD ".version 9.0\n.target sm_75\n"
INSTANTIATE_TEST_SUITE_P(
    Reader, MistakeInModule,
    testing::Values(BadModule{"", 1, 1, "this is not PTX"},
                    BadModule{"int main() {}", 1, 1, "this is not PTX"},
                    BadModule{".version 9.0\n", 2, 1, "there is no `.target`"},
                    BadModule{HEAD ".address_size 32\n", 4, 1, "only 64-bit PTX"},
                    BadModule{HEAD "  .nonsense 4;", 3, 3, "`.nonsense` is not a directive"},
                    BadModule{HEAD ".entry k() {\n pmevent 1;\n", 3, 12, "never closed"},
                    BadModule{HEAD ".global .u32 x = ;", 3, 18, "expected a value"},
                    BadModule{HEAD ".global .u8 x[2] = {1, 2, 3};", 3, 27, "more values than"},
                    BadModule{HEAD ".global .u64 x = nobody;", 3, 18, "`nobody` is not declared"},
                    BadModule{HEAD ".shared .u32 x = 1;", 3, 16, "only .global and .const"},
                    BadModule{HEAD ".global .u32 x; .global .u32 x;", 3, 30, "declared a second time"},
                    BadModule{HEAD ".entry k() { ret; }\n.entry k() { ret; }", 4, 8, "defined a second time"},
                    BadModule{HEAD "/* comment", 3, 1, "never closed"},
                    BadModule{HEAD ".file 1 \"name", 3, 10, "never closed"}));

TEST(Error, draws_a_caret) {
  try {
    read(HEAD "  .nonsense 4;");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "PTX line 3: `.nonsense` is not a directive that can stand here\n"
                 "    3 |   .nonsense 4;\n"
                 "      |   ^");
  }
}

}  // namespace
}  // namespace workbook::ptx
