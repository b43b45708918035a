// 7.3: a program of four kernels, one of which takes nearly all of the time. The counts are right for any
// number of bins and threads; the whole is twenty times as fast as the starter on values that crowd.
#include <workbook/check.h>

using namespace workbook;

EXERCISE("7.3", "Find the kernel that takes most of the time, and mend it in shared memory.")

namespace {

struct Problem {
  int bins, threads;
  std::vector<float> x, y;
  std::vector<unsigned> counts;
};

// Values from 0 up to 1; `crowd` of 8 of them lie in one bin.
Problem problem(int n, int bins, int threads, int crowd) {
  Inputs in(static_cast<std::uint64_t>(n) * 8191 + static_cast<std::uint64_t>(bins));
  Problem p{bins, threads, in.floats("x", static_cast<std::size_t>(n), 0.0f, 0.9999f), {}, {}};
  const auto which = in.bytes("crowd", static_cast<std::size_t>(n));
  const auto hot = static_cast<float>(in.one_of("hot", 0, bins - 1));
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    if (which[i] % 8 < crowd) p.x[i] = (hot + 0.5f) / static_cast<float>(bins);
  }
  p.counts.assign(static_cast<std::size_t>(bins), 0);
  std::vector<unsigned> bin;
  for (const float x : p.x) {
    bin.push_back(
        std::min(static_cast<unsigned>(x * static_cast<float>(bins)), static_cast<unsigned>(bins - 1)));
    ++p.counts[bin.back()];
  }
  std::vector<unsigned> below(p.counts.size(), 0);
  for (std::size_t b = 1; b < below.size(); ++b) below[b] = below[b - 1] + p.counts[b - 1];
  for (const unsigned b : bin) p.y.push_back(static_cast<float>(below[b]) / static_cast<float>(n));
  return p;
}

Result call(const char* driver, const Problem& p) {
  const std::size_t bins = static_cast<std::size_t>(p.bins);
  Run run(driver);
  run.say("n = {}, {} bins, {} threads a block", p.x.size(), p.bins, p.threads);
  run.value("bins", p.bins).value("threads", p.threads).in("d_x", p.x).out<float>("d_y", p.x.size());
  run.out<unsigned>("d_bin", p.x.size()).out<unsigned>("d_counts", bins).out<unsigned>("d_below", bins);
  return run.go();
}

// Counts that do not add up say more than the first wrong count.
void expect_all_counted(const Result& result, const Problem& p) {
  const auto counts = result.array<unsigned>("d_counts");
  constexpr unsigned poison = 0xffffffffu;
  std::uint64_t sum = 0;
  for (const unsigned count : counts) {
    if (count == poison) return;  // told better by expect
    sum += count;
  }
  const std::uint64_t n = p.x.size();
  if (sum == n) return;
  result.fail({sum < n ? "lost" : "counted_twice",
               fmt::format("the counts add up to {}, and there are {} values.", sum, n),
               {fmt::format("{} bins, blocks of {} threads", p.bins, p.threads)},
               sum < n ? "How does what a block has counted reach d_counts, for every bin and every block?"
                       : "Which values does a thread count, and what does a count begin with?"});
}

void expect_right(const Result& result, const Problem& p) {
  result.expect_clean();
  result.expect_that(result.integer("status") == 0,
                     {"returned_error",
                      fmt::format("equalise returned {}.", result.text("status_name")),
                      {fmt::format("{} bins, blocks of {} threads", p.bins, p.threads)},
                      "Which launch is refused, and what does it ask for?"});
  expect_all_counted(result, p);
  result.expect("d_counts", p.counts);
  result.expect("d_y", p.y, within(1e-6));
}

}  // namespace

CHECK_CASE(right_for_any_shape) {
  struct Shape {
    int n, bins, threads;
  };
  const Shape shapes[] = {{5000, 256, 256},  {0, 16, 64},       {1, 1, 1},       {31, 7, 32},
                          {33, 256, 33},     {1000, 1, 256},    {1000, 2, 1024}, {4999, 255, 96},
                          {4999, 257, 256},  {5000, 1000, 100}, {300, 4096, 1},  {20'011, 4096, 1024},
                          {20'011, 31, 640}, {65'537, 300, 128}};
  bool crowded = false;
  for (const Shape& s : shapes) {
    crowded = !crowded;
    const Problem p = problem(s.n, s.bins, s.threads, crowded ? 7 : 0);
    expect_right(call("equalise_twice", p), p);
  }
  passed("right for {} shapes", std::size(shapes));
}

CHECK_CASE(the_whole_is_fast) {
  const Problem p = problem(on_simulated_device() ? 1 << 21 : 1 << 24, 256, 256, 7);
  const Result result = call("equalise_timed", p);
  expect_right(result, p);
  result.expect_bound("whole");
  passed("seven of eight values in one bin");
}
