#include "base/caret.h"

#include <gtest/gtest.h>

namespace workbook::base {
namespace {

TEST(CaretPicture, points_at_the_column) {
  EXPECT_EQ(caret_picture("int x = y;", 12, 9), "   12 | int x = y;\n      |         ^");
}

TEST(CaretPicture, shows_tabs_as_one_space) {
  EXPECT_EQ(caret_picture("\tx", 1, 2), "    1 |  x\n      |  ^");
}

TEST(CaretPicture, stays_inside_the_line) {
  EXPECT_EQ(caret_picture("ab", 1, 99), "    1 | ab\n      |   ^");
  EXPECT_EQ(caret_picture("", 1, 0), "    1 | \n      | ^");
}

TEST(CaretPicture, cuts_a_long_line_around_the_place) {
  const std::string line = std::string(300, 'a') + "X" + std::string(300, 'b');
  const std::string picture = caret_picture(line, 1, 301);
  EXPECT_LT(picture.size(), 200u);
  const std::size_t second = picture.find('\n') + 1;
  EXPECT_EQ(picture.find('X'), picture.find('^') - second);
}

TEST(LineAt, finds_the_line_of_an_offset) {
  EXPECT_EQ(line_at("one\ntwo\r\nthree", 0), "one");
  EXPECT_EQ(line_at("one\ntwo\r\nthree", 5), "two");
  EXPECT_EQ(line_at("one\ntwo\r\nthree", 99), "three");
  EXPECT_EQ(line_at("one\n", 4), "");
  EXPECT_EQ(line_at("", 0), "");
}

}  // namespace
}  // namespace workbook::base
