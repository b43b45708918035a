#include "ptx/reader.h"

#include <gtest/gtest.h>

#include "ptx_text.h"

namespace workbook::ptx {
namespace {

using test::module_of;

// The body's instructions; the test fails if it is unreadable.
Function kernel(const std::string& body) {
  Module module = read(module_of(body));
  Function function = module.functions.at(module.function_index.at("k"));
  EXPECT_EQ(function.unreadable, "");
  return function;
}

Instruction only(const std::string& text) {
  Function function = kernel(text);
  EXPECT_EQ(function.body.size(), 1u) << text;
  return function.body.empty() ? Instruction{} : function.body[0];
}

TEST(Reader, reads_the_head_of_a_module) {
  const Module module =
      read(".version 9.0\n.target sm_75, debug\n.address_size 64\n.file 2 \"b.cu\", 12, 34\n");
  EXPECT_EQ(module.version, "9.0");
  EXPECT_EQ(module.target, "sm_75");
  ASSERT_EQ(module.files.size(), 3u);
  EXPECT_EQ(module.files[2], "b.cu");
}

TEST(Reader, lays_out_parameters_by_alignment) {
  const Module module = read(std::string(test::header) +
                             ".entry k(.param .u8 a, .param .align 8 .b8 b[12], .param .u16 c, "
                             ".param .u64 .ptr .global .align 4 d) .maxntid 128, 2 .minnctapersm 3 { ret; }");
  const Function& k = module.functions.at(0);
  ASSERT_EQ(k.params.size(), 4u);
  EXPECT_EQ(k.params[1].offset, 8u);
  EXPECT_EQ(k.params[1].size, 12u);
  EXPECT_EQ(k.params[1].type, Type::b8);
  EXPECT_EQ(k.params[2].offset, 20u);
  EXPECT_EQ(k.params[3].offset, 24u);
  EXPECT_EQ(k.params[3].align, 8u);
  EXPECT_EQ(k.max_threads, (std::array<std::uint32_t, 3>{128, 2, 1}));
  EXPECT_EQ(k.min_blocks, 3u);
}

TEST(Reader, keeps_operands_in_the_order_of_the_text) {
  const Instruction mad = only("mad.lo.s32 %r1, %r2, -3, %r4;");
  EXPECT_EQ(mad.op, Opcode::mad);
  EXPECT_EQ(mad.mod.type, Type::s32);
  EXPECT_EQ(mad.mod.half, Half::lo);
  ASSERT_EQ(mad.operands.size(), 4u);
  EXPECT_EQ(mad.operands[2].bits, ~std::uint64_t{0} - 2);
  const Function function = kernel("mad.lo.s32 %r1, %r2, -3, %r4;");
  EXPECT_EQ(function.registers.at(mad.operands[0].reg).name, "%r1");
  EXPECT_EQ(function.registers.at(mad.operands[3].reg).name, "%r4");
}

TEST(Reader, reads_every_form_of_integer) {
  EXPECT_EQ(only("mov.u32 %r1, 0xFFu;").operands[1].bits, 255u);
  EXPECT_EQ(only("mov.u32 %r1, 017;").operands[1].bits, 15u);
  EXPECT_EQ(only("mov.u32 %r1, 0b101U;").operands[1].bits, 5u);
  EXPECT_EQ(only("mov.u64 %rd1, 18446744073709551615;").operands[1].bits, ~std::uint64_t{0});
  EXPECT_EQ(only("mov.u32 %r1, WARP_SZ;").operands[1].bits, 32u);
}

TEST(Reader, brings_floating_point_literals_to_the_type_of_their_place) {
  EXPECT_EQ(only("add.f32 %f1, %f2, 0f3F800000;").operands[2].bits, 0x3f800000u);
  EXPECT_EQ(only("add.f32 %f1, %f2, 0d3FF0000000000000;").operands[2].bits, 0x3f800000u);
  EXPECT_EQ(only("add.f32 %f1, %f2, -1.0;").operands[2].bits, 0xbf800000u);
  EXPECT_EQ(only("add.f64 %fd1, %fd2, 0d4000000000000000;").operands[2].bits, 0x4000000000000000u);
  EXPECT_EQ(only("add.f64 %fd1, %fd2, 0f40000000;").operands[2].bits, 0x4000000000000000u);
  EXPECT_EQ(only("mov.b32 %r1, 0f7F800000;").operands[1].bits, 0x7f800000u);
  EXPECT_EQ(only("mov.f32 %f1, 0f7FC00001;").operands[1].bits, 0x7fc00001u);  // the NaN stays as it is
}

TEST(Reader, marks_pairs_of_destinations) {
  const Instruction one = only("setp.lt.s32 %p1, %r1, %r2;");
  EXPECT_FALSE(one.mod.pair);
  EXPECT_EQ(one.operands.size(), 3u);
  const Instruction two = only("setp.ge.and.f32 %p1|%p2, %f1, %f2, !%p3;");
  EXPECT_TRUE(two.mod.pair);
  EXPECT_EQ(two.mod.combine, Combine::and_);
  ASSERT_EQ(two.operands.size(), 5u);
  EXPECT_TRUE(two.operands[4].negated);
  const Instruction shuffle = only("shfl.sync.down.b32 %r1|%p1, %r2, %r3, 31, -1;");
  EXPECT_TRUE(shuffle.mod.pair);
  EXPECT_EQ(shuffle.mod.shuffle, ShuffleMode::down);
  EXPECT_EQ(shuffle.operands.size(), 6u);
}

TEST(Reader, reads_addresses) {
  const Operand by_register = only("ld.global.u32 %r1, [%rd1+-4];").operands[1];
  EXPECT_EQ(by_register.offset, -4);
  EXPECT_NE(by_register.reg, no_index);
  const Operand parameter = only("ld.param.u32 %r1, [k_param_1];").operands[1];
  EXPECT_EQ(parameter.home, Home::params);
  EXPECT_EQ(parameter.index, 1u);
  const Operand shared = only("st.shared.u32 [tile+8], %r1;").operands[0];
  EXPECT_EQ(shared.home, Home::function);
  EXPECT_EQ(shared.offset, 8);
  const Instruction vector = only("ld.global.nc.L1::no_allocate.v4.f32 {%f1, %f2, _, %f4}, [%rd1];");
  EXPECT_TRUE(vector.mod.nc);
  EXPECT_EQ(vector.mod.vector, 4);
  EXPECT_EQ(vector.operands[0].elements.size(), 4u);
  EXPECT_EQ(vector.operands[0].elements[2].kind, Operand::Kind::none);
}

TEST(Reader, unpacks_modifiers) {
  const Instruction convert = only("cvt.rzi.ftz.sat.s32.f32 %r1, %f1;");
  EXPECT_EQ(convert.mod.type, Type::s32);
  EXPECT_EQ(convert.mod.source_type, Type::f32);
  EXPECT_EQ(convert.mod.rounding, Rounding::rzi);
  EXPECT_TRUE(convert.mod.ftz && convert.mod.sat);
  const Instruction atomic = only("atom.acq_rel.gpu.shared.cas.b32 %r1, [tile], %r2, %r3;");
  EXPECT_EQ(atomic.mod.atomic, AtomicOp::cas);
  EXPECT_EQ(atomic.mod.order, Order::acq_rel);
  EXPECT_EQ(atomic.mod.scope, Scope::gpu);
  EXPECT_EQ(atomic.mod.space, Space::shared);
  EXPECT_EQ(only("bar.sync 0;").mod.barrier, BarrierAction::sync);
  EXPECT_EQ(only("membar.gl;").mod.scope, Scope::gpu);
  EXPECT_EQ(only("vote.sync.ballot.b32 %r1, %p1, -1;").mod.vote, VoteMode::ballot);
  EXPECT_TRUE(only("shf.l.wrap.b32 %r1, %r2, %r3, 7;").mod.left);
  EXPECT_TRUE(only("add.cc.u32 %r1, %r2, %r3;").mod.carry_out);
  EXPECT_EQ(only("cp.async.wait_group 0;").mod.rest, ".wait_group");
  EXPECT_EQ(only("bar.warp.sync -1;").op, Opcode::bar_warp_sync);
}

TEST(Reader, resolves_labels_by_scope) {
  const Function function = kernel(
      "bra L;\n"
      "{ @%p1 bra L; pmevent 1; L: pmevent 1; }\n"
      "{ @!%p1 bra L; L: pmevent 1; }\n"
      "L: ret;");
  ASSERT_EQ(function.body.size(), 7u);
  EXPECT_EQ(function.body[0].operands[0].index, 6u);
  EXPECT_EQ(function.body[1].operands[0].index, 3u);
  EXPECT_EQ(function.body[4].operands[0].index, 5u);
  EXPECT_TRUE(function.body[4].guard_negated);
}

TEST(Reader, lets_an_inner_scope_declare_a_name_again) {
  const Function function = kernel(
      "{ .reg .b32 %r1; mov.u32 %r1, 1; } { .reg .f32 %r1; mov.f32 %r1, 0f00000000; } mov.u32 %r1, 2;");
  ASSERT_EQ(function.body.size(), 3u);
  EXPECT_NE(function.body[0].operands[0].reg, function.body[1].operands[0].reg);
  EXPECT_NE(function.body[0].operands[0].reg, function.body[2].operands[0].reg);
}

TEST(Reader, reads_branch_tables) {
  const Function function = kernel("T: .branchtargets A, B, A; brx.idx %r1, T; A: pmevent 1; B: ret;");
  ASSERT_EQ(function.target_lists.size(), 1u);
  EXPECT_EQ(function.target_lists[0], (std::vector<std::uint32_t>{1, 2, 1}));
}

TEST(Reader, reads_calls) {
  const Module module = read(std::string(test::header) +
                             ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
                             ".entry k() { .reg .b32 %r<2>; .reg .b64 %rd<3>;\n"
                             "{ .param .b64 p0; .param .b64 p1; .param .b32 q;\n"
                             "call.uni (q), vprintf, (p0, p1); ld.param.b32 %r1, [q]; }\n"
                             "{ .param .b64 p0; P: .callprototype _ (.param .b64 _);\n"
                             "call %rd1, (p0), P; } ret; }");
  const Function& k = module.functions.at(module.function_index.at("k"));
  ASSERT_EQ(k.unreadable, "");
  const Instruction& direct = k.body.at(0);
  ASSERT_EQ(direct.operands.size(), 3u);
  EXPECT_EQ(direct.operands[0].kind, Operand::Kind::function);
  EXPECT_EQ(module.functions[direct.operands[0].index].name, "vprintf");
  EXPECT_FALSE(module.functions[direct.operands[0].index].has_body);
  EXPECT_EQ(direct.operands[1].elements.size(), 1u);
  EXPECT_EQ(direct.operands[2].elements.size(), 2u);
  const Instruction& indirect = k.body.at(2);
  ASSERT_EQ(indirect.operands.size(), 4u);
  EXPECT_EQ(indirect.operands[3].kind, Operand::Kind::target_list);
}

TEST(Reader, follows_loc_out_of_inlined_functions) {
  const Function function = kernel(
      ".loc 1 10 2\npmevent 1;\n"
      ".loc 1 20 3, function_name $L1, inlined_at 1 10 2\npmevent 1;\n"
      ".loc 2 30 4, function_name $L2, inlined_at 1 20 3\npmevent 1;");
  EXPECT_EQ(function.body[0].at, (SourcePosition{1, 10, 2}));
  EXPECT_EQ(function.body[0].inlined_at, SourcePosition{});
  EXPECT_EQ(function.body[1].inlined_at, (SourcePosition{1, 10, 2}));
  EXPECT_EQ(function.body[2].at, (SourcePosition{2, 30, 4}));
  EXPECT_EQ(function.body[2].inlined_at, (SourcePosition{1, 10, 2}));
}

TEST(Reader, reads_initial_values) {
  const Module module =
      read(std::string(test::header) +
           ".func f(.param .b64 x);\n"
           ".global .align 4 .u32 one = 1;\n"
           ".global .align 4 .f32 pair[2][2] = {{0f3F800000, -1.0}, {2.0}};\n"
           ".const .align 1 .b8 text[] = {104, 105, 0};\n"
           ".global .align 8 .u64 table[3] = {f, one+4, generic(one)+-4};\n"
           ".global .align 8 .b8 bytes[10] = {7, 0xFF(f), 0xFF00(f), 0xFF0000(f), 0xFF000000(f), "
           "0xFF00000000(f), 0xFF0000000000(f), 0xFF000000000000(f), 0xFF00000000000000(f), 9};\n"
           ".extern .shared .align 16 .b8 dynamic[];\n");
  EXPECT_EQ(module.variables[0].init, (std::vector<std::uint8_t>{1, 0, 0, 0}));
  EXPECT_EQ(module.variables[1].init,
            (std::vector<std::uint8_t>{0, 0, 0x80, 0x3f, 0, 0, 0x80, 0xbf, 0, 0, 0, 0x40, 0, 0, 0, 0}));
  EXPECT_EQ(module.variables[2].size, 3u);
  const auto& relocations = module.variables[3].relocations;
  ASSERT_EQ(relocations.size(), 3u);
  EXPECT_TRUE(relocations[0].is_function);
  EXPECT_EQ(relocations[1].at, 8u);
  EXPECT_EQ(relocations[1].offset, 4);
  EXPECT_EQ(relocations[2].offset, -4);
  ASSERT_EQ(module.variables[4].relocations.size(), 1u);
  EXPECT_EQ(module.variables[4].relocations[0].at, 1u);
  EXPECT_EQ(module.variables[4].init.back(), 9);
  EXPECT_TRUE(module.variables[5].is_extern);
  EXPECT_EQ(module.variables[5].size, 0u);
}

TEST(Reader, gives_a_function_one_index_for_declaration_and_definition) {
  const Module module =
      read(std::string(test::header) + ".func f(.param .b32 a);\n.func f(.param .b32 a) { ret; }\n");
  ASSERT_EQ(module.functions.size(), 1u);
  EXPECT_TRUE(module.functions[0].has_body);
}

TEST(Reader, ignores_what_follows_a_nul) {
  std::string text = module_of("ret;");
  text += '\0';
  text += "rubbish";
  EXPECT_EQ(read(text).functions.size(), 1u);
}

}  // namespace
}  // namespace workbook::ptx
