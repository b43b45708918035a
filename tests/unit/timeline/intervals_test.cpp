// Sets of moments: what unions, gaps and overlaps are at their edges.
#include "timeline/intervals.h"

#include <gtest/gtest.h>

namespace workbook::timeline {
namespace {

TEST(Intervals, UniteSortsMergesAndDropsWhatIsEmpty) {
  EXPECT_EQ(unite({{30, 40}, {0, 10}, {5, 20}, {20, 22}, {50, 50}, {70, 60}}),
            (Intervals{{0, 22}, {30, 40}}));
  EXPECT_EQ(unite({{0, 100}, {10, 20}}), (Intervals{{0, 100}}));
  EXPECT_TRUE(unite({}).empty());
}

TEST(Intervals, ClipAndCover) {
  const Intervals set{{0, 10}, {20, 30}, {40, 50}};
  EXPECT_EQ(clip(set, {5, 45}), (Intervals{{5, 10}, {20, 30}, {40, 45}}));
  EXPECT_EQ(covered(set, {5, 45}), 20);
  EXPECT_EQ(covered(set, {10, 20}), 0);
  EXPECT_EQ(covered(set, {-5, 100}), total(set));
  EXPECT_EQ(covered(set, {25, 25}), 0);
}

TEST(Intervals, GapsReachFromEdgeToEdge) {
  const Intervals set{{10, 20}, {30, 40}};
  EXPECT_EQ(complement(set, {0, 50}), (Intervals{{0, 10}, {20, 30}, {40, 50}}));
  EXPECT_EQ(complement(set, {15, 35}), (Intervals{{20, 30}}));
  EXPECT_EQ(complement(set, {10, 20}), Intervals{});
  EXPECT_EQ(complement({}, {3, 7}), (Intervals{{3, 7}}));
}

TEST(Intervals, IntersectKeepsWhatBothHold) {
  EXPECT_EQ(intersect({{0, 10}, {20, 30}}, {{5, 25}}), (Intervals{{5, 10}, {20, 25}}));
  EXPECT_EQ(intersect({{0, 10}}, {{10, 20}}), Intervals{});
}

}  // namespace
}  // namespace workbook::timeline
