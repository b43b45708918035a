#include <workbook/check.h>

#include <algorithm>
#include <cstring>

#include "steps.h"

using namespace workbook;
using namespace five_steps;

EXERCISE("3.2", "c = a + b in batches, with allocation and release outside the loop.")

namespace {

// 64 batches of 256 KiB on a GPU. On the simulated device the same number of elements in fewer, larger
// batches: its model knows what a new mapping costs (blocks above 2 MiB), not that a small block may need one
// too.
struct Shape {
  int batches, batch;
};
Shape timed_shape() {
  return on_simulated_device() ? Shape{7, 590'000} : Shape{64, 1 << 16};
}

struct Problem {
  int n, batch;
  std::vector<float> a, b, a2, b2;  // with room for whole batches
  std::vector<float> sums, sums2;   // n

  int room() const { return (n + batch - 1) / batch * batch; }
};

std::vector<float> add(const std::vector<float>& a, const std::vector<float>& b, int n) {
  std::vector<float> sums(n);
  for (int i = 0; i < n; ++i) sums[i] = a[i] + b[i];
  return sums;
}

Problem problem(int n, int batch) {
  Problem p{n, batch, {}, {}, {}, {}, {}, {}};
  Inputs inputs(static_cast<std::uint64_t>(n) * 65537 + static_cast<std::uint64_t>(batch));
  p.a = inputs.floats("a", p.room()), p.b = inputs.floats("b", p.room());
  p.a2 = inputs.floats("a2", p.room()), p.b2 = inputs.floats("b2", p.room());
  p.sums = add(p.a, p.b, n), p.sums2 = add(p.a2, p.b2, n);
  return p;
}

Result call(const Problem& p) {
  Run run("add_batches");
  run.say("n = {}, batches of {}", p.n, p.batch).value("n", p.n).value("batch", p.batch);
  run.in("a", p.a).in("b", p.b).in("a2", p.a2).in("b2", p.b2);
  return run.out<float>("c", p.room()).out<float>("c2", p.room()).go();
}

bool poison(float v) {
  std::uint32_t bits;
  std::memcpy(&bits, &v, sizeof bits);
  return bits == 0xffffffffu;
}

// What lies behind the last element belongs to the caller.
void expect_tail_untouched(const Result& result, const Problem& p) {
  const std::vector<float> c = result.array<float>("c");
  for (int i = p.n; i < p.room(); ++i) {
    if (poison(c[i])) continue;
    const bool stale = i >= p.batch && c[i] == p.sums[i - p.batch];
    result.fail({stale ? "pattern.stale" : "wrote_behind_the_end",
                 fmt::format("c[{}] was written, and the result ends at c[{}].", i, p.n - 1),
                 {fmt::format("The last batch has {} of {} elements.", p.n % p.batch, p.batch),
                  stale ? fmt::format("c[{}] = {} is a sum of the batch before it: stale.", i, c[i])
                        : fmt::format("c[{}] = {}", i, c[i])},
                 "What is in d_c behind the elements of the last, shorter batch?"});
  }
}

// The second call brought new numbers to the same addresses.
void expect_not_remembered(const Result& result, const Problem& p) {
  const std::vector<float> c2 = result.array<float>("c2");
  for (int i = 0; i < p.n; ++i) {
    if (c2[i] == p.sums2[i] || c2[i] != p.sums[i]) continue;
    result.fail({"pattern.stale",
                 fmt::format("In the second call, c[{}] is the sum of the first call.", i),
                 {fmt::format("got {}, expected {}; the arrays are the same, their contents are new", c2[i],
                              p.sums2[i])},
                 "What does your function remember from one call to the next?"});
  }
}

// Batch k holds the sums of batch 0: the host pointers stand still.
void expect_batches_move(const Result& result, const Problem& p) {
  const std::vector<float> c = result.array<float>("c");
  for (int i = p.batch; i < p.n; ++i) {
    if (c[i] == p.sums[i] || c[i] != p.sums[i % p.batch]) continue;
    result.fail({"same_batch",
                 fmt::format("Batch {} holds the sums of batch 0: c[{}].", i / p.batch, i),
                 {fmt::format("got {}, expected {}", c[i], p.sums[i])},
                 "Which part of a and b does each turn of the loop copy in?"});
  }
}

// A block freed in the order of one stream while another stream's work on it has not been waited for.
void expect_not_freed_in_flight(const Result& result) {
  const std::vector<Step> steps = in_order(result);
  for (const Block& block : blocks_of(steps)) {
    if (block.released == steps.size() || steps[block.released].api.find("Async") == std::string::npos)
      continue;
    const int freeing = steps[block.released].stream;
    const Step* user = nullptr;
    for (std::size_t i = block.allocated; i < block.released; ++i) {
      const Step& step = steps[i];
      const bool waits = step.kind == Kind::synchronise || step.api.find("WaitEvent") != std::string::npos;
      if (waits) user = nullptr;
      const bool touches = step.kind == Kind::copy && (block.holds(step.source) || block.holds(step.address));
      if (touches && step.asynchronous && step.stream != freeing && step.stream > 0 && freeing > 0)
        user = &step;
    }
    if (user == nullptr) continue;
    result.fail(
        {"freed_in_flight",
         fmt::format("{} frees a block on which another stream still works.", words(steps[block.released])),
         {fmt::format(
             "freed in the order of stream {}; {} works on it in stream {}, and nobody waits for that",
             freeing, words(*user), user->stream)},
         "In which stream's order does the block become free?"});
  }
}

// The buffers serve a few batches, and each batch gets its launch: n may be more than the device holds.
void expect_batches(const Result& result, const Problem& p) {
  const auto batches = static_cast<std::size_t>((p.n + p.batch - 1) / p.batch);
  std::size_t launches = 0;
  for (const Step& kernel : result.trace().kernels()) launches += worked(kernel) ? 1 : 0;
  result.expect_that(
      launches >= 2 * batches,
      {"no_batches",
       fmt::format("{} launches in two calls of {} batches each.", launches, batches),
       {"n may be far more than the memory of the device holds: that is what batches are for."},
       "What does one turn of the loop do?"});
  std::uint64_t now = 0, most = 0;
  const std::vector<Step> steps = in_order(result);
  const std::vector<Block> blocks = blocks_of(steps);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (const Block& block : blocks) {
      if (block.allocated == i) now += block.bytes;
      if (block.released == i) now -= block.bytes;
    }
    most = std::max(most, now);
  }
  const std::uint64_t batch_bytes = static_cast<std::uint64_t>(p.batch) * sizeof(float);
  if (batches < 8) return;
  result.expect_that(
      most <= 12 * batch_bytes,
      {"whole_arrays",
       fmt::format("{} bytes were allocated at one time; a batch of one array has {}.", most, batch_bytes),
       {"n may be far more than the memory of the device holds: that is what batches are for."},
       "How much of each array is on the device at one time?"});
}

void expect_success(const Result& result) {
  result.expect_that(result.integer("status") == 0,
                     {"returned_error",
                      fmt::format("add_batches returned {}.", result.text("status_name")),
                      {fmt::format("the steps: {}", steps_in_words(result))},
                      "Which step refused?"});
}

}  // namespace

