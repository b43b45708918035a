#include "kernels/preprocess/preprocess.h"

#include "tests/kernels/fixture.h"

namespace workbook::kernels::test {
namespace {

const Normalisation how{{0.0171f, 0.0175f, 0.0174f}, {-2.1179f, -2.0357f, -1.8044f}};
const int sizes[][3] = {{0, 4, 4},  {1, 1, 1},  {1, 1, 31},  {2, 5, 7},
                        {1, 8, 16}, {3, 16, 8}, {1, 37, 29}, {2, 32, 40}};

void check(Preprocess prepare, int n, int h, int w, std::size_t offset) {
  SCOPED_TRACE(testing::Message() << n << " x " << h << " x " << w << ", offset " << offset);
  const std::size_t pixels = std::size_t(n) * h * w;
  const auto in = random_bytes(3 * pixels);
  std::vector<__half> expected(preprocess_channels * pixels);
  preprocess_reference(in.data(), expected.data(), n, h, w, how);
  const DeviceArray<unsigned char> from(in, offset);
  const DeviceArray<__half> to(expected.size());
  EXPECT_CUDA(prepare(from.get(), to.get(), n, h, w, how, nullptr));
  expect_same(to.fetch(), expected);
}

cudaError_t eager(const unsigned char* in, __half* out, int n, int h, int w, Normalisation normalisation,
                  cudaStream_t stream) {
  const DeviceArray<float> floats(std::size_t(3) * n * h * w);
  const DeviceArray<__half> halves(std::size_t(3) * n * h * w);
  return rungs::preprocess_eager(in, out, n, h, w, normalisation, floats.get(), halves.get(), stream);
}

TEST(Preprocess, AllRungs) {
  for (const Preprocess rung :
       {Preprocess(eager), Preprocess(rungs::preprocess_fused), Preprocess(preprocess)}) {
    for (const auto& [n, h, w] : sizes) {
      for (const std::size_t offset : {0, 1}) check(rung, n, h, w, offset);
    }
  }
}

TEST(Preprocess, RefusesWhatDoesNotFit) {
  const DeviceArray<unsigned char> in(3);
  const DeviceArray<__half> out(16);
  for (const Preprocess rung : {rungs::preprocess_fused, rungs::preprocess_staged, preprocess}) {
    EXPECT_EQ(rung(in.get(), out.get() + 1, 1, 1, 1, how, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(rung(in.get(), out.get(), 1, -1, 1, how, nullptr), cudaErrorInvalidValue);
  }
}

}  // namespace
}  // namespace workbook::kernels::test
