#include "kernels/transpose/transpose.h"

#include "tests/kernels/fixture.h"

namespace workbook::kernels::test {
namespace {

const int sizes[][2] = {{0, 0},   {0, 5},   {7, 0},   {1, 1},     {1, 37},   {37, 1},   {31, 33},
                        {32, 32}, {33, 65}, {64, 64}, {37, 1000}, {100, 68}, {65, 129}, {4, 260}};

void check(Transpose transpose, int rows, int columns, std::size_t offset = 0) {
  SCOPED_TRACE(testing::Message() << rows << " x " << columns << ", offset " << offset);
  const auto in = numbered<float>(std::size_t(rows) * columns);
  std::vector<float> expected(in.size());
  transpose_reference(in.data(), expected.data(), rows, columns);
  const DeviceArray<float> from(in, offset), to(in.size());
  EXPECT_CUDA(transpose(from.get(), to.get(), rows, columns, nullptr));
  expect_same(to.fetch(), expected);
}

TEST(Transpose, AllRungs) {
  for (const Transpose rung : {rungs::transpose_naive, rungs::transpose_tile, rungs::transpose_padded,
                               rungs::transpose_swizzled, transpose}) {
    for (const auto& [rows, columns] : sizes) {
      check(rung, rows, columns);
      check(rung, rows, columns, 1);
    }
    EXPECT_EQ(rung(nullptr, nullptr, -1, 4, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(rung(nullptr, nullptr, 4, -1, nullptr), cudaErrorInvalidValue);
  }
}

TEST(Transpose, VectorsTakeMultiplesOfFour) {
  for (const Transpose rung : {rungs::transpose_vector, rungs::transpose_staged}) {
    for (const auto& [rows, columns] : sizes) {
      if (rows % 4 == 0 && columns % 4 == 0) check(rung, rows, columns);
    }
    const DeviceArray<float> from(64), to(64);
    EXPECT_EQ(rung(from.get(), to.get(), 5, 8, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(rung(from.get(), to.get(), 8, 6, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(rung(from.get() + 1, to.get(), 4, 4, nullptr), cudaErrorInvalidValue);
  }
}

// More tiles in y than a grid may have: the kernels loop.
TEST(Transpose, TallerThanAGrid) {
  for (const Transpose rung : {rungs::transpose_naive, rungs::transpose_padded})
    check(rung, 65535 * 32 + 70, 1);
}

}  // namespace
}  // namespace workbook::kernels::test
