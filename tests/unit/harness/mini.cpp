// The check of the mini exercise. MISTAKE in the environment says what the learner's code does wrong.
#include <workbook/check.h>

#include <cstdlib>

using namespace workbook;

EXERCISE("0.1", "y = 2 x.")

namespace {
std::string mistake() {
  const char* text = std::getenv("MISTAKE");
  return text == nullptr ? "" : text;
}
}  // namespace

CHECK_CASE(right) {
  for (const int n : {0, 1, 10, 100}) {
    Inputs in(static_cast<std::uint64_t>(n));
    const auto x = in.floats("x", static_cast<std::size_t>(n));
    std::vector<float> expected;
    for (const float v : x) expected.push_back(2 * v);
    Run run("twice");
    run.say("n = {}", n)
        .value("n", n)
        .text("mistake", n == 100 ? mistake() : "")
        .in("x", x)
        .out<float>("y", x.size());
    const Result result = run.go();
    result.expect_clean();
    result.expect("y", expected);
  }
  passed("right for {} sizes", 4);
}

CHECK_CASE(steps) {
  const std::vector<float> x{1, 2, 3, 4};
  Run run("five_steps");
  run.value("n", 4).in("x", x).out<float>("y", 4);
  const Result result = run.go();
  result.expect_clean();
  result.expect("y", x);
  expect_that(result.trace().letters() == "A><F",
              {"steps", "The steps are " + result.trace().letters(), {}, {}});
  expect_that(result.trace().steps().at(0).line > 0 && result.trace().steps().at(0).label == "all",
              {"line", "No line.", {}, {}});
  expect_that(result.number("pi") == 3.25 && result.text("word") == "done",
              {"results", "Other results.", {}, {}});
  expect_that(result.array<float>("more") == std::vector<float>{1, 2, 3}, {"bytes", "Other bytes.", {}, {}});
}

CHECK_CASE(ranges) {
  Run run("ranged");
  run.in("x", std::vector<float>{5}).out<float>("y", 1);
  const Result result = run.go();
  result.expect_clean();
  const Trace& trace = result.trace();
  expect_that(trace.tree() == "epoch(batch(h2d) batch(h2d)) open", {"tree", trace.tree(), {}, {}});
  expect_that(trace.open_ranges().size() == 1 && trace.stray_pops() == 0, {"open", "Open ranges.", {}, {}});
  const auto batches = trace.ranges("batch");
  expect_that(trace.steps_in(batches.at(1)).size() == 2, {"steps_in", "Other steps.", {}, {}});
  expect_that(batches.at(0).line > 0 && batches.at(0).us() > 0, {"range", "No line or time.", {}, {}});
  expect_that(!trace.device_times_known() && batches.at(0).gpu_busy_us < 0, {"times", "Times.", {}, {}});
}

CHECK_CASE(allocation_fails) {
  const std::vector<float> x{1, 2, 3, 4};
  Run run("five_steps");
  run.value("n", 4).value("fail", 1).in("x", x).out<float>("y", 4);
  const Result result = run.go();
  expect_that(result.integer("error") == 2, {"error", "The error was not returned.", {}, {}});
  expect_that(result.error_name() == "cudaErrorMemoryAllocation",
              {"kept", "The error is gone: " + result.error_name(), {}, {}});
  expect_that(!result.clean(), {"clean", "It is called clean.", {}, {}});

  // The second copy, which brings the numbers home, copies nothing.
  Run second("five_steps");
  second.value("n", 4).value("fail copy", 2).in("x", x).out<float>("y", 4);
  const Result no_copy = second.go();
  expect_that(no_copy.error_name() == "cudaErrorInvalidMemcpyDirection",
              {"copy", "The copy did not fail: " + no_copy.error_name(), {}, {}});
}

CHECK_CASE(elsewhere) {
  if (mistake() == "not_run") not_run("needs a telescope");
  if (mistake() == "misuse") (void)Run("nothing").go();
  if (mistake() == "device_times") {
    const std::vector<float> x{1, 2, 3, 4};
    Run run("five_steps");
    run.device_times().value("n", 4).in("x", x).out<float>("y", 4);
    const Result result = run.go();
    const auto copies = result.trace().of(Step::Kind::copy);
    expect_that(result.trace().device_times_known(), {"unknown", "No device times.", {}, {}});
    expect_that(copies.size() == 2, {"copies", "Other copies.", {}, {}});
    for (const Step& copy : copies) {
      const double took = copy.device_end_us - copy.device_begin_us;
      expect_that(took > 0.49 && took < 0.51, {"took", fmt::format("It took {} us.", took), {}, {}});
      // The recorder's clock is an hour ahead; the record's is the host's.
      const double after = copy.device_begin_us - copy.host_begin_us;
      expect_that(after > 0 && after < 1e9, {"clock", fmt::format("It began {} us later.", after), {}, {}});
    }
    expect_that(copies[1].device_begin_us > copies[0].device_end_us, {"order", "Another order.", {}, {}});
  }
}

CHECK_CASE(in_time) {
  Run run("timed");
  run.value("us", mistake() == "slow" ? 3000.0 : 1000.0);
  const Result result = run.go();
  result.expect_bound("busy");
}

CHECK_CASE(measured_by_its_driver) {
  Run run("measured_alone");
  run.value("us", mistake() == "slow_alone" ? 3000.0 : 1500.0);
  run.value("noise", mistake() == "scatters" ? 0.5 : 0.01);
  const Result result = run.go();
  result.expect_bound("busy");
}
