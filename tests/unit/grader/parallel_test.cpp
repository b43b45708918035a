#include "grader/parallel.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace workbook::grader {
namespace {

TEST(Parallel, ResultsComeInOrder) {
  std::vector<int> values(50), order;
  const bool whole = in_parallel(
      values.size(), 4,
      [&](std::size_t i) {
        ::usleep(i % 3 == 0 ? 2000 : 0);
        values[i] = static_cast<int>(i) + 1;
      },
      [&](std::size_t i) {
        EXPECT_EQ(values[i], static_cast<int>(i) + 1);
        order.push_back(static_cast<int>(i));
      });
  EXPECT_TRUE(whole);
  ASSERT_EQ(order.size(), 50u);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(Parallel, NothingToDoIsFine) {
  EXPECT_TRUE(in_parallel(
      0, 4, [](std::size_t) {}, [](std::size_t) {}));
}

TEST(Parallel, AnExceptionComesOut) {
  EXPECT_THROW(in_parallel(
                   10, 3,
                   [](std::size_t i) {
                     if (i == 5) throw std::runtime_error("x");
                   },
                   [](std::size_t) {}),
               std::runtime_error);
  EXPECT_THROW(in_parallel(
                   10, 3, [](std::size_t) {},
                   [](std::size_t i) {
                     if (i == 5) throw std::runtime_error("x");
                   }),
               std::runtime_error);
}

}  // namespace
}  // namespace workbook::grader
