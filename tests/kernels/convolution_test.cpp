#include "kernels/convolution/convolution.h"

#include <cmath>

#include "tests/kernels/fixture.h"

namespace workbook::kernels::test {
namespace {

struct Size {
  int n, h, w, c, k;
};
const Size sizes[] = {{0, 4, 4, 8, 8},    {2, 4, 4, 0, 8},   {2, 4, 4, 8, 0},   {1, 1, 1, 1, 1},
                      {1, 7, 7, 16, 16},  {2, 7, 7, 17, 5},  {3, 5, 3, 33, 40}, {1, 16, 8, 64, 64},
                      {2, 9, 7, 72, 130}, {1, 3, 50, 8, 256}};

std::vector<__half> random_halves(std::size_t count) {
  std::vector<__half> values(count);
  for (__half& value : values) value = __float2half(random_floats(1)[0]);
  return values;
}

TEST(Convolution, AllRungs) {
  for (const Convolution1x1 rung : {rungs::conv_1x1_naive, rungs::conv_1x1_tiled, rungs::conv_1x1_tensor}) {
    for (const Size& s : sizes) {
      SCOPED_TRACE(testing::Message()
                   << s.n << " x " << s.h << " x " << s.w << " x " << s.c << ", " << s.k << " filters");
      const std::size_t pixels = std::size_t(s.n) * s.h * s.w;
      const auto in = random_halves(pixels * s.c), weights = random_halves(std::size_t(s.k) * s.c);
      std::vector<__half> expected(pixels * s.k);
      conv_1x1_reference(in.data(), weights.data(), expected.data(), s.n, s.h, s.w, s.c, s.k);
      const DeviceArray<__half> on_in(in), on_weights(weights), out(expected.size());
      EXPECT_CUDA(rung(on_in.get(), on_weights.get(), out.get(), s.n, s.h, s.w, s.c, s.k, nullptr));
      const auto got = out.fetch();
      for (std::size_t i = 0; i < got.size(); ++i) {
        const float want = __half2float(expected[i]);
        ASSERT_NEAR(__half2float(got[i]), want, std::fabs(want) * 0x1p-10 + s.c * 0x1p-20) << "element " << i;
      }
    }
    EXPECT_EQ(rung(nullptr, nullptr, nullptr, 1, 1, -1, 1, 1, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(rung(nullptr, nullptr, nullptr, 2, 1 << 15, 1 << 15, 1, 1, nullptr), cudaErrorInvalidValue);
  }
}

}  // namespace
}  // namespace workbook::kernels::test
