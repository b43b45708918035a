// 12.1: the stages of a process's first second, each beside the workbook's own, in processes of their own.
// The parent, which is this check, sets the environment of each.
#include <workbook/check.h>

#include <cmath>

#include "children.h"

using namespace workbook;
using namespace warm_up;

EXERCISE("12.1",
         "What a program waits for when it uses the GPU for the first time, one cause after the other.")

namespace {

constexpr int n = 4096;
constexpr const char* loading = "CUDA_MODULE_LOADING";

Result child(const char* driver, const char* say, const Variables& variables) {
  Run run(driver);
  run.say("{}", say).value("n", n).fresh_process();
  for (const auto& [name, value] : variables) run.environment(name, value);
  Result result = run.go();
  result.expect_clean();
  return result;
}

struct Stage {
  const char* name;
  const char* words;
  double gpu_factor;  // how far apart two processes on a GPU may be
};
constexpr Stage stages[] = {{"context_us", "the context", 2.5},
                            {"allocation_us", "the first cudaMalloc", 4},
                            {"first_us", "the first launch", 2.5},
                            {"second_us", "the second launch", 2.0},
                            {"other_us", "another kernel's first launch", 2.2}};

// The step that made the context: nothing else takes that long.
const Step* context_maker(const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    if (step.host_end_us - step.host_begin_us > 10'000) return &step;
  }
  return nullptr;
}

// No kernel was waited for before the next call of a launch began.
bool no_wait(const Trace& trace) {
  const auto kernels = trace.kernels();
  for (std::size_t k = 0; k + 1 < kernels.size(); ++k) {
    if (trace.device_times_known() && kernels[k].device_end_us > kernels[k + 1].host_begin_us) return true;
  }
  return !trace.device_times_known() && trace.letters().find("KK") != std::string::npos;
}

std::string told(const Result& result, const char* name) {
  const double us = result.number(name);
  return us < 1000 ? fmt::format("{:.4g} us", us) : fmt::format("{:.0f} us", us);
}

std::vector<std::string> table(const Result& said, const Result& own) {
  std::vector<std::string> lines;
  for (const Stage& stage : stages)
    lines.push_back(fmt::format("{:<30} {:>12} yours {:>12} ours", stage.words, told(said, stage.name),
                                told(own, stage.name)));
  return lines;
}

const char* question_for(const Stage& stage, bool too_little) {
  const std::string_view name = stage.name;
  if (name == "context_us")
    return too_little
               ? "Which call of yours was the first of this process, and is it between your two clocks?"
               : "What else is between your two clocks, besides the context?";
  if (name == "allocation_us") return "What has to be there before the first cudaMalloc can do its own work?";
  if (too_little && name == "first_us")
    return "How many times was this kernel launched before, in this process?";
  if (too_little && name == "other_us") return "Is this kernel launched for the first time here?";
  return "What lies between your two readings of the clock, and is the device done at the second one?";
}

void expect_stages(const Result& said, const Result& own) {
  if (const Step* maker = context_maker(said.trace().steps());
      maker != nullptr && maker->kind == Step::Kind::allocate) {
    said.fail({"context_in_malloc",
               fmt::format("Your first cudaMalloc took {:.0f} us: it also made the context.",
                           maker->host_end_us - maker->host_begin_us),
               table(said, own), "Which call makes the context and does nothing else?"});
  }
  if (no_wait(said.trace()) && said.number("second_us") < 0.8 * own.number("second_us")) {
    said.fail({"no_sync",
               fmt::format("second_us is {}, and the kernel was not done then.", told(said, "second_us")),
               table(said, own),
               "A launch returns early (1.2). What do you wait with before you read the clock again?"});
  }
  for (const Stage& stage : stages) {
    const double a = said.number(stage.name), b = own.number(stage.name);
    const double factor = on_simulated_device() ? 1.3 : stage.gpu_factor;
    const double slack = on_simulated_device() ? 2 : 20;
    if (a >= b / factor - slack && a > 0.3 * b / factor && a <= b * factor + slack) continue;
    said.fail(
        {"stage",
         fmt::format("{} is {}, and ours is {}.", stage.name, told(said, stage.name), told(own, stage.name)),
         table(said, own), question_for(stage, a < b)});
  }
}

void expect_kernels(const Result& said) {
  const auto kernels = said.trace().kernels();
  const auto of = [&](const char* name) {
    return std::count_if(kernels.begin(), kernels.end(), [&](const Step& k) { return k.name == name; });
  };
  said.expect_that(of("fill_kernel") >= 2 && of("double_kernel") >= 1,
                   {"launches",
                    fmt::format("fill_kernel was launched {} times, double_kernel {} times.",
                                of("fill_kernel"), of("double_kernel")),
                    {"calls in order: " + said.trace().letters()},
                    "Which kernel goes first, which second, and which is the other one?"});
}

// The host's time in the first call that launches: there a lazy process loads.
double first_call_us(const Result& result) {
  const auto kernels = result.trace().kernels();
  return kernels.empty() ? 0 : kernels.front().host_end_us - kernels.front().host_begin_us;
}

// What the lazy process loads when it launches, the eager one has loaded before.
void expect_eager(const Result& eager, const Result& lazy, const Variables& variables) {
  if (first_call_us(eager) < 0.6 * first_call_us(lazy)) return;
  const std::string said = value_of(variables, loading);
  fail({"still_lazy",
        "The eager child still loads its kernels when it launches them.",
        {fmt::format("its parent set: {}", words(variables)),
         fmt::format("its first call of a launch took {:.0f} us, that of a lazy child {:.0f} us",
                     first_call_us(eager), first_call_us(lazy))},
        said.empty()
            ? "What did the parent set? (A variable that is set once the process runs comes too late: the "
              "driver has read it.)"
            : fmt::format("Which values does {} have?", loading)});
}

using Numbers = std::vector<double>;  // as struct Stages has them

Numbers numbers_of(const Result& result) {
  Numbers out;
  for (const Stage& stage : stages) out.push_back(result.number(stage.name));
  return out;
}

void expect_loading(const Numbers& lazy, const Numbers& eager) {
  Run run("loading");
  run.say("first launch {:.4g} us lazy, {:.4g} us eager", lazy[2], eager[2])
      .in("lazy", lazy)
      .in("eager", eager);
  const Result result = run.go();
  result.expect_clean();
  const double us = result.number("us"), expected = lazy[2] - eager[2];
  if (std::abs(us - expected) <= 1e-6 * (lazy[2] + eager[2])) return;
  std::vector<std::string> evidence;
  for (std::size_t i = 0; i < std::size(stages); ++i)
    evidence.push_back(
        fmt::format("{:<30} {:>10.5g} us lazy {:>10.5g} us eager", stages[i].words, lazy[i], eager[i]));
  result.fail({"loading", fmt::format("loading_us says {:.5g} us, and it is {:.5g} us.", us, expected),
               evidence,
               "Both did the same in their first launch, but for one thing. Which two numbers tell it?"});
}

Variables eager_variables() {
  Run run("variables");
  const Result result = run.go();
  result.expect_clean();
  const Variables variables = parse_variables(result.text("variables"));
  expect_known(variables, {loading, "CUDA_MODULE_DATA_LOADING"});
  return variables;
}

}  // namespace

