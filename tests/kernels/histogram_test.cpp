#include "kernels/histogram/histogram.h"

#include "tests/kernels/fixture.h"

namespace workbook::kernels::test {
namespace {

TEST(Histogram, AllRungs) {
  for (const CountBins rung : {rungs::count_global, rungs::count_shared}) {
    for (const int n : {0, 1, 31, 255, 257, 20011}) {
      for (const int bins : {1, 7, 256, 1000}) {
        for (const int threads : {64, 256}) {
          SCOPED_TRACE(testing::Message() << n << " numbers, " << bins << " bins, blocks of " << threads);
          std::vector<unsigned> in(n), expected(bins);
          for (unsigned& bin : in) bin = source()() % bins;
          histogram_reference(in.data(), expected.data(), n, bins);
          const DeviceArray<unsigned> from(in), counts(std::vector<unsigned>(bins, 0));
          EXPECT_CUDA(rung(from.get(), counts.get(), n, bins, threads, nullptr));
          expect_same(counts.fetch(), expected);
        }
      }
    }
  }
}

}  // namespace
}  // namespace workbook::kernels::test
