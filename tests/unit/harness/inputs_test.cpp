// Inputs are the same for the same seed, and differ by name, salt and seed.
#include "workbook/inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "harness/judge/options.h"

namespace {

using namespace workbook;

TEST(Inputs, SameSeedSameValuesInAnyOrder) {
  Inputs first(7), second(7);
  const auto x = first.floats("x", 100);
  first.ints("k", 3);
  second.bytes("other", 10);
  EXPECT_EQ(second.floats("x", 100), x);
}

TEST(Inputs, NameSaltAndSeedMatter) {
  const auto x = Inputs(7).floats("x", 100);
  EXPECT_NE(Inputs(7).floats("y", 100), x);
  EXPECT_NE(Inputs(8).floats("x", 100), x);
  judge::options().seed = 2;
  EXPECT_NE(Inputs(7).floats("x", 100), x);
  judge::options().seed = 1;
  EXPECT_EQ(Inputs(7).floats("x", 100), x);
}

// The stream itself is part of what a wrong answer's recorded message depends on.
TEST(Inputs, TheStreamIsTheSameEverywhere) {
  const auto k = Inputs(1).ints("k", 3, 0, 1'000'000);
  EXPECT_EQ(k, Inputs(1).ints("k", 3, 0, 1'000'000));
  for (const auto v : k) EXPECT_TRUE(v >= 0 && v <= 1'000'000);
}

TEST(Inputs, FloatsAreInRangeAndNeverZero) {
  for (const float v : Inputs(3).floats("x", 10'000, -1.0f, 1.0f)) {
    EXPECT_NE(v, 0.0f);
    EXPECT_LE(std::abs(v), 1.0f);
  }
}

TEST(Inputs, IntegersReachBothEnds) {
  const auto v = Inputs(3).ints("k", 1000, -2, 2);
  const std::set<int> seen(v.begin(), v.end());
  EXPECT_EQ(seen, (std::set<int>{-2, -1, 0, 1, 2}));
  EXPECT_EQ(Inputs(3).one_of("only", 5, 5), 5);
}

TEST(Sizes, AwkwardOnesAreSortedAndDistinct) {
  const auto sizes = awkward_sizes(256);
  EXPECT_TRUE(std::is_sorted(sizes.begin(), sizes.end()));
  for (const int n : {0, 1, 31, 32, 33, 255, 256, 257, 513, 1000})
    EXPECT_TRUE(std::binary_search(sizes.begin(), sizes.end(), n)) << n;
  EXPECT_EQ(std::adjacent_find(sizes.begin(), sizes.end()), sizes.end());
  EXPECT_EQ(awkward_sizes(1).front(), 0);
}

TEST(Sizes, ShapesArePositiveAndDistinct) {
  std::set<std::pair<int, int>> seen;
  for (const auto [width, height] : awkward_sizes_2d(32, 8)) {
    EXPECT_GT(width, 0);
    EXPECT_GT(height, 0);
    EXPECT_TRUE(seen.emplace(width, height).second) << width << " x " << height;
  }
  EXPECT_TRUE(seen.count({37, 1000}) == 1 && seen.count({1000, 37}) == 1 && seen.count({33, 9}) == 1);
}

}  // namespace
