#include <workbook/check.h>

#include <cmath>

#include "steps.h"

using namespace workbook;
using namespace five_steps;

EXERCISE("3.3", "Say how many microseconds each of the five steps takes, once everything is warm.")

namespace {

constexpr int mebi = 1 << 20;
constexpr int rounds = 40000;
constexpr const char* step_names[] = {"allocate", "copy_in", "kernel", "copy_out", "release"};

// What the learner said, and what the harness found for the same steps in the same process.
struct Times {
  Result result;
  double said(const char* step) const { return result.number(std::string("said.") + step); }
  double ours(const char* step) const { return result.number(std::string("ours.") + step); }
  double ratio(const char* step) const { return said(step) / ours(step); }
};

Times times(int mib, int rounds_of_work) {
  Run run("times");
  run.say("{} MiB, {} rounds", mib, rounds_of_work);
  run.value("n", mib * (mebi / static_cast<int>(sizeof(float)))).value("rounds", rounds_of_work);
  return {run.go()};
}

std::string compare_words(const char* step, const Times& t) {
  return fmt::format("{}: you say {:.4g} us, the workbook measures {:.4g} us", step, t.said(step),
                     t.ours(step));
}

// An event was read before it happened.
std::string not_ready(const Result& result) {
  constexpr int cuda_error_not_ready = 600;
  for (const Step& step : result.trace().steps()) {
    if (step.result == cuda_error_not_ready) {
      return fmt::format("{} returned cudaErrorNotReady: the event has not happened yet.", words(step));
    }
  }
  return {};
}

void expect_every_time(const Times& t) {
  for (const char* step : step_names) {
    if (t.said(step) > 0) continue;
    std::vector<std::string> evidence;
    if (const std::string why = not_ready(t.result); !why.empty()) {
      evidence.push_back(why);
    } else if (step != step_names[0] && step != step_names[4]) {
      evidence.push_back(
          "The runtime knows the time between two events when both have happened, not before.");
    }
    t.result.fail({"no_time", fmt::format("{}: {} us.", step, t.said(step)), evidence,
                   "Between which two readings of a clock does this step lie?"});
  }
}

void expect_microseconds(const Times& t) {
  for (const char* step : {"copy_in", "kernel", "copy_out"}) {
    if (t.ratio(step) < 0.0005 || t.ratio(step) > 0.002) continue;
    t.result.fail({"milliseconds",
                   fmt::format("{} is too small by a factor of about 1000.", step),
                   {compare_words(step, t)},
                   "In which unit does cudaEventElapsedTime answer?"});
  }
}

bool holds_the_copy(const Times& t) {
  return std::abs(t.said("kernel") / (t.ours("copy_in") + t.ours("kernel")) - 1) < 0.1;
}

// All measured from one start: each time holds those before it. For two sizes: for one of them, what a first
// launch takes may happen to be as long as the copy.
void expect_not_cumulative(const Times& t, const Times& large) {
  const bool summed = holds_the_copy(t) && holds_the_copy(large);
  t.result.expect_that(!summed, {"cumulative",
                                 "kernel is as long as copy_in and kernel together.",
                                 {compare_words("copy_in", t), compare_words("kernel", t)},
                                 "Where does the kernel's time begin?"});
}

void expect_warm(const Times& t) {
  t.result.expect_that(
      t.ratio("kernel") < 2.5,
      {"first_call",
       fmt::format("kernel: {:.1f} times as long as the workbook finds.", t.ratio("kernel")),
       {compare_words("kernel", t), "The workbook's launch was not the first one of the program."},
       "What happens at the first launch of a kernel that doesn't happen at the second?"});
}

// A copy of 64 MiB against one of 16 MiB.
void expect_copy_ratio(const char* step, const Times& small, const Times& large) {
  const double said = large.said(step) / small.said(step), ours = large.ours(step) / small.ours(step);
  large.result.expect_that(
      std::abs(said / ours - 1) <= 0.20,
      {std::string(step) + "_ratio",
       fmt::format("{}: 64 MiB take {:.2f} times as long as 16 MiB; the workbook finds {:.2f}.", step, said,
                   ours),
       {"16 MiB, " + compare_words(step, small), "64 MiB, " + compare_words(step, large)},
       "Had the copy arrived when you read the clock, and was it alone between your two readings?"});
}

void expect_kernel_ratio() {
  const Times little = times(16, rounds), much = times(16, 10 * rounds);
  const double said = much.said("kernel") / little.said("kernel");
  much.result.expect_that(
      said >= 7 && said <= 13,
      {"kernel_ratio",
       fmt::format("kernel: ten times the work takes {:.2f} times as long.", said),
       {fmt::format("{} rounds, {}", rounds, compare_words("kernel", little)),
        fmt::format("{} rounds, {}", 10 * rounds, compare_words("kernel", much))},
       "Had the kernel ended when you read the clock, and was it alone between your two readings?"});
}

struct Sum {
  double said = 0, ours = 0, whole = 0;
  explicit Sum(const Times& t) : whole(t.result.number("wall")) {
    for (const char* step : step_names) {
      said += t.said(step);
      ours += t.ours(step);
    }
  }
  // Taking times takes time too. How much, the workbook's own five show, timed with the same clocks: nothing
  // on the simulated device, up to a tenth of the whole on an H200 when the whole is under a millisecond.
  bool right() const { return std::abs(said / whole - 1) <= 0.10 + std::abs(ours / whole - 1); }
};

void expect_sum(int mib, int how_many_rounds) {
  const Times t = times(mib, how_many_rounds);
  const Sum sum(t);
  std::vector<std::string> evidence;
  for (const char* step : step_names) evidence.push_back(compare_words(step, t));
  t.result.expect_that(
      sum.right(),
      {"sum",
       fmt::format("The five times add up to {:.4g} us; the whole takes {:.4g} us.", sum.said, sum.whole),
       evidence, "Which moments are counted twice, and which by nobody?"});
}

// On a GPU the record has no events made and destroyed: then the two counts are 0.
void expect_events_destroyed(const Result& result) {
  int made = 0, destroyed = 0;
  for (const Step& step : result.trace().steps()) {
    made += worked(step) && step.api.rfind("cudaEventCreate", 0) == 0 ? 1 : 0;
    destroyed += worked(step) && step.api == "cudaEventDestroy" ? 1 : 0;
  }
  result.expect_that(destroyed >= made,
                     {"events_left",
                      fmt::format("{} events were made and {} destroyed.", made, destroyed),
                      {"What a function makes and nobody else gets to see stays until the program ends."},
                      "Who destroys an event when its times are read?"});
}

std::vector<float> refined(const std::vector<float>& x, int times) {
  std::vector<float> y = x;
  for (int i = 0; i < 256; ++i) {
    for (int r = 0; r < times; ++r) y[i] = std::fma(y[i], 0.9999f, 0.0001f);
  }
  return y;
}

}  // namespace

