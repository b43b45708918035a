#include <workbook/check.h>

#include <algorithm>

#include "steps.h"

using namespace workbook;
using namespace five_steps;

EXERCISE("3.1", "c = a + b for n floats in host memory: allocate, copy in, launch, copy out, free.")

namespace {

constexpr std::uint64_t float_size = sizeof(float);

struct Problem {
  std::vector<float> a, b, sums;
};

Problem problem(int n) {
  Inputs inputs(static_cast<std::uint64_t>(n));
  Problem p{inputs.floats("a", n), inputs.floats("b", n), std::vector<float>(n)};
  for (int i = 0; i < n; ++i) p.sums[i] = p.a[i] + p.b[i];
  return p;
}

Result call(const Problem& p, const std::string& words, int block, int calls) {
  const int n = static_cast<int>(p.sums.size());
  Run run("vector_add");
  run.say("{}", words).value("n", n).value("block", block).value("calls", calls);
  return run.in("a", p.a).in("b", p.b).out<float>("c", p.sums.size()).go();
}

// One call in which that allocation, copy or launch fails, then one with blocks of 256 in which nothing does.
Result call_that_fails(const Problem& p, const std::string& words, int block, const std::string& kind,
                       int nth) {
  Run run("failing");
  run.say("{}", words).value("n", static_cast<int>(p.sums.size())).value("block", block);
  run.text("kind", kind).value("nth", nth);
  return run.in("a", p.a).in("b", p.b).out<float>("c", p.sums.size()).go();
}

// n where the runtime wants n * sizeof(float).
void expect_bytes_not_elements(const Result& result, const Problem& p) {
  const std::uint64_t n = p.sums.size(), bytes = n * float_size;
  if (n < 2) return;
  bool quarter = n >= float_size && result.clean();
  if (quarter) {
    const std::vector<float> c = result.array<float>("c");
    quarter = std::equal(c.begin(), c.begin() + static_cast<std::ptrdiff_t>(n / float_size), p.sums.begin());
  }

  const auto blame = [&](const Step& step, const std::string& did) {
    std::vector<std::string> evidence = {
        fmt::format("{} bytes hold {} of the {} floats: that is n / sizeof(float).", n, n / float_size, n)};
    if (quarter) evidence.push_back("The first quarter of c is right, and only that.");
    result.fail({"pattern.bytes", fmt::format("{} {}", words(step), did), evidence,
                 "In which unit do cudaMalloc and cudaMemcpy want their sizes?"});
  };
  std::uint64_t allocated = 0;
  for (const Step& step : result.trace().of(Kind::allocate)) allocated += step.bytes;
  for (const Step& step : result.trace().of(Kind::allocate)) {
    if (step.bytes == n && allocated < 3 * bytes) {
      blame(step, fmt::format("allocated {} bytes, the array has {}.", n, bytes));
    }
  }
  const bool in = crossed(result, "host to device") == 2 * bytes,
             out = crossed(result, "device to host") == bytes;
  for (const Step& step : result.trace().of(Kind::copy)) {
    if (step.bytes == n && !(step.direction == "device to host" ? out : in)) {
      blame(step, fmt::format("copied {} bytes, the buffer has {}.", n, bytes));
    }
  }
}

// Something goes in before the first kernel, and nothing comes out before it.
void expect_order(const Result& result) {
  const std::vector<Step> steps = in_order(result);
  const auto first = [&](Kind kind, const std::string& direction = {}) {
    return std::find_if(steps.begin(), steps.end(), [&](const Step& step) {
      return step.kind == kind && (direction.empty() || step.direction == direction);
    });
  };
  const auto kernel = first(Kind::kernel);
  if (kernel == steps.end()) return;
  const std::vector<std::string> evidence = {fmt::format("the steps: {}", steps_in_words(result))};
  result.expect_that(first(Kind::copy, "host to device") < kernel,
                     {"order", "The kernel was launched before the inputs were on the device.", evidence,
                      "What did the kernel read?"});
  result.expect_that(first(Kind::copy, "device to host") > kernel,
                     {"order", "The result was copied out before the kernel was launched.", evidence,
                      "What did that copy find in d_c?"});
}

void expect_copies(const Result& result, std::uint64_t bytes) {
  const std::uint64_t in = crossed(result, "host to device"), out = crossed(result, "device to host");
  result.expect_that(
      in <= 2 * bytes,
      {"extra_copy_in", fmt::format("{} bytes went to the device; the inputs are {}.", in, 2 * bytes),
       list_copies(result), "Does the device need the old content of c?"});
  result.expect_that(
      in == 2 * bytes && out == bytes,
      {"bytes_copied",
       fmt::format("{} bytes went in and {} came out; it should be {} and {}.", in, out, 2 * bytes, bytes),
       list_copies(result), "What has to cross the bus, and how often?"});
}

void expect_success(const Result& result) {
  result.expect_that(result.integer("status") == 0,
                     {"returned_error",
                      fmt::format("vector_add returned {}.", result.text("status_name")),
                      {fmt::format("the steps: {}", steps_in_words(result))},
                      "Which step refused, and was there anything for it to do?"});
}

std::string ordinal(int k) {
  return k == 1 ? "first" : k == 2 ? "second" : "third";
}

}  // namespace

