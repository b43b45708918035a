// Every pattern of a difference, and what counts as equal.
#include "workbook/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace {

using namespace workbook;

template <class T>
Difference differ(const std::vector<T>& got, const std::vector<T>& expected,
                  const CompareContext& context = {}, const Tolerance& tolerance = exact()) {
  return compare(describe_type<T>(), got.data(), expected.data(), expected.size(), tolerance, context);
}

// No two alike, none zero.
std::vector<float> ramp(std::size_t n, float from = 1) {
  std::vector<float> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = from + 0.5f * static_cast<float>((i * 7919) % 10007);
  return v;
}

void poison(std::vector<float>& v, std::size_t first, std::size_t last) {
  std::memset(static_cast<void*>(v.data() + first), 0xff, (last - first) * sizeof(float));
}

const float nan_value = std::numeric_limits<float>::quiet_NaN();
const float infinity = std::numeric_limits<float>::infinity();

TEST(Tolerance, ExactIsExactAndRelativeIsRelative) {
  EXPECT_FALSE(differ<float>({1, 2}, {1, 2}).differs);
  EXPECT_TRUE(differ<float>({1, 2.0001f}, {1, 2}).differs);
  EXPECT_FALSE(differ<float>({1, 2.0001f}, {1, 2}, {}, within(1e-3)).differs);
  EXPECT_TRUE(differ<float>({1, 2.01f}, {1, 2}, {}, within(1e-3)).differs);
}

TEST(Tolerance, NanEqualsOnlyNanAndNeverPasses) {
  EXPECT_FALSE(differ<float>({nan_value}, {nan_value}).differs);
  EXPECT_TRUE(differ<float>({nan_value}, {1}, {}, within(1e9, 1e9)).differs);
  EXPECT_TRUE(differ<float>({1}, {nan_value}, {}, within(1e9, 1e9)).differs);
}

TEST(Tolerance, InfinityEqualsOnlyItself) {
  EXPECT_FALSE(differ<float>({infinity}, {infinity}, {}, within(1e-3)).differs);
  EXPECT_TRUE(differ<float>({1}, {infinity}, {}, within(1e-3)).differs);
  EXPECT_TRUE(differ<float>({-infinity}, {infinity}, {}, within(1e-3)).differs);
  EXPECT_TRUE(differ<float>({infinity}, {1}, {}, within(1e-3)).differs);
}

TEST(Tolerance, BitsTellTheZerosApart) {
  EXPECT_FALSE(differ<float>({-0.0f}, {0.0f}).differs);
  EXPECT_TRUE(differ<float>({-0.0f}, {0.0f}, {}, same_bits()).differs);
  EXPECT_FALSE(differ<float>({-nan_value}, {nan_value}, {}, same_bits()).differs);
}

TEST(Tolerance, IntegersOfEverySize) {
  EXPECT_TRUE(differ<std::int64_t>({1LL << 60}, {(1LL << 60) + 1}).differs);
  EXPECT_TRUE(differ<std::uint8_t>({3}, {4}).differs);
  EXPECT_FALSE(differ<std::int16_t>({-3}, {-3}).differs);
}

TEST(Pattern, NoneIsCalledValues) {
  auto expected = ramp(100), got = expected;
  got[17] += 1;
  got[60] -= 3;
  const auto d = differ(got, expected);
  EXPECT_EQ(d.code, "values");
  EXPECT_EQ(d.first, 17u);
  EXPECT_EQ(d.wrong, 2u);
  EXPECT_TRUE(d.pattern.empty());
}

TEST(Pattern, NothingWritten) {
  auto expected = ramp(100), got = expected;
  poison(got, 0, 100);
  const auto d = differ(got, expected);
  EXPECT_EQ(d.code, "pattern.poison");
  EXPECT_EQ(d.got, "poison (never written)");
}

TEST(Pattern, TailNeverWritten) {
  auto expected = ramp(1000), got = expected;
  poison(got, 768, 1000);
  const auto d = differ(got, expected);
  EXPECT_EQ(d.code, "pattern.tail");
  EXPECT_NE(d.pattern.find("768 of 1000"), std::string::npos) << d.pattern;
  EXPECT_NE(d.pattern.find("232 elements"), std::string::npos) << d.pattern;
}

