// Inputs for checks: random from one printed seed, never zeros, awkward sizes.
#pragma once

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

namespace workbook {

// 0, 1, 31, 32, 33, block-1, block, block+1, 2*block+1, 1000, a prime near 5000 and one near 100 000; sorted,
// no doubles.
std::vector<int> awkward_sizes(int block);

// Columns and rows.
struct Size2D {
  int width, height;  // each at least 1
};
// 1x1, 1xN, Nx1, 37x1000, 1000x37, block edges +-1 of a (bx, by) block, two primes.
std::vector<Size2D> awkward_sizes_2d(int block_x, int block_y);

// The seed of this run: --seed, else 1. Printed with every failure.
std::uint64_t run_seed();

// A stream of random values that depends on the run's seed, the name of the case, `salt` and the array's
// name: the order of calls does not matter.
class Inputs {
 public:
  explicit Inputs(std::uint64_t salt = 0);  // often the size
  std::vector<float> floats(std::string_view name, std::size_t n, float low = -2.0f,
                            float high = 2.0f);  // no zeros
  // The same in double precision.
  std::vector<double> doubles(std::string_view name, std::size_t n, double low = -2.0, double high = 2.0);
  // Whole numbers, both ends among them.
  std::vector<std::int32_t> ints(std::string_view name, std::size_t n, std::int32_t low = -1000,
                                 std::int32_t high = 1000);
  std::vector<std::uint8_t> bytes(std::string_view name, std::size_t n);            // any bytes
  std::int64_t one_of(std::string_view name, std::int64_t low, std::int64_t high);  // inclusive

 private:
  std::mt19937_64 engine(std::string_view name) const;
  std::uint64_t salt_;
};

}  // namespace workbook