CHECK_CASE(sums_of_every_size) {
  std::vector<int> sizes = awkward_sizes(256);
  sizes.insert(sizes.begin(), 33);  // long enough to show a pattern, short enough to read
  for (const int n : sizes) {
    const Problem p = problem(n);
    const Result result = call(p, fmt::format("n = {}", n), 256, 1);
    expect_bytes_not_elements(result, p);
    expect_no_early_free(result);
    if (n > 0) expect_order(result);
    result.expect_clean();
    expect_success(result);
    result.expect("c", p.sums);
  }
  passed("right for {} sizes", sizes.size() - 1);
}

CHECK_CASE(five_steps_and_no_more) {
  const int n = 1000;
  const Problem p = problem(n);
  const Result result = call(p, fmt::format("n = {}", n), 128, 1);
  result.expect_clean();
  expect_a_kernel(result, n * float_size);
  expect_copies(result, n * float_size);
  expect_no_double_free(result);
  for (const Step& kernel : result.trace().kernels()) {
    result.expect_that(kernel.block[0] == 128,
                       {"block_ignored",
                        fmt::format("The caller asked for blocks of 128 threads, {} ran with {}.",
                                    kernel.name, kernel.block[0]),
                        {},
                        "Where does your launch take its block size from?"});
  }
  passed("two arrays in, one out");
}

CHECK_CASE(a_hundred_calls) {
  const Problem p = problem(1000);
  const Result result = call(p, "100 calls", 256, 100);
  result.expect_clean();
  expect_success(result);
  expect_all_freed(result);
  result.expect("c", p.sums);
  passed("nothing left after 100 calls");
}

CHECK_CASE(a_step_is_refused) {
  const Problem p = problem(1000);
  for (const char* kind : {"allocation", "copy", "launch"}) {
    for (int k = 1; k <= (kind == std::string("launch") ? 1 : 3); ++k) {
      const std::string what = fmt::format("the {} {}", ordinal(k), kind);
      const Result result = call_that_fails(p, what + " is refused", 256, kind, k);
      if (expect_reported(result, "vector_add", what)) result.expect("c", p.sums);
    }
  }
  passed("each refused step is reported, nothing leaks, and the next call is well");
}

CHECK_CASE(too_many_threads) {
  const Problem p = problem(1000);
  const Result result = call_that_fails(p, "blocks of 2048 threads, then of 256", 2048, "", 0);
  expect_reported(result, "vector_add", "a launch with blocks of 2048 threads");
  result.expect("c", p.sums);
  passed("so is a block that no device accepts");
}

CHECK_CASE(no_slower_than_its_steps) {
  const int n = on_simulated_device() ? 1 << 22 : 1 << 24;
  const Problem p = problem(n);
  Run run("vector_add_timed");
  run.say("n = {}", n).value("n", n);
  const Result result = run.in("a", p.a).in("b", p.b).out<float>("c", p.sums.size()).go();
  result.expect_clean();
  expect_success(result);
  result.expect("c", p.sums);
  result.expect_bound("total");
  passed("the whole takes no longer than its steps");
}
