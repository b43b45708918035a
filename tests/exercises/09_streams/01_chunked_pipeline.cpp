#include <workbook/check.h>

#include "pipeline.h"

using namespace workbook;
using namespace streams;

EXERCISE("9.1", "Copy in, soften, copy out, chunk by chunk, with the three of them at work at the same time.")

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

void expect_right(const Result& result, int n, int chunk, const std::vector<float>& x) {
  if (!result.has("late")) result.expect_clean();
  expect_done(result);
  result.expect_clean();
  expect_tail_untouched(result, n);
  expect_values(result, x);
  expect_room(result, chunk);
  expect_all_freed(result);
  expect_waited_for(result);
}

void expect_streams(const Result& result) {
  expect_pinned_copies(result);
  const std::set<int> used = used_streams(result);
  if (used.count(0) != 0) {
    for (const Step& step : result.trace().steps()) {
      const bool queued = step.kind == Step::Kind::copy || step.kind == Step::Kind::kernel;
      if (!queued || step.stream != 0) continue;
      result.fail(
          {"default_stream",
           fmt::format("{} goes into the default stream.", words(step)),
           {"Streams that were not made non-blocking wait for the default stream, and it for them; and "
            "what lies in it is in one stream."},
           "Which of your calls names no stream, and what does the default stream do to the other streams?"});
    }
  }
  result.expect_that(!used.empty(), {"not_on_the_device",
                                     "Nothing was copied to the device, and nothing was launched there.",
                                     {},
                                     "Who softens the numbers here?"});
  result.expect_that(
      used.size() >= 2,
      {"one_stream",
       "Everything goes through one stream.",
       {fmt::format("{} copies and {} launches", result.trace().of(Step::Kind::copy).size(),
                    result.trace().kernels().size())},
       "In which order does a stream do what is queued in it, and which of these steps could be done at the "
       "same time?"});
}

}  // namespace

CHECK_CASE(every_shape) {
  const std::pair<int, int> shapes[] = {
      {1000, 256}, {0, 256},     {1, 256}, {31, 32}, {33, 32},     {255, 256},          {256, 256},
      {257, 256},  {9001, 1000}, {97, 97}, {7, 1},   {4999, 1021}, {2'000'003, 1 << 18}};
  for (const auto& [n, chunk] : shapes) {
    const std::vector<float> x = input(n);
    expect_right(soften(n, chunk, x), n, chunk, x);
  }
  passed("right for {} shapes of chunks", std::size(shapes));
}

CHECK_CASE(several_streams) {
  const int n = 9001, chunk = 1000;
  const std::vector<float> x = input(n);
  const Result plain = soften(n, chunk, x);
  expect_streams(plain);
  const std::vector<Schedule> orders = schedules_for(plain.trace());
  for (const Schedule& order : orders) {
    const Result result = soften(n, chunk, x, &order);
    expect_right(result, n, chunk, x);
  }
  passed("right in {} orders that the streams leave open", orders.size());
}

CHECK_CASE(fast_enough) {
  const int chunk = on_simulated_device() ? 1 << 18 : 1 << 22, n = 8 * chunk - 1234;
  const std::vector<float> x = input(n);
  Run run("timed");
  run.say("8 chunks of {} floats", chunk)
      .value("n", n)
      .value("chunk", chunk)
      .in("x", x)
      .out<float>("y", x.size());
  const Result result = run.go();
  result.expect_clean();
  // Chunks that take long enough that a GPU is seen at work.
  result.expect_that(result.integer("done") == 1,
                     {"returned_early",
                      "The function returned while the device was still at work.",
                      {"The caller reads h_y at once."},
                      "Who waits for the last copy of each stream?"});
  result.expect("y", softened(x), within(1e-6));
  result.expect_bound("pipeline");
}
