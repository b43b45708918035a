// 11.1: strides, and a kernel that takes them. The strides of both layouts, the offset, also beyond 2^31;
// which layout given strides are, where two can be meant and where none; the kernel for both layouts and for
// a piece cut out of something larger; and the time of both against a copy.
#include <workbook/check.h>

#include <algorithm>

#include "images.h"

using namespace nhwc;

EXERCISE("11.1", "y = max(x + bias of the channel, 0), in whatever layout the strides say.")

namespace {

using Strides = std::vector<std::int64_t>;  // to the next image, channel, row, pixel
const char* const letters[] = {"n", "c", "h", "w"};

std::vector<int> list(const Shape& s) {
  return {s.n, s.c, s.h, s.w};
}
Strides nchw(const Shape& s) {
  const std::int64_t w = s.w, h = s.h, c = s.c;
  return {c * h * w, h * w, w, 1};
}
Strides nhwc_of(const Shape& s) {
  const std::int64_t w = s.w, h = s.h, c = s.c;
  return {h * w * c, 1, w * c, c};
}
std::string words(const Strides& t) {
  return fmt::format("{}, {}, {}, {}", t[0], t[1], t[2], t[3]);
}
std::int64_t offset(const Strides& t, const Place& p) {
  return p.n * t[0] + p.c * t[1] + p.h * t[2] + p.w * t[3];
}

// Strides of a layout, with numbers after each row that belong to nobody: a piece of wider images.
struct View {
  const char* name;
  Strides strides;
};
std::vector<View> views(const Shape& s) {
  const std::int64_t wide = s.w + 3, high = s.h + 2, c = s.c;
  return {{"NCHW", nchw(s)},
          {"NHWC", nhwc_of(s)},
          {"a piece of a larger NCHW", {c * high * wide, high * wide, wide, 1}},
          {"a piece of a larger NHWC", {high * wide * (c + 1), 1, wide * (c + 1), c + 1}}};
}

struct Problem {
  std::vector<float> x, bias, before, y;
};
Problem problem(const Shape& s, const Strides& t) {
  Inputs in(s.numbers());
  const auto room = static_cast<std::size_t>(offset(t, {s.n - 1, s.c - 1, s.h - 1, s.w - 1}) + 1);
  Problem p{in.floats("x", room), in.floats("bias", static_cast<std::size_t>(s.c)), in.floats("y", room), {}};
  p.y = p.before;
  for (std::size_t i = 0; i < s.numbers(); ++i) {
    const Place at = place_in_nchw(s, i);
    const auto k = static_cast<std::size_t>(offset(t, at));
    p.y[k] = std::max(p.x[k] + p.bias[static_cast<std::size_t>(at.c)], 0.0f);
  }
  return p;
}

// "image 0, channel 2, ..." of a number in memory, or that it belongs to nobody.
IndexWords in_view(const Shape& s, const Strides& t) {
  return [s, t](std::size_t k) -> std::string {
    for (std::size_t i = 0; i < s.numbers(); ++i) {
      const Place at = place_in_nchw(s, i);
      if (static_cast<std::size_t>(offset(t, at)) == k) return at.words();
    }
    return fmt::format("{}, between the numbers of the shape", k);
  };
}

Result bias_relu(const Shape& s, const View& view, const Problem& p, const char* bound = nullptr) {
  Run run(bound != nullptr ? "bias_relu_timed" : "bias_relu");
  run.say("{}, {}", view.name, s.words()).in("shape", list(s)).in("strides", view.strides);
  if (bound != nullptr) run.text("bound", bound);
  return run.in("x", p.x).in("bias", p.bias).inout("y", p.before).go();
}

void expect_strides(const Result& result, const char* name, const Strides& expected) {
  const auto got = result.array<std::int64_t>(name);
  for (std::size_t i = 0; i < 4; ++i) {
    if (got[i] == expected[i]) continue;
    result.fail({fmt::format("strides.{}", name),
                 fmt::format("{}(s).{} is {}, expected {}.", name, letters[i], got[i], expected[i]),
                 {fmt::format("The strides of n, c, h, w are {}, expected {}.", words(got), words(expected))},
                 fmt::format("How many numbers lie between one number and the next along {}?", letters[i])});
  }
}

void expect_fast(const View& view, const Shape& s, const char* bound) {
  const Problem p = problem(s, view.strides);
  const Result result = bias_relu(s, view, p, bound);
  expect_success(result, "bias_relu");
  result.expect("y", p.y);
  result.expect_bound(bound);
}

// What leads on: where a dimension has one place only, its stride is anything; else all four count.
std::string question(const Shape& s, int layout) {
  if (std::min({s.n, s.c, s.h, s.w}) == 1)
    return "Which of the four strides are ever used, when a dimension has size 1?";
  return layout == 0
             ? "Which of the four strides would another one be, if this were the layout that you name?"
             : "Which stride is that of neighbours, and what are the other three made of?";
}

Shape large() {
  return on_simulated_device() ? Shape{16, 60, 65, 67} : Shape{64, 60, 131, 133};
}

}  // namespace

