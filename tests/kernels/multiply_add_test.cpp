#include "kernels/multiply_add/multiply_add.h"

#include "tests/kernels/fixture.h"

namespace workbook::kernels::test {
namespace {

TEST(MultiplyAdd, AllRungs) {
  for (const MultiplyAdd rung :
       {rungs::multiply_add_loop, rungs::multiply_add_unrolled, MultiplyAdd{multiply_add}}) {
    for (const int n : {0, 1, 31, 255, 256, 257, 1009}) {
      for (const int rounds : {0, 1, 63, 64, 65, 200}) {
        SCOPED_TRACE(testing::Message() << n << " numbers, " << rounds << " rounds");
        auto x = random_floats(n);
        const DeviceArray<float> on_x(x);
        multiply_add_reference(x.data(), n, 0.75f, 0.3f, rounds);
        EXPECT_CUDA(rung(on_x.get(), n, 0.75f, 0.3f, rounds, nullptr));
        expect_same(on_x.fetch(), x);
      }
    }
    EXPECT_EQ(rung(nullptr, -1, 1, 1, 1, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(rung(nullptr, 1, 1, 1, -1, nullptr), cudaErrorInvalidValue);
  }
}

}  // namespace
}  // namespace workbook::kernels::test
