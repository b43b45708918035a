#include "sim/print.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace workbook::sim {
namespace {

// The buffer as a compiler packs it: each value at a multiple of its size.
class Buffer {
 public:
  template <class T>
  Buffer& add(T v) {
    bytes_.resize((bytes_.size() + sizeof v - 1) / sizeof v * sizeof v + sizeof v);
    std::memcpy(bytes_.data() + bytes_.size() - sizeof v, &v, sizeof v);
    return *this;
  }
  std::string print(const std::string& format) {
    std::string out;
    used_ =
        format_print(format,
                     {[this](std::uint32_t at, std::uint32_t size) {
                        std::uint64_t v = 0;
                        if (at + size <= bytes_.size()) std::memcpy(&v, bytes_.data() + at, size);
                        return v;
                      },
                      [](std::uint64_t at) { return at == 16 ? std::string("sixteen") : std::string("?"); }},
                     out);
    return out;
  }
  int used_ = 0;

 private:
  std::vector<std::uint8_t> bytes_;
};

TEST(Print, Integers) {
  EXPECT_EQ(Buffer().add(-5).add(7).print("%d %u"), "-5 7");
  EXPECT_EQ(Buffer().add(255).print("%x %%"), "ff %");
  EXPECT_EQ(Buffer().add(1).add(std::int64_t{-9'000'000'000}).print("%d %lld"), "1 -9000000000");
  EXPECT_EQ(Buffer().add(5).add(42).print("[%*d]"), "[   42]");
  EXPECT_EQ(Buffer().add(3).print("%03d|"), "003|");
}

TEST(Print, FloatsStringsAndCharacters) {
  EXPECT_EQ(Buffer().add(1).add(2.5).print("%d %.2f"), "1 2.50");
  EXPECT_EQ(Buffer().add(std::uint64_t{16}).print("<%10s>"), "<   sixteen>");
  EXPECT_EQ(Buffer().add(int{'x'}).print("%c"), "x");
}

TEST(Print, CountsArguments) {
  Buffer b;
  b.add(1).add(2);
  b.print("%d %d");
  EXPECT_EQ(b.used_, 2);
}

}  // namespace
}  // namespace workbook::sim
