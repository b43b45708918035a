#include <workbook/check.h>

#include "pipeline.h"

using namespace workbook;
using namespace streams;

EXERCISE("9.2",
         "Four streams, and a library that launches in the default stream in the middle: let them run at the "
         "same time.")

namespace {

std::vector<float> input(int n) {
  return Inputs(static_cast<std::uint64_t>(n)).floats("x", n);
}

Result soften(int n, int chunk, const std::vector<float>& x, const Schedule* order = nullptr) {
  const int room = (n + chunk - 1) / chunk * chunk;
  Run run("soften");
  run.say("n = {}, chunks of {}", n, chunk)
      .value("n", n)
      .value("chunk", chunk)
      .in("x", x)
      .out<float>("y", room);
  if (order != nullptr) run.schedule(*order);
  return run.go();
}

// The library was told of each chunk, right after its kernel was launched.
void expect_reports(const Result& result, int chunks) {
  const std::int64_t reports = result.integer("reports");
  result.expect_that(reports == chunks && result.integer("in_order") == 1,
                     {"reports",
                      fmt::format("report was called {} times, for {} chunks{}.", reports, chunks,
                                  reports == chunks ? ", and not in their order" : ""),
                      {"The library is not the mistake: somebody needs its reports."},
                      "For which chunk, and when, is report called?"});
  // In the order of the calls: soften, report, soften, report, ...
  std::vector<Step> kernels = result.trace().kernels();
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const Step& a, const Step& b) { return a.host_begin_us < b.host_begin_us; });
  bool expects_soften = true;
  for (const Step& kernel : kernels) {
    const bool is_soften = kernel.name.find("soften") != std::string::npos;
    if (is_soften != expects_soften) {
      result.fail(
          {"reports",
           is_soften ? "A chunk's kernel is launched, and the chunk before has not been reported."
                     : "A chunk is reported, and its kernel has not been launched.",
           {"report(k) comes right after the launch of chunk k: the library notes what is under way."},
           "Between which two of your calls belongs report?"});
    }
    expects_soften = !expects_soften;
  }
}

void expect_right(const Result& result, int n, int chunk, const std::vector<float>& x) {
  if (!result.has("late")) result.expect_clean();
  expect_reports(result, (n + chunk - 1) / chunk);
  expect_done(result);
  result.expect_clean();
  expect_tail_untouched(result, n);
  expect_values(result, x);
  expect_all_freed(result);
  expect_waited_for(result);
}

}  // namespace

CHECK_CASE(every_chunk) {
  const std::pair<int, int> shapes[] = {{1000, 256}, {0, 256},     {1, 256},
                                        {257, 256},  {9001, 1000}, {500'003, 1 << 16}};
  for (const auto& [n, chunk] : shapes) {
    const std::vector<float> x = input(n);
    expect_right(soften(n, chunk, x), n, chunk, x);
  }
  const int n = 9001, chunk = 1000;
  const std::vector<float> x = input(n);
  const Result plain = soften(n, chunk, x);
  for (const Schedule& order : schedules_for(plain.trace())) {
    const Result result = soften(n, chunk, x, &order);
    expect_right(result, n, chunk, x);
  }
  passed("right for {} shapes, and every chunk is reported", std::size(shapes));
}

CHECK_CASE(fast_enough) {
  const int chunk = on_simulated_device() ? 1 << 16 : 1 << 20, n = 12 * chunk - 1234;
  const std::vector<float> x = input(n);
  Run run("timed");
  run.say("12 chunks of {} floats", chunk)
      .value("n", n)
      .value("chunk", chunk)
      .in("x", x)
      .out<float>("y", x.size());
  const Result result = run.go();
  result.expect_clean();
  result.expect("y", softened(x), within(1e-6));
  result.expect_bound("lanes");
}