CHECK_CASE(every_batch) {
  const std::pair<int, int> shapes[] = {{1000, 256}, {0, 256},     {1, 256},   {31, 32},
                                        {32, 32},    {33, 32},     {255, 256}, {256, 256},
                                        {257, 256},  {9001, 1000}, {97, 97},   {4999, 1021}};
  for (const auto& [n, batch] : shapes) {
    const Problem p = problem(n, batch);
    const Result result = call(p);
    expect_no_early_free(result);
    expect_no_double_free(result);
    expect_not_freed_in_flight(result);
    result.expect_clean();
    expect_success(result);
    expect_batches_move(result, p);
    expect_not_remembered(result, p);
    expect_tail_untouched(result, p);
    std::vector<float> c = result.array<float>("c"), c2 = result.array<float>("c2");
    std::vector<float> sums = c, sums2 = c2;  // the tail is as it was
    std::copy(p.sums.begin(), p.sums.end(), sums.begin());
    std::copy(p.sums2.begin(), p.sums2.end(), sums2.begin());
    result.expect("c", sums, same_bits());
    result.expect("c2", sums2, same_bits());
    expect_all_freed(result);
    if (n > 0) expect_a_kernel(result, 2 * n * sizeof(float));
    if (n > 0) expect_batches(result, p);
  }
  passed("right for {} shapes of batches", std::size(shapes));
}

CHECK_CASE(a_step_is_refused) {
  const Problem p = problem(1000, 256);
  struct Failure {
    const char* kind;
    std::initializer_list<int> which;
  };
  for (const auto& [kind, which] :
       {Failure{"allocation", {1, 2, 3}}, Failure{"copy", {1, 2, 3, 5, 12}}, Failure{"launch", {1, 2}}}) {
    for (const int nth : which) {
      const std::string what = fmt::format("{} number {}", kind, nth);
      Run run("failing");
      run.say("{} is refused", what).value("n", p.n).value("batch", p.batch);
      run.text("kind", kind).value("nth", nth).in("a", p.a).in("b", p.b).out<float>("c", p.room());
      const Result result = run.go();
      if (!expect_reported(result, "add_batches", what)) continue;
      std::vector<float> sums = result.array<float>("c");
      std::copy(p.sums.begin(), p.sums.end(), sums.begin());
      result.expect("c", sums, same_bits());
    }
  }
  passed("each refused step is reported, nothing leaks, and the next call is well");
}

CHECK_CASE(one_and_five_are_hoisted) {
  const auto [batches, batch] = timed_shape();
  const int n = batches * batch - 1234;  // the last batch is shorter here too
  const Problem p = problem(n, batch);
  Run run("add_batches_timed");
  run.say("{} batches", batches).value("n", n).value("batch", batch);
  const Result result = run.in("a", p.a).in("b", p.b).out<float>("c", p.room()).go();
  result.expect_clean();
  expect_success(result);
  std::vector<float> sums = result.array<float>("c");
  std::copy(p.sums.begin(), p.sums.end(), sums.begin());
  result.expect("c", sums, same_bits());
  result.expect_bound("batches");
  passed("{} batches share one set of buffers", batches);
}
