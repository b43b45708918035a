#include <workbook/check.h>

#include <algorithm>
#include <cmath>

#include "steps.h"

using namespace workbook;
using namespace five_steps;

EXERCISE("3.4", "y = clip((x - mean) * scale): one array over the bus each way, one kernel, one pass.")

namespace {

// Values close to a large mean: the order of the arithmetic can be seen in the result.
struct Problem {
  float mean, scale, limit;
  std::vector<float> x, y;
};

Problem problem(int n) {
  Inputs inputs(static_cast<std::uint64_t>(n));
  Problem p{};
  p.mean = static_cast<float>(inputs.one_of("mean", 900, 1100)) + 0.3f;
  p.scale = static_cast<float>(inputs.one_of("scale", 7, 13)) + 0.1f;
  p.limit = 0.4f * p.scale;
  p.x = inputs.floats("x", n, p.mean - 0.5f, p.mean + 0.5f);
  p.y.resize(n);
  for (int i = 0; i < n; ++i) {
    const float centered = p.x[i] - p.mean;
    const float scaled = centered * p.scale;
    p.y[i] = std::fmin(std::fmax(scaled, -p.limit), p.limit);
  }
  return p;
}

Run& settings(Run& run, const Problem& p) {
  return run.say("n = {}", p.x.size()).value("mean", p.mean).value("scale", p.scale).value("limit", p.limit);
}

Result call(const char* driver, const char* x, const char* y, const Problem& p) {
  Run run(driver);
  return settings(run, p).in(x, p.x).out<float>(y, p.y.size()).go();
}

void expect_success(const Result& result, const char* function) {
  result.expect_that(result.integer("status") == 0,
                     {"returned_error",
                      fmt::format("{} returned {}.", function, result.text("status_name")),
                      {fmt::format("the steps: {}", steps_in_words(result))},
                      "Which step refused, and was there anything for it to do?"});
}

// Only the input goes in, only the output comes out.
void expect_one_crossing(const Result& result, std::uint64_t bytes) {
  const std::uint64_t in = crossed(result, "host to device"), out = crossed(result, "device to host");
  if (in == bytes && out == bytes) return;
  std::vector<std::string> evidence = {fmt::format("the input has {} bytes, the output too", bytes)};
  for (const std::string& line : list_copies(result)) evidence.push_back(line);
  const std::string headline = fmt::format("{} bytes were copied to the device and {} from it.", in, out);
  if (in > bytes || out > bytes) {
    result.fail({"extra_copy", headline, evidence, "Which of these numbers does the host itself need?"});
  }
  result.fail({"not_copied", headline, evidence,
               "Where were the numbers when they were computed, and how often did each cross the bus?"});
}

// All wrong by no more than rounding at the size of mean * scale.
bool rounding_only(const Problem& p, const std::vector<float>& got) {
  const float coarse = 4 * (std::nextafter(p.mean * p.scale, INFINITY) - p.mean * p.scale);
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!(std::abs(got[i] - p.y[i]) <= coarse)) return false;
  }
  return true;
}

void expect_values(const Result& result, const char* name, const Problem& p) {
  const std::vector<float> got = result.array<float>(name);
  if (got != p.y && rounding_only(p, got)) {
    std::size_t i = 0;
    while (got[i] == p.y[i]) ++i;
    result.fail(
        {"rounding_order",
         fmt::format("{}[{}] is {:.7g}, expected {:.7g}.", name, i, got[i], p.y[i]),
         {fmt::format("x = {:.7g}, mean = {:.7g}, scale = {:.3g}: x lies near the mean", p.x[i], p.mean,
                      p.scale),
          fmt::format("A float near {:.0f} is rounded to steps of {:.2g}; that is the size of the error.",
                      p.mean * p.scale, std::nextafter(p.mean * p.scale, INFINITY) - p.mean * p.scale)},
         "In which order did the three kernels round, and in which does yours?"});
  }
  result.expect(name, p.y);
}

}  // namespace

CHECK_CASE(only_input_and_output_cross) {
  std::vector<int> sizes = awkward_sizes(256);
  sizes.insert(sizes.begin(), 1000);
  for (const int n : sizes) {
    const Problem p = problem(n);
    const Result result = call("prepare", "x", "y", p);
    const std::uint64_t bytes = n * sizeof(float);
    if (!result.has("status")) result.expect_clean();
    expect_one_crossing(result, bytes);
    if (n > 0) expect_a_kernel(result, bytes);
    expect_no_early_free(result);
    result.expect_clean();
    expect_success(result, "prepare");
    expect_values(result, "y", p);
    expect_all_freed(result);
  }
  passed("right for {} sizes, one array each way", sizes.size() - 1);
}

CHECK_CASE(the_device_part) {
  for (const int n : awkward_sizes(256)) {
    const Problem p = problem(n);
    const Result result = call("prepare_device", "d_x", "d_y", p);
    result.expect_clean();
    expect_success(result, "prepare_device");
    const bool stays = result.trace().of(Kind::copy).empty();
    result.expect_that(stays, {"extra_copy", "prepare_device copies.", list_copies(result),
                               "The numbers are on the device already. What is there to copy?"});
    const auto waits = result.trace().of(Kind::synchronise);
    result.expect_that(waits.empty(),
                       {"waits",
                        fmt::format("prepare_device waits: {}.", waits.empty() ? "" : words(waits.front())),
                        {"Who calls it may have more work for the device, and waits when there is no more."},
                        "Who needs to know that the kernel is done, and when?"});
    expect_values(result, "d_y", p);
  }
  passed("the kernel is right");
}

CHECK_CASE(a_refused_launch) {
  for (const char* function : {"prepare", "prepare_device"}) {
    const Problem p = problem(1000);
    const bool whole = function == std::string("prepare");
    Run run(whole ? "prepare_refused" : "prepare_device_refused");
    run.say("the launch is refused");
    const char *x = whole ? "x" : "d_x", *y = whole ? "y" : "d_y";
    const Result result = run.value("mean", p.mean)
                              .value("scale", p.scale)
                              .value("limit", p.limit)
                              .in(x, p.x)
                              .out<float>(y, p.y.size())
                              .go();
    if (expect_reported(result, function, "the launch")) expect_values(result, y, p);
  }
  passed("a refused launch is reported, and the next call is well");
}

CHECK_CASE(the_whole_is_faster) {
  const Problem p = problem(on_simulated_device() ? 1 << 21 : 1 << 24);
  const Result result = call("prepare_timed", "x", "y", p);
  result.expect_clean();
  expect_success(result, "prepare");
  expect_values(result, "y", p);
  result.expect_bound("whole");
  passed("one round trip");
}

CHECK_CASE(one_pass) {
  const Problem p = problem(on_simulated_device() ? 1 << 22 : 1 << 26);
  const Result result = call("prepare_device_timed", "d_x", "d_y", p);
  result.expect_clean();
  expect_success(result, "prepare_device");
  expect_values(result, "d_y", p);
  result.expect_bound("fused");
  passed("one pass over device memory");
}
