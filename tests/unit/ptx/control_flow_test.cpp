#include "ptx/control_flow.h"

#include <gtest/gtest.h>

#include "ptx/reader.h"
#include "ptx_text.h"

namespace workbook::ptx {
namespace {

ControlFlow flow(const std::string& body) {
  const Module module = read(test::module_of(body));
  EXPECT_EQ(module.functions.at(0).unreadable, "");
  return analyze(module.functions.at(0));
}

TEST(ControlFlow, meets_after_an_if) {
  const ControlFlow f = flow("@%p1 bra L; pmevent 1; pmevent 1; L: pmevent 1; ret;");
  EXPECT_EQ(f.reconvergence[0], 3u);
  EXPECT_EQ(f.reconvergence[1], no_index);
  EXPECT_EQ(f.blocks.size(), 3u);
}

TEST(ControlFlow, meets_after_both_arms) {
  const ControlFlow f = flow("@%p1 bra E; pmevent 1; bra.uni J; E: pmevent 1; J: pmevent 1; ret;");
  EXPECT_EQ(f.reconvergence[0], 4u);
  EXPECT_EQ(f.reconvergence[2], no_index);
}

TEST(ControlFlow, meets_behind_a_loop) {
  const ControlFlow f = flow("H: pmevent 1; @%p1 bra X; pmevent 1; @%p2 bra H; X: ret;");
  EXPECT_EQ(f.reconvergence[1], 4u);
  EXPECT_EQ(f.reconvergence[3], 4u);
}

TEST(ControlFlow, meets_inner_before_outer) {
  const ControlFlow f = flow("@%p1 bra A; @%p2 bra B; pmevent 1; B: pmevent 1; A: ret;");
  EXPECT_EQ(f.reconvergence[0], 4u);
  EXPECT_EQ(f.reconvergence[1], 3u);
}

TEST(ControlFlow, meets_at_the_end_if_there_are_several_exits) {
  const ControlFlow f = flow("@%p1 bra A; ret; A: pmevent 1; ret;");
  EXPECT_EQ(f.reconvergence[0], 4u);
  const ControlFlow guarded = flow("@%p1 ret; pmevent 1; @%p2 exit; pmevent 1; ret;");
  EXPECT_EQ(guarded.reconvergence[0], 5u);
  EXPECT_EQ(guarded.reconvergence[2], 5u);
}

TEST(ControlFlow, meets_after_a_branch_table) {
  const ControlFlow f = flow(
      "T: .branchtargets A, B, C; brx.idx %r1, T; A: pmevent 1; bra J; B: pmevent 1; bra J; C: pmevent 1; J: "
      "ret;");
  EXPECT_EQ(f.reconvergence[0], 6u);
  const ControlFlow one = flow("T: .branchtargets A, A; brx.idx %r1, T; A: ret;");
  EXPECT_EQ(one.reconvergence[0], no_index);
}

TEST(ControlFlow, ties_endless_loops_to_the_end) {
  const ControlFlow f = flow("@%p1 bra L; ret; L: pmevent 1; @%p2 bra M; pmevent 1; M: bra L;");
  EXPECT_EQ(f.reconvergence[0], 6u);
  EXPECT_EQ(f.reconvergence[3], 5u);  // inside the loop lanes still meet
  const ControlFlow all = flow("L: bra L;");
  EXPECT_EQ(all.blocks.at(0).post_dominator, 1u);
}

TEST(ControlFlow, takes_a_label_at_the_end_and_an_empty_body) {
  EXPECT_EQ(flow("@%p1 bra L; pmevent 1; L:").reconvergence[0], 2u);
  EXPECT_TRUE(flow("").blocks.empty());
}

TEST(ControlFlow, every_branch_meets_on_every_way) {
  // Irreducible: two ways into the same loop.
  const ControlFlow f = flow("@%p1 bra B; A: pmevent 1; @%p2 bra X; B: pmevent 1; @%p3 bra A; X: ret;");
  EXPECT_EQ(f.reconvergence[0], 5u);
  EXPECT_EQ(f.reconvergence[2], 5u);
  EXPECT_EQ(f.reconvergence[4], 5u);
}

}  // namespace
}  // namespace workbook::ptx
