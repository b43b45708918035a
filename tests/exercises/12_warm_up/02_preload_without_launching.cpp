// 12.2: after preload_batch the first batch loads nothing, and no kernel ran before it. The parent sets the
// loading mode, so that it is lazy whatever the machine's own is.
#include <workbook/check.h>

using namespace workbook;

EXERCISE("12.2", "Load all device code of a service before its first batch, without running any of it.")

namespace {

Result batches(bool preload) {
  const int n = 1000;
  const auto x = Inputs().floats("x", n);
  Run run("batches");
  run.say("{}", preload ? "preload_batch, then two batches" : "two batches")
      .value("preload", preload ? 1 : 0)
      .in("x", x)
      .out<float>("y", n)
      .out<float>("sums", n)
      .environment("CUDA_MODULE_LOADING", "LAZY")
      .environment("CUDA_MODULE_DATA_LOADING", "LAZY")
      .fresh_process();
  return run.go();
}

void expect_nothing_ran(const Result& result) {
  for (const Step& kernel : result.trace().kernels()) {
    if (kernel.label != "preload") continue;
    result.fail(
        {"kernel_ran",
         fmt::format("{} was launched by your preload.", kernel.name),
         {fmt::format("its grid: {} blocks of {} threads", kernel.grid[0], kernel.block[0]),
          "A launch does the kernel's work, once more than anybody asked for; or, of an empty grid, it is an "
          "error."},
         "Which calls ask something about a kernel that nobody can answer before it is loaded?"});
  }
}

// Both batches, and nothing else, went into the sums.
void expect_batches(const Result& result) {
  const auto x = Inputs().floats("x", 1000);
  std::vector<float> y(x.size()), sums(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float left = x[i > 0 ? i - 1 : 0], right = x[i + 1 < x.size() ? i + 1 : i];
    y[i] = (0.25f * left + 0.5f * x[i] + 0.25f * right) * 0.5f;
    sums[i] = y[i] + y[i];
  }
  result.expect_that(result.text("batch") == "cudaSuccess",
                     {"batch_failed",
                      fmt::format("run_batch says {}.", result.text("batch")),
                      {},
                      "Which launch of run_batch is refused?"});
  result.expect("y", y, within(1e-5));
  result.expect("sums", sums, within(1e-5));
}

std::string what_is_left(const Result& result, const FirstUse& use) {
  for (const Step& kernel : result.trace().kernels()) {
    if (use.begin_us >= kernel.host_begin_us && use.end_us <= kernel.host_end_us) return kernel.name;
  }
  return "running_sums";
}

// On the simulated device each thing that is loaded is an event.
void expect_nothing_left(const Result& result) {
  for (const FirstUse& use : result.trace().first_uses()) {
    if (use.label != "first" || use.kind == "first_launch") continue;
    const std::string what = what_is_left(result, use);
    const bool data = what == "running_sums";
    result.fail(
        {"still_loads",
         fmt::format("The first batch still loads {}: {:.0f} us.", what, use.us()),
         {fmt::format("preload_batch took {:.0f} us, the first batch {:.0f} us, the second {:.0f} us",
                      result.number("preload_us"), result.number("first_us"), result.number("second_us"))},
         data ? "A module has variables too. Who asked for this one before the first batch did?"
              : "Which of the kernels that run_batch launches does your preload reach, and does the call "
                "that you make load it?"});
  }
}

}  // namespace

CHECK_CASE(loads_and_runs_nothing) {
  const Result result = batches(true);
  expect_nothing_ran(result);
  result.expect_clean();
  result.expect_that(result.text("loaded") == "cudaSuccess",
                     {"preload_failed",
                      fmt::format("preload_batch says {}.", result.text("loaded")),
                      {},
                      "Which address did you give to which call?"});
  expect_batches(result);
  expect_nothing_left(result);
  passed("no kernel ran before the first batch");
}

CHECK_CASE(the_first_batch) {
  std::string text;
  look_again([&] {
    const Result lazy = batches(false), result = batches(true);
    const double before = lazy.number("first_us"), now = result.number("first_us");
    const std::string figures =
        fmt::format("the first batch {:.0f} us instead of {:.0f} us; preload_batch took {:.0f} us", now,
                    before, result.number("preload_us"));
    result.expect_that(
        now <= 0.35 * before,
        {"still_loads",
         fmt::format(
             "The first batch still loads something: it takes {:.0f} us, and {:.0f} us without your preload.",
             now, before),
         {fmt::format("at most {:.0f} us are allowed: 0.35 of it", 0.35 * before),
          fmt::format("preload_batch took {:.0f} us, the second batch {:.0f} us", result.number("preload_us"),
                      result.number("second_us"))},
         "What does run_batch use that your preload does not reach?"});
    text = figures;
  });
  passed("{}", text);
}

CHECK_CASE(errors_come_back) {
  const Result result = Run("no_such_thing").go();
  for (const char* what : {"kernel", "variable"}) {
    result.expect_that(result.integer(what) != 0,
                       {"error_lost",
                        fmt::format("preload says cudaSuccess for an address that is no {}.", what),
                        {"the call that looked for it said something else"},
                        "What does each of your calls return, and who looks at it?"});
  }
  result.expect_that(
      result.integer("none") == 0,
      {"error_for_nothing", "preload of nothing says an error.", {}, "What is there to go wrong?"});
  passed("errors come back");
}
