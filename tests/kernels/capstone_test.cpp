// The device's side of the capstone: both ways to make the model's input give the same, and the model's score
// is what the host works out.
#include "kernels/capstone/capstone.h"

#include <cmath>

#include "tests/kernels/fixture.h"

namespace workbook::kernels::test {
namespace {

using capstone::Normalisation;
using capstone::Pictures;

const Pictures shapes[] = {{0, 4, 2},   {1, 1, 1},  {1, 7, 7},    {3, 10, 7},
                           {2, 33, 31}, {5, 16, 8}, {1, 260, 256}};
const Normalisation how{{0.0171f, 0.0175f, 0.0174f}, {-2.118f, -2.036f, -1.804f}};

// 8 halves a pixel, computed on the host: channel c of the pixel in the middle of its picture.
std::vector<float> expected_input(const std::vector<unsigned char>& bytes, const Pictures& p) {
  std::vector<float> out;
  const int edge = (p.stored - p.side) / 2;
  for (int picture = 0; picture < p.count; ++picture) {
    for (int row = 0; row < p.side; ++row) {
      for (int column = 0; column < p.side; ++column) {
        const std::size_t pixel = (std::size_t(picture) * p.stored + edge + row) * p.stored + edge + column;
        for (int c = 0; c < 8; ++c)
          out.push_back(c < 3 ? bytes[3 * pixel + c] * how.scale[c] + how.bias[c] : 0.0f);
      }
    }
  }
  return out;
}

void expect_input(const std::vector<__half>& got, const std::vector<float>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    // Half a step of a half near 2, and whether product and sum were rounded together.
    ASSERT_NEAR(__half2float(got[i]), expected[i], 0x1p-10 + std::fabs(expected[i]) * 0x1p-11)
        << "number " << i;
    if (i % 8 >= 3) {
      ASSERT_EQ(__half2float(got[i]), 0.0f) << "number " << i;
    }
  }
}

TEST(Capstone, OneKernelMakesTheModelsInput) {
  for (const Pictures& p : shapes) {
    SCOPED_TRACE(testing::Message() << p.count << " pictures, " << p.side << " of " << p.stored);
    const auto bytes = random_bytes(p.bytes());
    const DeviceArray<unsigned char> in(bytes);
    const DeviceArray<__half> out(8 * p.pixels());
    EXPECT_CUDA(capstone::preprocess_fused(in.get(), out.get(), p, how, nullptr));
    expect_input(out.fetch(), expected_input(bytes, p));
  }
}

TEST(Capstone, StepByStepAndConvertedIsTheSame) {
  for (const Pictures& p : shapes) {
    SCOPED_TRACE(testing::Message() << p.count << " pictures, " << p.side << " of " << p.stored);
    const auto bytes = random_bytes(p.bytes());
    const DeviceArray<unsigned char> in(bytes);
    const DeviceArray<__half> planes(3 * p.pixels()), out(8 * p.pixels());
    const DeviceArray<float> floats(3 * p.pixels());
    EXPECT_CUDA(capstone::preprocess_step_by_step(in.get(), planes.get(), floats.get(), p, how, nullptr));
    EXPECT_CUDA(capstone::to_nhwc(planes.get(), out.get(), p, nullptr));
    expect_input(out.fetch(), expected_input(bytes, p));
  }
}

TEST(Capstone, EveryScoreFollowsFromTheInputAndTheOneBefore) {
  for (const std::size_t pixels : {0, 1, 31, 255, 256, 257, 5000}) {
    SCOPED_TRACE(testing::Message() << pixels << " pixels");
    const DeviceArray<std::uint64_t> numbers(std::vector<std::uint64_t>{0, 12345, 0});  // sum, state, score
    std::uint64_t* const d = numbers.get();
    std::uint64_t state = 12345;
    for (const int rounds : {0, 1, 100}) {
      const auto bytes = random_bytes(pixels * 16);
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < bytes.size() / 4; ++i) {
        std::uint32_t word = 0;
        std::memcpy(&word, &bytes[4 * i], 4);
        sum += word * (2 * std::uint64_t(i) + 1);
      }
      const DeviceArray<unsigned char> input(bytes);
      EXPECT_CUDA(capstone::model(reinterpret_cast<const __half*>(input.get()), pixels, rounds, d, d + 1,
                                  d + 2, nullptr));
      state = capstone::next_state(state, sum, rounds);
      const auto got = numbers.fetch();
      EXPECT_EQ(got[0], 0u);
      EXPECT_EQ(got[1], state) << rounds << " rounds";
      EXPECT_EQ(got[2], state) << rounds << " rounds";
    }
  }
}

TEST(Capstone, EveryByteCounts) {
  EXPECT_NE(capstone::next_state(1, 2, 10), capstone::next_state(2, 1, 10));
  EXPECT_NE(capstone::next_state(1, 2, 10), capstone::next_state(1, 3, 10));
  EXPECT_NE(capstone::next_state(1, 2, 10), capstone::next_state(1, 2, 11));
}

}  // namespace
}  // namespace workbook::kernels::test
