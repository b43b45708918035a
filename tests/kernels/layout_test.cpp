#include "kernels/layout/layout.h"

#include "tests/kernels/fixture.h"

namespace workbook::kernels::test {
namespace {

struct Size {
  int n, c, h, w;
};
const Size sizes[] = {
    {0, 3, 4, 5},    {2, 0, 4, 5},   {2, 3, 0, 5},   {1, 1, 1, 1},    {3, 1, 5, 7},   {5, 7, 1, 1},
    {2, 3, 5, 7},    {2, 3, 8, 16},  {1, 3, 41, 37}, {2, 2, 9, 11},   {3, 8, 7, 7},   {2, 17, 5, 9},
    {2, 32, 7, 7},   {1, 32, 16, 8}, {2, 33, 5, 7},  {1, 64, 12, 12}, {2, 65, 3, 11}, {1, 72, 8, 8},
    {1, 100, 6, 20}, {1, 256, 7, 7}, {1, 6, 16, 16}, {1, 130, 4, 16}, {3, 48, 31, 2},
};

template <class T>
using Reference = void (*)(const T*, T*, int, int, int, int);

template <class T>
void check(Layout<T> convert, Reference<T> reference, const Size& s, std::size_t offset = 0) {
  SCOPED_TRACE(testing::Message() << s.n << " x " << s.c << " x " << s.h << " x " << s.w << ", " << sizeof(T)
                                  << " bytes, offset " << offset);
  const auto in = numbered<T>(std::size_t(s.n) * s.c * s.h * s.w);
  std::vector<T> expected(in.size());
  reference(in.data(), expected.data(), s.n, s.c, s.h, s.w);
  const DeviceArray<T> from(in, offset), to(in.size());
  EXPECT_CUDA(convert(from.get(), to.get(), s.n, s.c, s.h, s.w, nullptr));
  expect_same(to.fetch(), expected);
}

template <class T>
void check_rungs() {
  const Layout<T> to_nhwc[] = {rungs::nchw_to_nhwc_naive<T>, rungs::nchw_to_nhwc_tile<T>, nchw_to_nhwc};
  const Layout<T> to_nchw[] = {rungs::nhwc_to_nchw_naive<T>, rungs::nhwc_to_nchw_tile<T>, nhwc_to_nchw};
  for (const Size& size : sizes) {
    for (const Layout<T> rung : to_nhwc) check<T>(rung, nchw_to_nhwc_reference<T>, size);
    for (const Layout<T> rung : to_nchw) check<T>(rung, nhwc_to_nchw_reference<T>, size);
  }
  check<T>(nchw_to_nhwc, nchw_to_nhwc_reference<T>, {2, 24, 8, 8}, 1);
  check<T>(nhwc_to_nchw, nhwc_to_nchw_reference<T>, {2, 24, 8, 8}, 1);
  for (const Layout<T> rung : to_nhwc) {
    EXPECT_EQ(rung(nullptr, nullptr, -1, 3, 4, 4, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(rung(nullptr, nullptr, 1, 3, 1 << 16, 1 << 15, nullptr), cudaErrorInvalidValue);
  }
}

TEST(Layout, AllRungsInFloat) {
  check_rungs<float>();
}

TEST(Layout, AllRungsInHalf) {
  check_rungs<__half>();
}

}  // namespace
}  // namespace workbook::kernels::test
