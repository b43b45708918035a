#include "kernels/matmul/matmul.h"

#include <cmath>

#include "tests/kernels/fixture.h"

namespace workbook::kernels::test {
namespace {

const int sizes[][3] = {{0, 4, 4},    {4, 0, 4},     {4, 4, 0},      {1, 1, 1},
                        {1, 33, 5},   {31, 32, 33},  {32, 32, 32},   {33, 65, 17},
                        {64, 48, 96}, {40, 100, 70}, {128, 128, 64}, {129, 131, 37}};

// k products of numbers below 1, summed in float: each sum is off by at most k roundings of its magnitude.
void expect_product(const std::vector<float>& got, const std::vector<float>& expected, int k) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], expected[i], (k + 1) * std::ldexp(double(k), -24)) << "element " << i;
  }
}

TEST(MatMul, FloatRungs) {
  for (const MatMul rung : {rungs::matmul_naive, rungs::matmul_tiled}) {
    for (const auto& [m, n, k] : sizes) {
      SCOPED_TRACE(testing::Message() << m << " x " << n << " x " << k);
      const auto a = random_floats(std::size_t(m) * k), b = random_floats(std::size_t(k) * n);
      std::vector<float> expected(std::size_t(m) * n);
      matmul_reference(a.data(), b.data(), expected.data(), m, n, k);
      const DeviceArray<float> on_a(a), on_b(b), c(expected.size());
      EXPECT_CUDA(rung(on_a.get(), on_b.get(), c.get(), m, n, k, nullptr));
      expect_product(c.fetch(), expected, k);
    }
    EXPECT_EQ(rung(nullptr, nullptr, nullptr, -1, 1, 1, nullptr), cudaErrorInvalidValue);
  }
}

}  // namespace
}  // namespace workbook::kernels::test