CHECK_CASE(the_times_are_true) {
  look_again([] {
    const Times little = times(16, rounds);
    if (!little.result.has("said.kernel")) little.result.expect_clean();
    expect_every_time(little);
    expect_microseconds(little);
    const Times large = times(64, rounds);
    expect_copy_ratio("copy_in", little, large);
    expect_not_cumulative(little, large);
    expect_warm(little);
    expect_kernel_ratio();
    expect_copy_ratio("copy_out", little, large);
    expect_sum(16, rounds);
    expect_sum(64, rounds);
    expect_sum(16, 10 * rounds);
    little.result.expect_clean();
  });
  passed("the five times add up, for two sizes and two amounts of work");
}

CHECK_CASE(the_array_arrives) {
  for (const int n : {256, 257, 1000, 100003}) {
    const std::vector<float> x = Inputs(static_cast<std::uint64_t>(n)).floats("x", n);
    Run run("contents");
    run.say("n = {}", n).value("rounds", 100).in("x", x).out<float>("y", x.size());
    const Result result = run.go();
    result.expect_clean();
    expect_a_kernel(result, 256 * sizeof(float));
    expect_all_freed(result);
    expect_events_destroyed(result);
    result.expect("y", refined(x, 100), within(1e-4));
    const std::uint64_t bytes = n * sizeof(float);
    result.expect_that(
        crossed(result, "host to device") >= bytes && crossed(result, "device to host") >= bytes,
        {"not_copied", "Not every float went in and came out.", list_copies(result),
         "What do steps two and four move?"});
  }
  passed("the array arrives whole");
}
