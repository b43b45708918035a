#include "kernels/copy/copy.h"

#include "tests/kernels/fixture.h"

namespace workbook::kernels::test {
namespace {

const std::size_t sizes[] = {0,  1,   2,   3,   15,   16,   17,    31,    32,   33,
                             63, 255, 256, 257, 1000, 4096, 16384, 16389, 65537};

TEST(Copy, AnySizeAtAnyAlignment) {
  const std::size_t offsets[][2] = {{0, 0}, {1, 0}, {0, 1}, {3, 7}, {4, 4}, {4, 8}, {2, 15}, {13, 13}};
  for (const std::size_t bytes : sizes) {
    const auto from = random_bytes(bytes);
    for (const auto& [a, b] : offsets) {
      SCOPED_TRACE(testing::Message() << bytes << " bytes, offsets " << a << " and " << b);
      const DeviceArray<unsigned char> in(from, a), out(bytes, b);
      EXPECT_CUDA(copy(in.get(), out.get(), bytes));
      expect_same(out.fetch(), from);
    }
  }
}

TEST(Copy, ElementsOfEverySize) {
  for (const int element : {1, 2, 4, 8, 16}) {
    for (const std::size_t count : {0, 1, 31, 32, 33, 255, 256, 257, 1009}) {
      SCOPED_TRACE(testing::Message() << count << " elements of " << element << " bytes");
      const auto from = random_bytes(count * element);
      const DeviceArray<unsigned char> in(from), out(from.size());
      EXPECT_CUDA(rungs::copy_elements(in.get(), out.get(), count, element));
      expect_same(out.fetch(), from);
    }
  }
}

// Allocations without guards: the simulated device reports a read outside of them.
TEST(Copy, ShiftedReadsNothingOutside) {
  for (std::size_t bytes = 0; bytes < 70; ++bytes) {
    const auto from = random_bytes(bytes);
    for (std::size_t offset = 0; offset < 4; ++offset) {
      void *in = nullptr, *out = nullptr;
      ASSERT_EQ(cudaMalloc(&in, bytes + offset + 1), cudaSuccess);
      ASSERT_EQ(cudaMalloc(&out, bytes + 1), cudaSuccess);
      auto* const first = static_cast<unsigned char*>(in) + offset;
      ASSERT_EQ(cudaMemcpy(first, from.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
      EXPECT_CUDA(rungs::copy_shifted(first, out, bytes));
      std::vector<unsigned char> got(bytes);
      ASSERT_EQ(cudaMemcpy(got.data(), out, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
      expect_same(got, from);
      cudaFree(in);
      cudaFree(out);
    }
  }
}

TEST(Copy, RefusesWhatDoesNotFit) {
  const DeviceArray<unsigned char> in(64), out(64);
  EXPECT_EQ(rungs::copy_elements(in.get(), out.get(), 4, 3), cudaErrorInvalidValue);
  EXPECT_EQ(rungs::copy_elements(in.get() + 2, out.get(), 4, 4), cudaErrorInvalidValue);
  EXPECT_EQ(rungs::copy_vector(in.get() + 8, out.get(), 32), cudaErrorInvalidValue);
}

}  // namespace
}  // namespace workbook::kernels::test
