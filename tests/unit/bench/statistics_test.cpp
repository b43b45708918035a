#include "workbook/statistics.h"

#include <gtest/gtest.h>

#include <random>

namespace workbook {
namespace {

TEST(Statistics, QuantilesLieBetweenValues) {
  EXPECT_EQ(quantile({}, 0.5), 0);
  EXPECT_EQ(quantile({3}, 0.9), 3);
  EXPECT_DOUBLE_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_DOUBLE_EQ(quantile({0, 10}, 0.25), 2.5);
  EXPECT_DOUBLE_EQ(noise({90, 95, 100, 105, 110}), 0.1);
  EXPECT_EQ(noise({}), 0);
}

// The places of a table of the sign test.
TEST(Statistics, IntervalOfAMedian) {
  const struct {
    int n, low, high;
  } rows[] = {{8, 1, 8}, {11, 1, 11}, {15, 3, 13}, {20, 4, 17}, {50, 16, 35}, {100, 37, 64}};
  for (const auto& row : rows) {
    std::vector<double> values;
    for (int i = row.n; i > 0; --i) values.push_back(i);
    const Interval got = median_interval(values, 0.99);
    EXPECT_EQ(got.low, row.low) << row.n;
    EXPECT_EQ(got.high, row.high) << row.n;
  }
  EXPECT_TRUE(std::isinf(median_interval({1, 2, 3, 4, 5, 6, 7}, 0.99).high));
  EXPECT_TRUE(std::isinf(median_interval({}, 0.99).high));
}

TEST(Statistics, IntervalsHoldTheTruthAsOftenAsTheySay) {
  std::mt19937_64 random(1);
  for (const std::size_t n : {9u, 30u, 73u}) {
    int missed = 0;
    for (int i = 0; i < 4000; ++i) {
      std::vector<double> values(n);  // a long tail, median ln 2
      for (double& v : values) v = std::exponential_distribution<double>()(random);
      const Interval got = median_interval(values, 0.99);
      missed += got.low > std::log(2.0) || got.high < std::log(2.0) ? 1 : 0;
    }
    EXPECT_LE(missed, 60) << n;  // 40 are to be expected at most
  }
}

TEST(Statistics, PairsDoNotSeeTheDrift) {
  std::vector<double> a, b;
  for (int i = 0; i < 40; ++i) {
    const double now = 100 + i;
    a.push_back(now);
    b.push_back(now * (i % 7 == 0 ? 3.0 : 1.03));
  }
  const PairedRatio r = paired_ratio(a, b);
  EXPECT_NEAR(r.ratio, 1.03, 1e-9);
  EXPECT_EQ(r.pairs, 40);
  EXPECT_TRUE(r.differs(0.005));
  EXPECT_FALSE(paired_ratio(a, a).differs());
  EXPECT_FALSE(paired_ratio({}, {}).differs());
  EXPECT_EQ(paired_ratio({0, 100}, {1, 50}).pairs, 1);  // a sample without a time is none
}

TEST(Statistics, SettledIsMoreThanLikeTheNeighbour) {
  std::vector<double> falling, still;
  for (int i = 0; i < 30; ++i) falling.push_back(200 - 2 * i);
  EXPECT_FALSE(settled(falling));
  for (int i = 0; i < 14; ++i) still.push_back(100);
  EXPECT_FALSE(settled(still));
  still.push_back(130);  // one unlucky one does not matter
  EXPECT_TRUE(settled(still));
}

}  // namespace
TEST(ToldFrom, AShareOrATimeWhicheverIsMore) {
  EXPECT_DOUBLE_EQ(told_from(100, 0.005, 0.15), 0.005);
  EXPECT_DOUBLE_EQ(told_from(30, 0.005, 0.15), 0.005);
  EXPECT_DOUBLE_EQ(told_from(10, 0.005, 0.15), 0.015);
  EXPECT_DOUBLE_EQ(told_from(10, 0.005, 0), 0.005);
  EXPECT_DOUBLE_EQ(told_from(0, 0.005, 0.15), 0.005);
}

}  // namespace workbook
