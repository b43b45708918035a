// 1.5: run_checked returns the error of the launch it made: neither none, nor somebody else's.
#include <workbook/check.h>

using namespace workbook;

EXERCISE("1.5", "run_checked launches once and returns that launch's own error.")

namespace {

constexpr int success = 0;

struct Launch {
  int blocks, threads;
  enum { nothing, allocation, same_launch } earlier;  // what has failed before, unread
  bool refused;
};

const char* earlier_in_words(const Launch& launch) {
  if (launch.earlier == Launch::nothing) return "";
  return launch.earlier == Launch::allocation ? ", after a failed cudaMalloc"
                                              : ", after the same launch once before";
}

std::string in_words(const Launch& launch) {
  return fmt::format("{} block{} of {} thread{}{}", launch.blocks, launch.blocks == 1 ? "" : "s",
                     launch.threads, launch.threads == 1 ? "" : "s", earlier_in_words(launch));
}

std::string why_refused(const Launch& launch) {
  if (launch.threads > 1024) return fmt::format("A block has at most 1024 threads, not {}.", launch.threads);
  return launch.blocks == 0 ? "A grid has at least 1 block." : "A block has at least 1 thread.";
}

// What the runtime itself says to the same launch. Its name for a refusal is not the same everywhere.
std::int64_t right_answer(const Result& result) {
  return result.integer("refusal");
}

bool waited(const Result& result) {
  return !result.trace().of(Step::Kind::synchronise).empty();
}

void expect_the_given_launch(const Result& result, const Launch& launch) {
  result.expect_that((right_answer(result) != success) == launch.refused,
                     {"launch_changed",
                      "launch_fill no longer launches what it is told.",
                      {why_refused(launch), "The check needs launch_fill and fill as they were."},
                      "What does launch_fill do with its blocks and its threads?"});
}

void expect_called_once(const Result& result) {
  const auto calls = result.integer("calls");
  result.expect_that(calls == 1, {calls == 0 ? "never_launched" : "launched_twice",
                                  fmt::format("run_checked called `launch` {} times, expected once.", calls),
                                  {calls == 0 ? "No launch, no error: that is not an answer."
                                              : "Each call is a launch of its own."},
                                  "Where in run_checked does the launch happen?"});
}

// Success was reported for a launch that was refused. Three ways to get there; what is left tells them apart.
void expect_refusal_noticed(const Result& result, const Launch& launch) {
  if (result.integer("error") != success) return;
  const std::string headline = "run_checked says cudaSuccess; the launch was refused, and no thread ran.";
  if (launch.earlier == Launch::same_launch)
    result.fail(
        {"taken_for_the_earlier",
         headline,
         {why_refused(launch), "An error of the same name had been left before: it was not this one."},
         "Two errors can have one name. How do you know, after the launch, which one you see?"});
  if (result.integer("left") == success)
    result.fail(
        {"read_and_lost",
         headline,
         {why_refused(launch), fmt::format("Its error was {}. Somebody read it, and now there is none left.",
                                           result.text("refusal name"))},
         "What does cudaGetLastError do besides telling the error, how often do you call it after the "
         "launch, and do you return every error that it tells?"});
  if (waited(result))
    result.fail(
        {"only_waited",
         headline,
         {why_refused(launch), "Waiting tells how the work ended that is under way. This launch never was."},
         "Who keeps the error of a launch that never got under way?"});
  result.fail({"not_asked",
               headline,
               {why_refused(launch),
                "Its error is still waiting for somebody to ask: " + result.text("refusal name") + "."},
               "A launch has no return value. Whom can the host ask after it?"});
}

void expect_no_blame(const Result& result, const Launch& launch) {
  if (launch.earlier == Launch::nothing) return;
  const auto error = result.integer("error");
  result.expect_that(
      error == right_answer(result) || error != result.integer("other"),
      {"blames_earlier",
       fmt::format("run_checked says {}; that error is older than the launch.", result.text("name")),
       {!launch.refused ? "The launch itself was accepted."
                        : "The launch was refused for another reason: " + why_refused(launch),
        "An error stays until somebody takes it away, and good calls do not."},
       "What must be true of the last error before the launch, so that after it there is no doubt?"});
}

void expect_own_error(const Result& result, const Launch& launch) {
  const auto error = result.integer("error");
  result.expect_that(
      error == right_answer(result),
      {"another_error",
       fmt::format("run_checked says {}, expected {}.", result.text("name"), result.text("refusal name")),
       {launch.refused ? why_refused(launch) : "The launch was accepted."},
       "Which call gave you this error, and about what?"});
  const std::string text = result.text("text"), expected = result.text("expected text");
  result.expect_that(text == expected,
                     {"text",
                      fmt::format("the text is \"{}\", expected \"{}\".", text, expected),
                      {fmt::format("The error is {}.", result.text("name"))},
                      "Which function turns an error into words, and which error did it get?"});
}

// An error that is left would be blamed on the next one.
void expect_nothing_left(const Result& result) {
  result.expect_that(result.integer("left") == success,
                     {"left_behind",
                      "run_checked told the error, and left it where it was.",
                      {"The next one who asks gets the same error once more, whatever they did."},
                      "Of the two functions that tell the last error, which one also takes it away?"});
}

void check(const Launch& launch) {
  const int value = static_cast<int>(Inputs(launch.threads).one_of("value", 1, 1'000'000));
  const auto elements = static_cast<std::size_t>(launch.blocks) * static_cast<std::size_t>(launch.threads);
  Run run("launch");
  run.say("{}", in_words(launch));
  run.value("blocks", launch.blocks).value("threads", launch.threads).value("value", value);
  run.value("refused", launch.refused ? 1 : 0)
      .value("earlier", static_cast<int>(launch.earlier))
      .out<int>("out", elements);
  const Result result = run.go();
  if (!result.has("error")) result.expect_clean();  // it broke off: say how
  expect_the_given_launch(result, launch);
  expect_called_once(result);
  if (launch.refused) expect_refusal_noticed(result, launch);
  expect_no_blame(result, launch);
  expect_own_error(result, launch);
  expect_nothing_left(result);
  if (!launch.refused) result.expect("out", std::vector<int>(elements, value));
}

Launch good(decltype(Launch::earlier) earlier) {
  Inputs in(static_cast<std::uint64_t>(earlier));
  return {static_cast<int>(in.one_of("blocks", 1, 9)), static_cast<int>(in.one_of("threads", 1, 1024)),
          earlier, false};
}

Launch too_many_threads(decltype(Launch::earlier) earlier) {
  Inputs in(static_cast<std::uint64_t>(earlier));
  return {static_cast<int>(in.one_of("blocks", 1, 9)), static_cast<int>(in.one_of("too many", 1025, 2048)),
          earlier, true};
}

}  // namespace

CHECK_CASE(a_launch_that_is_accepted) {
  check(good(Launch::nothing));
  passed("cudaSuccess for a good launch");
}

CHECK_CASE(launches_that_are_refused) {
  check(too_many_threads(Launch::nothing));
  check({0, 32, Launch::nothing, true});
  check({3, 0, Launch::nothing, true});
  passed("the error of 3 launches that were refused");
}

CHECK_CASE(errors_of_others) {
  check(good(Launch::allocation));
  check(too_many_threads(Launch::allocation));
  check(too_many_threads(Launch::same_launch));
  passed("no blame for an earlier error");
}
