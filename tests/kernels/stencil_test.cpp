#include "kernels/stencil/stencil.h"

#include "tests/kernels/fixture.h"

namespace workbook::kernels::test {
namespace {

TEST(Stencil, OneDimension) {
  for (const Stencil1d rung : {rungs::stencil_1d_global, rungs::stencil_1d_shared}) {
    for (const int n : {0, 1, 2, 31, 32, 33, 255, 256, 257, 1009}) {
      for (const int radius : {0, 1, 3, 32}) {
        SCOPED_TRACE(testing::Message() << n << " elements, radius " << radius);
        const auto in = random_floats(n);
        std::vector<float> expected(n);
        stencil_1d_reference(in.data(), expected.data(), n, radius);
        const DeviceArray<float> from(in), to(n);
        EXPECT_CUDA(rung(from.get(), to.get(), n, radius, nullptr));
        expect_same(to.fetch(), expected);
      }
    }
    EXPECT_EQ(rung(nullptr, nullptr, 5, most_stencil_radius + 1, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(rung(nullptr, nullptr, 5, -1, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(rung(nullptr, nullptr, -5, 1, nullptr), cudaErrorInvalidValue);
  }
}

TEST(Stencil, TwoDimensions) {
  const int sizes[][2] = {{0, 3}, {1, 1}, {1, 37}, {37, 1}, {2, 2}, {31, 33}, {32, 32}, {33, 65}, {37, 1000}};
  for (const Stencil2d rung : {rungs::stencil_2d_global, rungs::stencil_2d_shared}) {
    for (const auto& [rows, columns] : sizes) {
      SCOPED_TRACE(testing::Message() << rows << " x " << columns);
      const auto in = random_floats(std::size_t(rows) * columns);
      std::vector<float> expected(in.size());
      stencil_2d_reference(in.data(), expected.data(), rows, columns, 0.23f);
      const DeviceArray<float> from(in), to(in.size());
      EXPECT_CUDA(rung(from.get(), to.get(), rows, columns, 0.23f, nullptr));
      expect_same(to.fetch(), expected);
    }
    EXPECT_EQ(rung(nullptr, nullptr, -1, 5, 0.1f, nullptr), cudaErrorInvalidValue);
  }
}

}  // namespace
}  // namespace workbook::kernels::test
