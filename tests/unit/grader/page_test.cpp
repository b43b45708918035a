#include "grader/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workbook::grader {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  for (const auto& line : split_lines(text)) most = std::max(most, width_of(line));
  return most;
}

Verdict wrong_verdict() {
  Verdict v;
  v.kind = VerdictKind::wrong;
  v.exercise = "2.1";
  v.title = "One thread per element";
  v.asked = "y = a*x + y for n elements, any n from 0 up.";
  v.failed_case = "every_size";
  v.failure = trace::Failure{};
  v.failure->headline = "First wrong, n = 1000: y[1000] was written, and y has 1000 elements.";
  v.failure->evidence = {"thread 232 of block 3 (kernel saxpy)"};
  v.failure->question = "What should a thread do that has no element?";
  trace::CaseResult c;
  c.name = "every_size";
  c.outcome = trace::Outcome::wrong;
  v.cases.push_back(c);
  return v;
}

class Page : public testing::Test {
 protected:
  TemporaryFolder folder_{"page 시험"};
  PageOptions options() {
    PageOptions o;
    o.root = folder_.path();
    return o;
  }
};

TEST_F(Page, AFailureStandsInTheOrderOfTheRules) {
  write_file(folder_.path() / "work/a.cu",
             "__global__ void saxpy() {\n  y[i] = a * x[i] + y[i];  // here\n}\n");
  Verdict v = wrong_verdict();
  v.failure->places = {{(folder_.path() / "work/a.cu").string(), 2, 3,
                        "writes 4 bytes, just past the end of d_y (4000 bytes, allocated at line 27)"}};
  const std::string page = render(v, options());
  const char* order[] = {"2.1  One thread per element",
                         "wrong",
                         "Asked: y = a*x",
                         "First wrong, n = 1000",
                         "thread 232 of block 3",
                         "  work/a.cu:2\n",
                         "    2 │   y[i] = a * x[i] + y[i];",
                         "^^^^ writes 4 bytes",
                         "What should a thread do",
                         "./workbook hint 2.1"};
  std::size_t at = 0;
  for (const char* part : order) {
    const std::size_t found = page.find(part, at);
    ASSERT_NE(found, std::string::npos) << part << " in\n" << page;
    at = found;
  }
  EXPECT_LE(widest(page), 80u) << page;
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
}

TEST_F(Page, WithoutAColumnTheWholeStatementIsMarked) {
  write_file(folder_.path() / "a.cu", "  foo();  // comment\n");
  EXPECT_EQ(excerpt({"a.cu", 1, 0, ""}, folder_.path(), 76),
            "    1 │   foo();  // comment\n      │   ^^^^^^\n");
}

TEST_F(Page, APlaceThatIsNotThereGivesNoPicture) {
  EXPECT_EQ(excerpt({"none.cu", 1, 1, "x"}, folder_.path(), 76), "");
  write_file(folder_.path() / "a.cu", "x\n\n");
  EXPECT_EQ(excerpt({"a.cu", 9, 1, "x"}, folder_.path(), 76), "");
  EXPECT_EQ(excerpt({"a.cu", 2, 1, "x"}, folder_.path(), 76), "");
}

TEST_F(Page, ABoundIsShownAsBars) {
  Verdict v = wrong_verdict();
  v.kind = VerdictKind::too_slow;
  v.cases[0].bounds = {{"roof", 309, 164, 154, "1.25 x copy", true, "h200@1", 0, false}};
  const std::string page = render(v, options());
  EXPECT_THAT(page, HasSubstr("309 us"));
  EXPECT_THAT(page, HasSubstr("164 us   (1.25 x copy)"));
  EXPECT_THAT(page, HasSubstr("154 us"));
  EXPECT_THAT(page, HasSubstr("modelled, h200@1"));
  EXPECT_LE(widest(page), 80u) << page;
}

TEST_F(Page, OurFaultsSayTheyAreOurs) {
  Verdict v;
  v.why = "the judge left no record";
  const std::string page = render(v, options());
  EXPECT_THAT(page, HasSubstr("not in your code"));
  EXPECT_THAT(page, HasSubstr("the judge left no record"));
}

TEST_F(Page, NotRunIsNoPass) {
  Verdict v;
  v.kind = VerdictKind::not_run;
  v.why = "needs a GPU";
  EXPECT_THAT(render(v, options()), HasSubstr("Not run: needs a GPU"));
}

TEST_F(Page, APassShowsProgressAndTheNext) {
  Verdict v;
  v.kind = VerdictKind::passed;
  v.exercise = "2.1";
  trace::CaseResult c;
  c.passed_text = "right for 14 sizes";
  c.bounds = {{"roof", 153, 164, 0, "1.25 x copy", true, "h200@1", 0, true}};
  v.cases = {c};
  auto o = options();
  o.solved = 17;
  o.total = 60;
  o.next = "2.2 Two dimensions";
  o.next_file = "work/02/02.cu";
  const std::string page = render(v, o);
  EXPECT_THAT(page, HasSubstr("right for 14 sizes"));
  EXPECT_THAT(page, HasSubstr("153 us of 164 us allowed"));
  EXPECT_THAT(page, HasSubstr("17 of 60 solved"));
  EXPECT_THAT(page, HasSubstr("Next: 2.2 Two dimensions"));
  EXPECT_LE(widest(page), 80u) << page;
}

TEST(TextLayout, WidthsAndWrapping) {
  EXPECT_EQ(width_of("abc"), 3u);
  EXPECT_EQ(width_of("한국"), 4u);
  EXPECT_EQ(width_of("█▏"), 2u);
  EXPECT_EQ(width_of("\x1b[31mred\x1b[0m"), 3u);
  EXPECT_EQ(wrapped("one two three", 8), "one two\nthree");
  EXPECT_EQ(wrapped("one two three", 10, "- ", "  "), "- one two\n  three");
  EXPECT_EQ(wrapped("a\nb", 10), "a\nb");
  EXPECT_EQ(spread("a", "b", 5), "a   b");
  EXPECT_EQ(bar(1, 2, 4), "██");
  EXPECT_EQ(bar(0, 2, 4), "▏");
}

}  // namespace
}  // namespace workbook::grader