CHECK_CASE(strides_and_offsets) {
  for (const Shape& s : {Shape{2, 3, 5, 7}, Shape{1, 1, 1, 1}, Shape{64, 256, 512, 512}}) {
    Run run("strides_of");
    run.say("{}", s.words()).in("shape", list(s)).out<std::int64_t>("nchw", 4).out<std::int64_t>("nhwc", 4);
    const Result result = run.go();
    result.expect_clean();
    expect_strides(result, "nchw", nchw(s));
    expect_strides(result, "nhwc", nhwc_of(s));
    for (const Strides& t : {nchw(s), nhwc_of(s)}) {
      const Place last{s.n - 1, s.c - 1, s.h - 1, s.w - 1};
      Run ask("offset_of");
      ask.say("{}, the last number", s.words());
      ask.in("strides", t).in("at", std::vector<int>{last.n, last.c, last.h, last.w});
      const Result answer = ask.go();
      answer.expect_clean();
      const std::int64_t got = answer.integer("offset"), expected = offset(t, last);
      answer.expect_that(
          got == expected,
          {"offset",
           fmt::format("offset is {}, expected {}.", got, expected),
           {fmt::format("the strides of n, c, h, w are {}", words(t)),
            fmt::format("the place is {}", last.words())},
           expected > INT32_MAX
               ? "How large can this sum become, and in which type is each step of it computed?"
               : "How far is it from the first number to this one, step by step?"});
    }
  }
  passed("strides and offsets, beyond 2^31 too");
}

CHECK_CASE(names) {
  const char* const names[] = {"neither", "nchw", "nhwc", "both"};
  struct Case {
    Shape s;
    Strides t;
    int layout;
    const char* why;
  };
  const Case cases[] = {
      {{2, 3, 5, 7}, nchw({2, 3, 5, 7}), 1, ""},
      {{2, 3, 5, 7}, nhwc_of({2, 3, 5, 7}), 2, ""},
      {{2, 3, 5, 7}, {105, 35, 1, 5}, 0, "the columns lie closest together"},
      {{2, 3, 5, 7}, {210, 70, 14, 2}, 0, "every second number"},
      {{2, 3, 5, 7}, {150, 50, 10, 1}, 0, "rows of 7 in a row of 10"},
      {{2, 1, 5, 7}, {35, 35, 7, 1}, 3, "there is one channel, so nothing is ever outside or inside of it"},
      {{2, 1, 5, 7}, {35, 1, 7, 1}, 3, "there is one channel, so nobody steps along c"},
      {{2, 3, 1, 1}, {3, 1, 1, 1}, 3, "there is one pixel, so nobody steps along h and w"},
      {{2, 3, 1, 1}, {3, 1, 3, 3}, 3, "there is one pixel, so nobody steps along h and w"},
      {{1, 3, 5, 7}, {0, 35, 7, 1}, 1, "there is one image, so nobody steps along n"},
      {{1, 3, 5, 7}, {999, 1, 21, 3}, 2, "there is one image, so nobody steps along n"},
      {{2, 3, 5, 1}, {15, 5, 1, 1}, 1, "rows of one pixel"},
      {{2, 7, 7, 7}, nhwc_of({2, 7, 7, 7}), 2, "all sizes are equal"},
  };
  for (const Case& c : cases) {
    Run run("name_of");
    run.say("{}, strides {}", c.s.words(), words(c.t)).in("shape", list(c.s)).in("strides", c.t);
    const Result result = run.go();
    result.expect_clean();
    const auto got = result.integer("layout");
    const std::string got_name = got >= 0 && got < 4 ? names[got] : "?";
    std::vector<std::string> evidence = {
        fmt::format("NCHW has {}, NHWC has {}.", words(nchw(c.s)), words(nhwc_of(c.s)))};
    if (*c.why != '\0') evidence.emplace_back(c.why);
    result.expect_that(got == c.layout,
                       {c.layout == 3   ? "ambiguous"
                        : c.layout == 0 ? "neither"
                                        : "layout",
                        fmt::format("layout_of says {}, expected {}.", got_name, names[c.layout]), evidence,
                        question(c.s, c.layout)});
  }
  passed("{} layouts named", std::size(cases));
}

CHECK_CASE(right_in_every_layout) {
  int tried = 0;
  const Shape shapes[] = {{2, 3, 5, 7},  {1, 1, 1, 1}, {3, 1, 31, 33}, {2, 64, 1, 1},
                          {1, 17, 8, 9}, {9, 5, 3, 2}, {70, 2, 3, 5}};
  for (const Shape& s : shapes) {
    for (const View& view : views(s)) {
      const Problem p = problem(s, view.strides);
      const Result result = bias_relu(s, view, p);
      expect_success(result, "bias_relu");
      result.expect("y", p.y, exact(), in_view(s, view.strides));
      ++tried;
    }
  }
  for (const Shape& s : {Shape{0, 3, 5, 7}, Shape{2, 0, 5, 7}, Shape{2, 3, 0, 7}}) {
    Run run("bias_relu");
    run.say("{}", s.words()).in("shape", list(s)).in("strides", nchw(s));
    const std::vector<float> one{1.0f};
    const Result result = run.in("x", one).in("bias", one).inout("y", one).go();
    expect_success(result, "bias_relu");
    result.expect("y", one);
  }
  passed("right for {} shapes and layouts", tried);
}

CHECK_CASE(fast_in_nchw) {
  expect_fast({"NCHW", nchw(large())}, large(), "nchw");
  passed("NCHW");
}

CHECK_CASE(fast_in_nhwc) {
  expect_fast({"NHWC", nhwc_of(large())}, large(), "nhwc");
  passed("NHWC");
}
