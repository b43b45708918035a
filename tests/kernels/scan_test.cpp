#include "kernels/scan/scan.h"

#include "tests/kernels/fixture.h"

namespace workbook::kernels::test {
namespace {

void check(Scan scan, std::size_t count, std::size_t offset) {
  SCOPED_TRACE(testing::Message() << count << " numbers, offset " << offset);
  std::vector<unsigned> in(count), expected(count);
  for (unsigned& number : in) number = source()();  // the sums wrap
  scan_reference(in.data(), expected.data(), count);
  const DeviceArray<unsigned> from(in, offset), to(count);
  const DeviceArray<unsigned char> workspace(scan_workspace(count));
  for (int run = 0; run < 2; ++run) {  // the second finds the first one's marks
    EXPECT_CUDA(scan(from.get(), to.get(), count, workspace.get(), nullptr));
    expect_same(to.fetch(), expected);
  }
  workspace.fetch();
}

TEST(Scan, AllRungs) {
  for (const Scan rung :
       {rungs::scan_passes, rungs::scan_blocks, rungs::scan_reduce_first, rungs::scan_look_back}) {
    for (const std::size_t count : {0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 4095, 4096, 4097, 20011, 70000}) {
      for (const std::size_t offset : {0, 1}) check(rung, count, offset);
    }
  }
}

// More than 32 tiles: the look-back takes several steps, and the sums of the tiles more than one tile.
TEST(Scan, ManyTiles) {
  for (const Scan rung : {rungs::scan_reduce_first, rungs::scan_look_back}) check(rung, 333'333, 0);
  check(rungs::scan_reduce_first, 4096 * 4100 + 5, 0);
}

}  // namespace
}  // namespace workbook::kernels::test