TEST(Pattern, TailUnchanged) {
  auto expected = ramp(1000), before = ramp(1000, 3), got = expected;
  std::copy(before.begin() + 999, before.end(), got.begin() + 999);
  EXPECT_EQ(differ(got, expected, {.before = before.data()}).code, "pattern.tail");
}

TEST(Pattern, BytesForElements) {
  for (const std::size_t n : {33u, 1000u, 4u, 7u}) {
    auto expected = ramp(n), got = expected;
    poison(got, 0, n);
    std::memcpy(got.data(), expected.data(), n);  // n bytes, not n floats
    const auto d = differ(got, expected);
    EXPECT_EQ(d.code, "pattern.bytes") << n;
    EXPECT_EQ(d.first, n / 4) << n;
  }
}

TEST(Pattern, AllZero) {
  EXPECT_EQ(differ(std::vector<float>(50), ramp(50)).code, "pattern.zero");
}

TEST(Pattern, UnchangedInput) {
  const auto before = ramp(50, 9);
  EXPECT_EQ(differ(before, ramp(50), {.before = before.data()}).code, "pattern.input");
}

TEST(Pattern, ShiftedBothWays) {
  const auto expected = ramp(100);
  for (const int k : {1, -1, 32, -7}) {
    std::vector<float> got(100, -5.0f);
    for (int i = 0; i < 100; ++i) {
      if (i + k >= 0 && i + k < 100)
        got[static_cast<std::size_t>(i)] = expected[static_cast<std::size_t>(i + k)];
    }
    const auto d = differ(got, expected);
    EXPECT_EQ(d.code, "pattern.shifted") << k;
    EXPECT_NE(d.pattern.find(k > 0 ? "early" : "late"), std::string::npos) << d.pattern;
  }
}

TEST(Pattern, Transposed) {
  const std::size_t width = 7, height = 5;
  const auto expected = ramp(width * height);
  std::vector<float> got(width * height);
  for (std::size_t r = 0; r < height; ++r) {
    for (std::size_t c = 0; c < width; ++c) got[c * height + r] = expected[r * width + c];
  }
  EXPECT_EQ(differ(got, expected, {.width = 7}).code, "pattern.transposed");
  EXPECT_EQ(differ(got, expected).code, "values");
}

TEST(Pattern, StaleFromTheCallBefore) {
  const auto previous = ramp(100, 50), expected = ramp(80);
  auto got = expected;
  std::copy(previous.begin() + 70, previous.begin() + 80, got.begin() + 70);
  CompareContext context;
  context.previous = previous.data();
  context.previous_count = previous.size();
  EXPECT_EQ(differ(got, expected, context).code, "pattern.stale");
}

TEST(Pattern, EdgesOfBlocks) {
  for (const std::size_t edge : {0u, 255u}) {
    const auto expected = ramp(2000);
    auto got = expected;
    for (std::size_t i = edge; i < 2000; i += 256) got[i] += 1000;
    const auto d = differ(got, expected);
    EXPECT_EQ(d.code, "pattern.block") << edge;
    EXPECT_NE(d.pattern.find("256"), std::string::npos) << d.pattern;
  }
}

TEST(Pattern, NanCluster) {
  const auto expected = ramp(100);
  auto got = expected;
  for (std::size_t i = 40; i < 45; ++i) got[i] = nan_value;
  EXPECT_EQ(differ(got, expected).code, "pattern.nan");
}

TEST(Pattern, SomeElementsNeverWritten) {
  const auto expected = ramp(100);
  auto got = expected;
  poison(got, 3, 4);
  poison(got, 50, 52);
  EXPECT_EQ(differ(got, expected).code, "pattern.poison");
}

TEST(Pattern, OneByteOfOnesIsAValue) {
  std::vector<std::uint8_t> expected{1, 2, 3, 4, 5, 6}, got = expected;
  got[2] = 255;
  const auto d = differ(got, expected);
  EXPECT_EQ(d.code, "values");
  EXPECT_EQ(d.got, "255");
}

TEST(Pattern, AnArrayThatIsConstantIsNotShifted) {
  const std::vector<float> expected(50, 2.0f), got(50, 3.0f);
  EXPECT_EQ(differ(got, expected).code, "values");
}

TEST(Layout, RowAndColumn) {
  EXPECT_EQ(at(10)(37), "row 3, column 7");
}

}  // namespace
