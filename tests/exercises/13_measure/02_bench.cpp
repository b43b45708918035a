#include <workbook/check.h>

#include <cmath>

#include "subjects.h"

using namespace workbook;
using namespace measure;

EXERCISE(
    "13.2",
    "Write bench: how long a run takes on the device, with a cold cache or a hot one, and how sure that is.")

namespace {

constexpr double share = 0.10;  // how far an answer may be off

struct Asked {
  const char* kind;  // of the subject, see subjects.h
  bool cold;
  int phase = 0;
  const char* words;
};

// What bench says, and what the harness finds for the same subject in the same process.
struct Answer {
  Result result;
  bool cold;
  double of(const char* name) const { return result.number(name); }
  double said() const { return of("said"); }
  double truth() const { return of(cold ? "cold" : "hot"); }
  double other() const { return of(cold ? "hot" : "cold"); }
  bool near(double us, double within = share) const { return std::abs(said() / us - 1) <= within; }
};

Answer ask(const Asked& asked) {
  Run run("bench");
  run.say("{}, {}", asked.words, asked.cold ? "cold" : "hot").time_limit(on_simulated_device() ? 180 : 20);
  run.text("kind", asked.kind).value("cold", asked.cold ? 1 : 0).value("phase", asked.phase);
  Answer answer{run.go(), asked.cold};
  if (!answer.result.has("said")) answer.result.expect_clean();
  return answer;
}

std::vector<std::string> figures(const Answer& a) {
  return {fmt::format("you say {:.4g} us", a.said()),
          fmt::format(
              "the workbook measures {:.4g} us cold, {:.4g} us hot; the host needs {:.2g} us to queue a run",
              a.of("cold"), a.of("hot"), a.of("launch"))};
}

// What an answer that is not the truth looks like.
Finding finding_of(const Answer& a) {
  std::vector<std::string> evidence = figures(a);
  const double said = a.said(), truth = a.truth(), launch = a.of("launch");
  if (!(said > 0))
    return {"no_time", fmt::format("bench says {} us.", said), evidence, "When have both events happened?"};
  if (std::abs(said * 1000 / truth - 1) < 0.3)
    return {"milliseconds", "The time is too small by a factor of 1000.", evidence,
            "In which unit does cudaEventElapsedTime answer?"};
  if (said < 0.7 * std::min(truth, a.other()) && said < 3 * launch)
    return {"launch_time", fmt::format("{:.3g} us is about what the host needs to queue the run.", said),
            evidence, "Has the kernel ended when you read the clock?"};
  if (a.near(a.other(), 0.08)) {
    if (a.cold)
      return {"not_cold", "This is the time with the data in L2; asked was the time without.", evidence,
              "What did the run before it leave in the cache, and what has happened to that since?"};
    return {"not_hot", "This is the time with a cold cache; asked was the time with a hot one.", evidence,
            "What lies in the cache when a hot run begins?"};
  }
  if (a.cold && said < truth && said > a.other())
    return {"not_cold", "A part of what the run reads was still in L2.", evidence,
            "How many bytes does the cache hold, and how many have come in since the run before?"};
  if (said > truth && said - truth < 3 * launch + 6) {
    evidence.push_back(fmt::format("that is {:.2g} us too much for a run", said - truth));
    return {"launch_inside", "There is something of the launch in the time of a run.", evidence,
            a.cold ? "Is the device busy with something until the run has been queued?"
                   : "For how long does the device wait for the first launch of a sample, and by how many "
                     "runs is that divided?"};
  }
  return {"time", fmt::format("A run takes {:.4g} us, not {:.4g}.", truth, said), evidence,
          "What lies between your two events besides the run, or is missing there?"};
}

void expect_time(const Answer& a) {
  // As far as the harness's own samples scatter (not at all on the simulated device) nobody can be more
  // exact.
  const double room = share + a.of("scatter");
  if (a.said() >= (1 - room) * a.truth() && a.said() <= (1 + room) * a.truth()) return;
  a.result.fail(finding_of(a));
}

void expect_samples(const Answer& a) {
  const auto samples = a.result.integer("samples"), calls = a.result.integer("calls");
  a.result.expect_that(samples >= 15, {"few_samples",
                                       fmt::format("{} samples; asked were 15 or more.", samples),
                                       {},
                                       "How would you notice that one of them had bad luck?"});
  a.result.expect_that(calls >= samples, {"counted_wrongly",
                                          fmt::format("{} samples of {} runs.", samples, calls),
                                          {"A sample is at least one run."},
                                          "What does `samples` count?"});
}

void expect_given_back(const Result& result) {
  const auto left = result.trace().leaks();
  if (left.empty()) return;
  result.fail(
      {"left",
       fmt::format("{} bytes of device memory are still allocated when bench returns.", left.front().bytes),
       {fmt::format("allocated at line {}", left.front().line)},
       "Who gives back what you write to empty the cache?"});
}

Answer expect_true(const Asked& asked) {
  Answer a = ask(asked);
  expect_time(a);
  a.result.expect_clean();
  return a;
}

}  // namespace