CHECK_CASE(a_lazy_child) {
  std::string text;
  look_again([&] {
    const Variables lazy = {{loading, "LAZY"}};
    const Result said = child("dissect", "a child that loads lazily", lazy);
    const Result own = child("own", "ours", lazy);
    expect_kernels(said);
    expect_stages(said, own);
    text = fmt::format("the context: {}, the first launch: {}, the second: {}, another kernel's first: {}",
                       told(said, "context_us"), told(said, "first_us"), told(said, "second_us"),
                       told(said, "other_us"));
  });
  passed("{}", text);
}

CHECK_CASE(an_eager_child) {
  const Variables variables = eager_variables();
  std::string text;
  look_again([&] {
    const Result said = child("dissect", "a child that loads eagerly", variables);
    const Result own = child("own", "ours", {{loading, "EAGER"}});
    const Result lazy = child("own", "ours", {{loading, "LAZY"}});
    expect_eager(said, lazy, variables);
    expect_stages(said, own);
    text = fmt::format("with {}: the context {}, the first launch {}", words(variables),
                       told(said, "context_us"), told(said, "first_us"));
  });
  passed("{}", text);
}

CHECK_CASE(what_loading_takes) {
  const Numbers rows[][2] = {{{204000, 100, 514, 10, 21}, {204600, 100, 44, 10, 11}},
                             {{310000, 90, 1250, 9, 33}, {318000, 140, 61, 12, 14}},
                             {{204000, 100, 60, 10, 21}, {204600, 100, 60, 10, 11}}};
  for (const auto& row : rows) expect_loading(row[0], row[1]);
  const Result lazy = child("own", "ours", {{loading, "LAZY"}}),
               eager = child("own", "ours", {{loading, "EAGER"}});
  expect_loading(numbers_of(lazy), numbers_of(eager));
  passed("loading takes {:.4g} us of the first launch", lazy.number("first_us") - eager.number("first_us"));
}
