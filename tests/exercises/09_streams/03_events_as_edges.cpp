#include <workbook/check.h>

#include <algorithm>
#include <map>

using namespace workbook;

EXERCISE("9.3", "A before B and C, both before D, over three streams, batch after batch, by events alone.")

namespace {

std::vector<float> input(int batches, int n) {
  return Inputs(static_cast<std::uint64_t>(batches) * 65537 + n)
      .floats("x", static_cast<std::size_t>(batches) * n);
}

std::vector<float> expected(const std::vector<float>& x) {
  std::vector<float> y;
  for (const float v : x) {
    const float u = v * 2 + 1;
    y.push_back(u * u - u * 0.5f);
  }
  return y;
}

Result diamond(int batches, int n, const std::vector<float>& x, const Schedule* order = nullptr) {
  Run run("diamond");
  run.say("{} batch{} of {}", batches, batches == 1 ? "" : "es", n).value("batches", batches).value("n", n);
  run.in("x", x).out<float>("y", x.size());
  if (order != nullptr) run.schedule(*order);
  return run.go();
}

std::string words(const Step& step) {
  return step.line > 0 ? fmt::format("{} at line {}", step.api, step.line) : step.api;
}

void expect_host_free(const Result& result) {
  const std::vector<Step> waits = result.trace().of(Step::Kind::synchronise);
  if (waits.empty()) return;
  const std::size_t launches = result.trace().kernels().size();
  result.fail(
      {"host_waits",
       fmt::format("{}: the host waits.", words(waits.front())),
       {fmt::format("{} launches, {} waits of the host", launches, waits.size()),
        "While it waits it can queue nothing. Let the streams wait for each other, and the host go on."},
       "Which call makes a stream wait for an event, and returns at once?"});
}

// A question in a loop is a wait, too. It is not recorded; but the host gets ahead of the device, or it
// doesn't.
void expect_ahead(const Result& result) {
  if (!result.trace().device_times_known()) return;
  std::vector<Step> kernels = result.trace().kernels();
  if (kernels.size() < 8) return;
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const Step& a, const Step& b) { return a.host_begin_us < b.host_begin_us; });
  const Step &early = kernels[2], &last = kernels.back();
  result.expect_that(last.host_begin_us < early.device_end_us,
                     {"host_waits",
                      "The last launch comes when earlier kernels are done: the host waits in between.",
                      {fmt::format("{} was done at {:.0f} us, {} was launched at {:.0f} us", early.name,
                                   early.device_end_us, last.name, last.host_begin_us)},
                      "Which call makes a stream wait for an event, and returns at once?"});
}

void expect_streams(const Result& result) {
  std::map<std::string, int> stream_of;
  for (const Step& kernel : result.trace().kernels()) {
    const auto [found, fresh] = stream_of.emplace(kernel.name, kernel.stream);
    result.expect_that(found->second == kernel.stream,
                       {"other_stream",
                        fmt::format("{} goes into stream {}, and before it went into stream {}.", kernel.name,
                                    kernel.stream, found->second),
                        {},
                        "Into which stream goes each stage?"});
  }
  const int a = stream_of["stage_a"], b = stream_of["stage_b"], c = stream_of["stage_c"],
            d = stream_of["stage_d"];
  const bool right = a != 0 && b != 0 && c != 0 && b == d && a != b && a != c && b != c;
  result.expect_that(
      right, {"other_stream",
              fmt::format("stage_a goes into stream {}, stage_b into {}, stage_c into {}, stage_d into {}.",
                          a, b, c, d),
              {"A goes into load, B and D into work, C into side."},
              "Into which stream goes each stage?"});
}

void expect_right(const Result& result, int batches, const std::vector<float>& x) {
  if (!result.has("returned")) result.expect_clean();
  result.expect_clean();
  result.expect("y", expected(x), within(1e-6));
  const std::size_t launches = result.trace().kernels().size();
  result.expect_that(launches == 4u * batches,
                     {"launches",
                      fmt::format("{} launches for {} batches of four stages.", launches, batches),
                      {},
                      "How often is each stage launched?"});
}

}  // namespace

CHECK_CASE(in_order) {
  std::size_t orders = 0;
  for (const auto& [batches, n] : {std::pair{1, 1000}, {2, 1000}, {5, 997}, {0, 100}, {3, 1}}) {
    const std::vector<float> x = input(batches, n);
    const Result plain = diamond(batches, n, x);
    expect_right(plain, batches, x);
    expect_host_free(plain);
    if (batches > 0) expect_streams(plain);
    if (batches < 2 || n < 997) continue;
    for (const Schedule& order : schedules_for(plain.trace(), 4)) {
      ++orders;
      const Result result = diamond(batches, n, x, &order);
      expect_right(result, batches, x);
    }
  }
  passed("right in {} orders that the streams leave open", orders);
}

CHECK_CASE(the_host_goes_on) {
  const int batches = 4, n = 20'000;
  const std::vector<float> x = input(batches, n);
  const Result result = diamond(batches, n, x);
  expect_right(result, batches, x);
  expect_ahead(result);
  passed("the host queues, and waits for nothing");
}

CHECK_CASE(fast_enough) {
  const int batches = 8, n = 20'000;
  const std::vector<float> x = input(batches, n);
  Run run("timed");
  run.say("{} batches of {}", batches, n)
      .value("batches", batches)
      .value("n", n)
      .in("x", x)
      .out<float>("y", x.size());
  const Result result = run.go();
  result.expect_clean();
  result.expect("y", expected(x), within(1e-6));
  result.expect_bound("diamond");
}
