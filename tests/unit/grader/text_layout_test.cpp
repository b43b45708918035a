#include "grader/text_layout.h"

#include <gtest/gtest.h>

namespace workbook::grader {
namespace {

TEST(Printable, KeepsTextAsItIs) {
  EXPECT_EQ(printable("x[3] = 4\n\ttab, 한국어, µs, │"), "x[3] = 4\n\ttab, 한국어, µs, │");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, ShowsControlCharactersInsteadOfObeyingThem) {
  EXPECT_EQ(printable("\x1b[2Jpassed"), "␛[2Jpassed");
  EXPECT_EQ(printable("a\rb\bc\x7f"), "a␍b␈c␡");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a␀b");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\ufffd31m");  // the one-character form of ESC [
}

TEST(Printable, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(printable("a\xff"
                      "b"),
            "a\ufffd"
            "b");
  EXPECT_EQ(printable("cut \xed\x95"), "cut \ufffd\ufffd");
  EXPECT_EQ(printable("\xc0\xaf"), "\ufffd\ufffd");  // an overlong slash
}

}  // namespace
}  // namespace workbook::grader
