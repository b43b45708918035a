#include "kernels/elementwise/saxpy.h"
#include "kernels/elementwise/vector_add.h"
#include "tests/kernels/fixture.h"

namespace workbook::kernels::test {
namespace {

const int sizes[] = {0, 1, 3, 4, 5, 31, 32, 33, 255, 256, 257, 1023, 2047, 2048, 2049, 10007};

TEST(VectorAdd, AllRungs) {
  for (const VectorAdd add : {rungs::vector_add_scalar, rungs::vector_add_stride, rungs::vector_add_vector}) {
    for (const int n : sizes) {
      for (const std::size_t offset : {0, 1}) {
        SCOPED_TRACE(testing::Message() << n << " elements, offset " << offset);
        const auto a = random_floats(n), b = random_floats(n);
        std::vector<float> expected(n);
        vector_add_reference(a.data(), b.data(), expected.data(), n);
        const DeviceArray<float> on_a(a), on_b(b, offset), c(n);
        EXPECT_CUDA(add(on_a.get(), on_b.get(), c.get(), n, nullptr));
        expect_same(c.fetch(), expected);
      }
    }
    EXPECT_EQ(add(nullptr, nullptr, nullptr, -1, nullptr), cudaErrorInvalidValue);
  }
}

TEST(Saxpy, FusesLikeItsReference) {
  for (const int n : sizes) {
    const auto x = random_floats(n);
    auto y = random_floats(n);
    const DeviceArray<float> on_x(x), on_y(y);
    saxpy_reference(n, 1.7f, x.data(), y.data());
    EXPECT_CUDA(saxpy(n, 1.7f, on_x.get(), on_y.get()));
    expect_same(on_y.fetch(), y);
  }
}

}  // namespace
}  // namespace workbook::kernels::test
