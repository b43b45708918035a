// 1.2: the launch returns at once and the kernel is done much later; both seen with the clock of the host.
#include <workbook/check.h>

#include <cmath>

using namespace workbook;

EXERCISE("1.2", "the host's time until a launch returns, and until its kernel is done.")

namespace {

// At least 5 ms on any clock up to 3 GHz.
constexpr long long least_cycles = 15'000'000;

struct Times {
  double returned, done;  // what the learner measured
  double event;           // between two events around the same call
};

Times times_of(const Result& result) {
  return {result.number("returned_us"), result.number("done_us"), result.number("event_us")};
}

std::vector<std::string> laid_out(const Times& t) {
  return {fmt::format("returned_us  {:10.1f}", t.returned), fmt::format("done_us      {:10.1f}", t.done),
          fmt::format("events       {:10.1f}   (the workbook's own, in microseconds)", t.event)};
}

std::vector<Step> timed_kernels(const Result& result) {
  std::vector<Step> timed;
  for (const Step& kernel : result.trace().kernels())
    if (kernel.label == "timed") timed.push_back(kernel);
  return timed;
}

bool uses_two_events(const Result& result) {
  int records = 0;
  for (const Step& step : result.trace().steps())
    records += step.api == "cudaEventRecord" && step.label == "timed";
  return records >= 2;
}

void expect_one_launch(const Result& result) {
  result.expect_clean();
  const auto kernels = timed_kernels(result);
  result.expect_that(!kernels.empty(), {"no_launch",
                                        "no kernel was launched.",
                                        {"There is nothing to time while the device has nothing to do."},
                                        "Which line of time_launch starts the kernel?"});
  result.expect_that(kernels.size() == 1, {"many_launches",
                                           fmt::format("time_launch launched {} kernels.", kernels.size()),
                                           {"Both times are to tell of one and the same launch."},
                                           "Which line is one launch too many?"});
}

void expect_a_real_spin(const Result& result, const Times& t, long long cycles) {
  const Step kernel = timed_kernels(result)[0];
  const double on_device =
      kernel.device_begin_us >= 0 ? kernel.device_end_us - kernel.device_begin_us : t.event;
  result.expect_that(
      on_device >= 5000,
      {"spin_too_short",
       fmt::format("the kernel took {:.1f} us for {} cycles.", on_device, cycles),
       {fmt::format("At 2 cycles a nanosecond they would take about {:.0f} us.", cycles / 2e3),
        "A loop that computes nothing anybody reads may be left out by the compiler."},
       "What does the loop of the kernel compare with what, and does it ask the clock each time?"});
}

// done_us belongs to the same microseconds as the events.
void expect_done(const Result& result, const Times& t) {
  for (const double unit : {1e-3, 1e3, 1e-6})
    result.expect_that(
        std::abs(t.done / unit / t.event - 1) > 0.05,
        {"unit",
         fmt::format("done_us is {:g}, and events around the call say {:.1f} us.", t.done, t.event),
         {fmt::format("It would be right but for a factor of {:g}.", 1 / unit)},
         "In which unit does your clock count, and which one is asked for?"});
  result.expect_that(t.done >= 0.5 * t.event,
                     {"done_too_early",
                      fmt::format("done_us is {:.1f}; the device was busy for {:.1f} us.", t.done, t.event),
                      laid_out(t), "What does the host wait for before it looks at the clock again?"});
  result.expect_that(
      std::abs(t.done / t.event - 1) <= 0.05,
      {"done_differs",
       fmt::format("done_us is {:.1f}, and events around the call say {:.1f} us.", t.done, t.event),
       laid_out(t), "Which moments lie at the two ends of done_us?"});
}

// From the begin of the launch to the end of the first wait after it, by the record of the calls; 0 when
// there was no wait.
double least_done(const Result& result) {
  const Step launch = timed_kernels(result)[0];
  for (const Step& step : result.trace().of(Step::Kind::synchronise)) {
    if (step.label == "timed" && step.host_begin_us >= launch.host_end_us)
      return step.host_end_us - launch.host_begin_us;
  }
  return 0;
}

// Without the launch's own time, done_us is too short by it: by 3.75 us on the simulated device. A double
// that holds the microseconds since 1970 steps by a quarter of one, and done_us is the difference of two
// such.
void expect_from_before_the_launch(const Result& result, const Times& t) {
  const double least = least_done(result);
  result.expect_that(
      t.done >= least - 1.0,
      {"done_from_the_return",
       fmt::format("done_us is {:.2f}; from before the launch it is at least {:.2f}.", t.done, least),
       {fmt::format("The difference is what the launch took: returned_us is {:.2f}.", t.returned)},
       "At which of your looks at the clock does done_us begin?"});
}

void expect_returned_early(const Result& result, const Times& t) {
  if (t.returned >= 0.1 * t.done && uses_two_events(result))
    result.fail({"return_from_events",
                 fmt::format("returned_us is {:.1f}, as long as the kernel: the time between two events.",
                             t.returned),
                 {"An event gets its time from the device, when all the work before it is over.",
                  "The launch returns on the host, long before."},
                 "Which clock ticks where the launch returns?"});
  result.expect_that(
      t.returned < 0.1 * t.done,
      {"returns_after_kernel",
       fmt::format("returned_us is {:.1f} of {:.1f}: by then the kernel was over.", t.returned, t.done),
       laid_out(t), "Is there anything between the launch and your look at the clock that waits?"});
}

// The shortest launch on record takes some 2 us of the host; two looks at the clock take less than 0.1.
void expect_launch_inside(const Result& result, const Times& t) {
  result.expect_that(t.returned > 0, {"returned_zero",
                                      fmt::format("returned_us is {:g}.", t.returned),
                                      {"A launch is quick, but it takes the host a few microseconds."},
                                      "Which two looks at the clock does returned_us lie between?"});
  result.expect_that(t.returned >= 0.3,
                     {"read_before_launch",
                      fmt::format("returned_us is {:.2f}: not even a launch is that quick.", t.returned),
                      {"To look at the clock twice, with nothing between, takes about as long."},
                      "What stands between the two looks that make returned_us?"});
  result.expect_that(
      t.done >= t.returned,
      {"done_before_return", fmt::format("done_us is {:.1f} and returned_us {:.1f}.", t.done, t.returned),
       laid_out(t), "Do both times start at the same moment?"});
}

}  // namespace

CHECK_CASE(a_long_kernel) {
  double times = 0;
  for (int k = 0; k < 2; ++k) {
    const long long cycles = least_cycles + Inputs(k).one_of("cycles", 0, 2'000'000);
    Run run("time_launch");
    run.say("{} cycles", cycles).value("cycles", cycles);
    const Result result = run.go();
    expect_one_launch(result);
    const Times t = times_of(result);
    expect_a_real_spin(result, t, cycles);
    expect_done(result, t);
    expect_returned_early(result, t);
    expect_launch_inside(result, t);
    expect_from_before_the_launch(result, t);
    times = t.done / t.returned;
  }
  passed("the launch returned {:.0f} times sooner than the kernel was done", times);
}

CHECK_CASE(an_empty_kernel) {
  Run run("time_launch");
  run.say("0 cycles").value("cycles", 0LL);
  const Result result = run.go();
  expect_one_launch(result);
  const Times t = times_of(result);
  expect_launch_inside(result, t);
  expect_from_before_the_launch(result, t);
  passed("a kernel with nothing to do: returned after {:.1f} us, done after {:.1f} us", t.returned, t.done);
}
