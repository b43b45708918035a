// 5.2: records of 32 numbers, of which one is asked for at a time; turned round once, when they are loaded.
#include <workbook/check.h>

using namespace workbook;

EXERCISE("5.2", "Lay 32-number records out on the device so that one number of all of them is quick to read.")

namespace {

constexpr int fields = 32;
constexpr float factor = 1.5f;
constexpr int base_count = 65'521;  // a prime: no two neighbouring records are alike

Result call(const char* driver, int n, std::size_t out) {
  Run run(driver);
  run.say("{} record{}", n, n == 1 ? "" : "s");
  Inputs in(static_cast<std::uint64_t>(n));
  run.value("n", n).value("factor", factor).in("base", in.floats("base", base_count)).out<float>("out", out);
  return run.go();
}

std::vector<float> expected(int n, int field) {
  Inputs in(static_cast<std::uint64_t>(n));
  const auto base = in.floats("base", base_count);
  std::vector<float> out(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = factor * base[(fields * i + static_cast<std::size_t>(field)) % base_count];
  return out;
}

IndexWords field_and_record(int n) {
  return [n](std::size_t i) {
    return fmt::format("number {} of record {}", i / static_cast<std::size_t>(n),
                       i % static_cast<std::size_t>(n));
  };
}

std::vector<Step> labelled(const Result& result, Step::Kind kind, std::string_view label) {
  std::vector<Step> found;
  for (const Step& step : result.trace().of(kind))
    if (step.label == label) found.push_back(step);
  return found;
}

void expect_loaded_once(const Result& result) {
  const auto copies = labelled(result, Step::Kind::copy, "scale");
  std::uint64_t bytes = 0;
  for (const Step& copy : copies) bytes += copy.bytes;
  result.expect_that(copies.empty(), {"copied_in_scale",
                                      fmt::format("`scale` made {} cop{} of {} bytes.", copies.size(),
                                                  copies.size() == 1 ? "y" : "ies", bytes),
                                      {"`load` is called once, and `scale` again and again."},
                                      "Which of the two should turn the records round?"});
  const std::size_t kernels = labelled(result, Step::Kind::kernel, "scale").size();
  result.expect_that(kernels > 0,
                     {"no_launch", "`scale` launched no kernel.", {}, "Where should the work be done?"});
}

void expect_given_back(const Result& result) {
  const auto leaks = result.trace().leaks();
  if (leaks.empty()) return;
  result.fail({"leak",
               fmt::format("{} bytes of device memory were never given back.", leaks.front().bytes),
               {fmt::format("They were taken by {} in `{}`.", leaks.front().api, leaks.front().label)},
               "What has `release` to know of each piece that `load` took?"});
}

}  // namespace

CHECK_CASE(every_field) {
  const int sizes[] = {1, 0, 31, 32, 33, 255, 256, 257, 1000, 4999};
  for (const int n : sizes) {
    const Result result = call("every_field", n, std::size_t(n) * fields);
    result.expect_clean("Which field of which record does this thread want, and where does that lie?");
    if (n > 0) expect_loaded_once(result);
    std::vector<float> all;
    for (int f = 0; f < fields; ++f) {
      const auto one = expected(n, f);
      all.insert(all.end(), one.begin(), one.end());
    }
    result.expect("out", all, exact(), field_and_record(n));
    expect_given_back(result);
  }
  passed("right for {} numbers of records", std::size(sizes));
}

CHECK_CASE(fast_enough) {
  const int n = on_simulated_device() ? 1 << 20 : 1 << 22;
  const Result result = call("scale_timed", n, static_cast<std::size_t>(n));
  result.expect_clean();
  result.expect("out", expected(n, static_cast<int>(result.integer("field"))));
  result.expect_bound("records");
}
