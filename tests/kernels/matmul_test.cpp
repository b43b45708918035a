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
  for (const MatMul rung : {rungs::matmul_naive, rungs::matmul_tiled, rungs::matmul_registers}) {
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

std::vector<__half> halves_of(const std::vector<float>& values) {
  std::vector<__half> halves(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) halves[i] = __float2half(values[i]);
  return halves;
}

// Products of halves are exact in float, so only the sums round, as in the float rungs.
TEST(MatMul, TensorCores) {
  for (const MatMulHalf rung : {rungs::matmul_wmma, rungs::matmul_tensor}) {
    for (const auto& [m, n, k] : sizes) {
      SCOPED_TRACE(testing::Message() << m << " x " << n << " x " << k);
      const auto a = halves_of(random_floats(std::size_t(m) * k)),
                 b = halves_of(random_floats(std::size_t(k) * n));
      std::vector<float> expected(std::size_t(m) * n);
      matmul_reference(a.data(), b.data(), expected.data(), m, n, k);
      const DeviceArray<__half> on_a(a), on_b(b);
      const DeviceArray<float> c(expected.size());
      EXPECT_CUDA(rung(on_a.get(), on_b.get(), c.get(), m, n, k, nullptr));
      expect_product(c.fetch(), expected, k);
    }
    EXPECT_EQ(rung(nullptr, nullptr, nullptr, 1, -1, 1, nullptr), cudaErrorInvalidValue);
  }
}

TEST(MatMul, PointersOfAnyAlignment) {
  const int m = 40, n = 48, k = 64;
  const auto a = random_floats(m * k), b = random_floats(k * n);
  const auto half_a = halves_of(a), half_b = halves_of(b);
  std::vector<float> expected(m * n);
  matmul_reference(a.data(), b.data(), expected.data(), m, n, k);
  const DeviceArray<float> on_a(a, 1), on_b(b, 2), c(expected.size(), 3);
  EXPECT_CUDA(rungs::matmul_registers(on_a.get(), on_b.get(), c.get(), m, n, k));
  expect_product(c.fetch(), expected, k);
  matmul_reference(half_a.data(), half_b.data(), expected.data(), m, n, k);
  const DeviceArray<__half> on_half_a(half_a, 1), on_half_b(half_b, 3);
  EXPECT_CUDA(rungs::matmul_tensor(on_half_a.get(), on_half_b.get(), c.get(), m, n, k));
  expect_product(c.fetch(), expected, k);
}

}  // namespace
}  // namespace workbook::kernels::test