CHECK_CASE(cold_and_hot) {
  std::string text;
  for (const bool cold : {true, false}) {
    look_again([&] {
      const Answer a = expect_true({"large", cold, 0, "a kernel that reads half a MiB"});
      expect_samples(a);
      expect_given_back(a.result);
      text += fmt::format("{}{:.3g} us {}", text.empty() ? "" : ", ", a.said(), cold ? "cold" : "hot");
    });
  }
  passed("one kernel: {}", text);
}

CHECK_CASE(a_short_one) {
  look_again([&] {
    const Answer a = expect_true({"short", false, 0, "a kernel of a few microseconds"});
    passed("a short kernel: {:.3g} us", a.said());
  });
}

CHECK_CASE(not_above_the_roof) {
  look_again([&] {
    const Answer a = ask({"stream", true, 0, "a sum over many numbers"});
    const double bytes = bytes_of("stream", on_simulated_device()), rate = bytes / a.said(),
                 roof = a.of("roof");
    auto evidence = figures(a);
    evidence.push_back(
        fmt::format("{:.0f} MiB in {:.4g} us are {:.0f} GB/s; a copy within the device reaches {:.0f}",
                    bytes / (1 << 20), a.said(), rate * 1e-3, roof * 1e-3));
    a.result.expect_that(rate <= 1.08 * roof,
                         {"above_the_roof", "The kernel reads faster than the memory can be read.", evidence,
                          "Where do its bytes come from?"});
    expect_time(a);
    a.result.expect_clean();
    passed("a sum: {:.0f} GB/s, the roof is at {:.0f}", rate * 1e-3, roof * 1e-3);
  });
}

CHECK_CASE(slow_at_first) {
  look_again([&] {
    const Answer a = ask({"slow", true, 0, "a run that is slow the first 30 times"});
    auto evidence = figures(a);
    evidence.push_back(
        "each of the first 30 runs takes some 2 or 3 % less than the one before; all others take the same");
    a.result.expect_that(a.said() < (1 + share + a.of("scatter")) * a.truth(),
                         {"not_settled", "There are runs among the samples that were still getting faster.",
                          evidence, "By what do you tell that the times no longer change?"});
    expect_time(a);
    a.result.expect_clean();
    passed("warm after its slow runs: {:.3g} us", a.said());
  });
}

CHECK_CASE(never_the_same) {
  double noise = 0;
  Inputs in(13);
  for (int i = 0; i < 2; ++i) {
    const int phase = static_cast<int>(in.one_of(fmt::format("phase{}", i), 0, 76));
    look_again([&] {
      const Answer a = ask({"varied", true, phase, "runs of which no two take the same time"});
      a.result.expect_that(a.result.integer("calls") < most_uneven_runs,
                           {"never_settles",
                            fmt::format("bench asked for more than {} runs.", most_uneven_runs),
                            {"The times of these runs never settle: no two of them are alike."},
                            "When does your warm-up give up?"});
      auto evidence = figures(a);
      evidence.push_back(
          "one run in eleven takes four times as long; of the others half take more than the workbook's "
          "figure, half less");
      a.result.expect_that(
          a.near(a.truth(), 0.10 + a.of("scatter")),
          {"not_typical", fmt::format("{:.4g} us is not what a typical run takes.", a.said()), evidence,
           "What does one unlucky run do to your figure?"});
      noise = a.of("noise");
      a.result.expect_that(noise > 0.1 && noise < 0.8,
                           {"noise",
                            fmt::format("noise is {:.3g}.", noise),
                            {"the middle half of these runs takes from 0.85 to 1.2 of the typical time",
                             "noise is (third quartile - first quartile) / median, over the samples; a cold "
                             "sample is one run"},
                            "Which numbers does your noise compare?"});
      a.result.expect_clean();
    });
  }
  passed("the typical one of uneven runs; noise {:.2f}", noise);
}
