#include "kernels/reduction/reduction.h"

#include <cmath>

#include "tests/kernels/fixture.h"

namespace workbook::kernels::test {
namespace {

void check(Sum sum, std::size_t count, std::size_t offset) {
  SCOPED_TRACE(testing::Message() << count << " elements, offset " << offset);
  const auto in = random_floats(count);
  double magnitudes = 0;
  for (const float value : in) magnitudes += std::fabs(value);
  const DeviceArray<float> from(in, offset), to(1);
  for (int run = 0; run < 2; ++run) {  // the second finds the first one's result in its place
    EXPECT_CUDA(sum(from.get(), to.get(), count, nullptr));
    const float got = to.fetch()[0];
    EXPECT_NEAR(got, sum_reference(in.data(), count), sum_error_bound(double(count), magnitudes));
  }
}

TEST(Sum, AllRungs) {
  for (const Sum rung : {rungs::sum_atomic, rungs::sum_tree, rungs::sum_shuffle, rungs::sum_vector}) {
    for (const std::size_t count : {0, 1, 3, 31, 32, 33, 255, 256, 257, 1009, 4096, 20011}) {
      for (const std::size_t offset : {0, 1, 3}) check(rung, count, offset);
    }
  }
}

TEST(Sum, MoreThanOneTurnOfTheLoop) {
  check(sum, 5'000'003, 1);
}

// Whole numbers are exact in any order: an element that is lost or counted twice shows, however small.
TEST(Sum, EveryElementOnce) {
  for (const Sum rung : {rungs::sum_tree, rungs::sum_shuffle, rungs::sum_vector}) {
    const std::size_t count = 300'007;
    std::vector<float> in(count);
    double expected = 0;
    for (std::size_t i = 0; i < count; ++i) expected += in[i] = float(i % 8 + 1);
    const DeviceArray<float> from(in, 1), to(1);
    EXPECT_CUDA(rung(from.get(), to.get(), count, nullptr));
    EXPECT_EQ(to.fetch()[0], expected);
  }
}

}  // namespace
}  // namespace workbook::kernels::test
