// 5.6: the sum of an array, for any size and any block of whole warps; as exact as floats allow when no
// number takes part in many roundings, and fast.
#include <workbook/check.h>

#include <algorithm>
#include <cmath>

using namespace workbook;

EXERCISE("5.6", "*d_sum = x[0] + ... + x[n - 1], through registers, shuffles and shared memory.")

namespace {

// Each addition rounds, by at most 2^-24 of what it gives. If no number takes part in more than k additions,
// the sum is off by at most k x 2^-24 x (the sum of all magnitudes). 160 is room for 16,384 blocks that add
// to one place (their errors have both signs and mostly cancel: about the root of their number), and far too
// little for millions of additions in one accumulator, which all lose in the same direction on these values.
constexpr double additions = 160;

double allowed(const std::vector<float>& x, std::size_t first, std::size_t n) {
  double magnitudes = 0;
  for (std::size_t i = first; i < first + n; ++i) magnitudes += std::fabs(x[i]);
  return std::max(additions, 4.0) * std::ldexp(1.0, -24) * magnitudes + 1e-12;
}

double exact_sum(const std::vector<float>& x, std::size_t first, std::size_t n) {
  double sum = 0;
  for (std::size_t i = first; i < first + n; ++i) sum += x[i];
  return sum;
}

void expect_sum(const Result& result, float got, const std::vector<float>& x, std::size_t first,
                std::size_t n) {
  const double expected = exact_sum(x, first, n), error = std::fabs(got - expected),
               room = allowed(x, first, n);
  if (error <= room) return;
  const std::string headline = fmt::format("the sum is {:.9g}, and should be {:.9g}.", got, expected);
  if (std::isnan(got) && !result.trace().of(Step::Kind::set).empty())
    result.fail({"no_number",
                 fmt::format("the sum is {}.", got),
                 {"*d_sum was set before; so something was added that nobody ever wrote."},
                 "Which places of shared memory are read, and did a thread write each of them?"});
  if (std::isnan(got))
    result.fail({"not_set",
                 fmt::format("the sum is {}.", got),
                 {"Before the call, *d_sum held anything: here it was no number."},
                 "What must *d_sum be before the first block adds to it?"});
  if (std::fabs(got - 2 * expected) <= 2 * room && n > 0)
    result.fail({"added_to_the_last",
                 headline,
                 {"That is twice the sum. It was asked for twice."},
                 "What does the second call find in *d_sum?"});
  if (error < 0.05 * std::fabs(expected) && n >= 1u << 20)
    result.fail(
        {"rounding",
         headline,
         {fmt::format("It is off by {:.2g}; {:.2g} are allowed.", error, room),
          fmt::format("Beside {:.0f}, the next float is {:.2g} away: what is added is rounded to that.",
                      expected,
                      std::nextafter(static_cast<float>(expected), INFINITY) - static_cast<float>(expected))},
         "How large is the sum that a single number is added to, and how often is it rounded on its way?"});
  result.fail(
      {"sum",
       headline,
       {fmt::format("It is off by {:.3g}; {:.2g} are allowed.", error, room)},
       "Which numbers reach nobody, or are counted more than once? Follow the last warp of the last block."});
}

}  // namespace

CHECK_CASE(every_size) {
  struct Shape {
    int n, threads;
  };
  const Shape shapes[] = {{1000, 256},  {0, 256},     {1, 32},        {31, 32},
                          {32, 32},     {33, 64},     {255, 256},     {257, 256},
                          {96, 96},     {1000, 96},   {5000, 224},    {4999, 1024},
                          {1025, 1024}, {20'011, 32}, {100'003, 992}, {300'007, 128}};
  for (const Shape& s : shapes) {
    Inputs in(static_cast<std::uint64_t>(s.n) * 2053 + static_cast<std::uint64_t>(s.threads));
    const auto x = in.floats("x", static_cast<std::size_t>(s.n), 0.5f, 2.0f);
    Run run("sum_twice");
    run.say("n = {}, blocks of {}", s.n, s.threads);
    run.value("threads", s.threads).in("x", x).out<float>("sum", 1);
    const Result result = run.go();
    result.expect_clean();
    expect_sum(result, result.array<float>("sum")[0], x, 0, x.size());
  }
  passed("right for {} shapes", std::size(shapes));
}

CHECK_CASE(both_signs) {
  Inputs in;
  const auto x = in.floats("x", 70'001, -2.0f, 2.0f);
  Run run("sum_twice");
  run.say("n = {}, numbers of both signs", x.size());
  run.value("threads", 256).in("x", x).out<float>("sum", 1);
  const Result result = run.go();
  result.expect_clean();
  expect_sum(result, result.array<float>("sum")[0], x, 0, x.size());
  passed("numbers of both signs");
}

// Above 2^22 the next float is half a unit away, and each of these, added alone, would count as 1.
CHECK_CASE(large) {
  Inputs in(3);
  const auto x = in.floats("x", 1 << 22, 1.0f, 1.25f);
  Run run("sum_twice");
  run.say("n = {}", x.size());
  run.value("threads", 256).in("x", x).out<float>("sum", 1);
  const Result result = run.go();
  result.expect_clean();
  expect_sum(result, result.array<float>("sum")[0], x, 0, x.size());
  passed("right to the last digits for n = {}", x.size());
}

CHECK_CASE(fast_enough) {
  const int n = on_simulated_device() ? 1 << 22 : 1 << 25, slots = 61;
  Inputs in(3);
  const auto x = in.floats("x", static_cast<std::size_t>(n + 8 * slots), 1.0f, 1.25f);
  Run run("sum_timed");
  run.say("n = {}", n);
  run.value("n", n).value("threads", 256).in("x", x).out<float>("sums", slots);
  const Result result = run.go();
  result.expect_clean();
  const auto sums = result.array<float>("sums");
  const auto used = std::min<std::int64_t>(result.integer("runs"), slots);
  for (std::int64_t slot = 0; slot < used; ++slot)
    expect_sum(result, sums[static_cast<std::size_t>(slot)], x, 8 * static_cast<std::size_t>(slot),
               std::size_t(n));
  result.expect_bound("tree");
}
