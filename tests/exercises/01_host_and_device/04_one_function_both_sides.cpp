// 1.4: clamp01 gives the same bits on the host and on the device; NaN stays NaN, -0 stays -0.
#include <workbook/check.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace workbook;

EXERCISE("1.4", "one clamp01 for both sides, the same bits on each; NaN and -0 stay what they are.")

namespace {

struct Side {
  const char *array, *words;
};
constexpr Side sides[] = {{"h_y", "on the host"}, {"d_y", "on the device"}};

float clamped(float x) {
  if (x < 0.0f) return 0.0f;
  if (x > 1.0f) return 1.0f;
  return x;
}

float nan_with(std::uint32_t payload) {
  const std::uint32_t bits = 0x7fc00000u | payload;
  float f;
  std::memcpy(&f, &bits, sizeof f);
  return f;
}

// Every float that lies at an edge of the contract, each several times among ordinary ones.
std::vector<float> special_floats() {
  using limits = std::numeric_limits<float>;
  std::vector<float> v = {0.0f,
                          -0.0f,
                          1.0f,
                          -1.0f,
                          0.5f,
                          2.0f,
                          limits::infinity(),
                          -limits::infinity(),
                          nan_with(0),
                          -nan_with(0),
                          nan_with(0x1234),
                          limits::max(),
                          limits::lowest(),
                          limits::min(),
                          -limits::min(),
                          limits::denorm_min(),
                          -limits::denorm_min()};
  v.push_back(std::nextafter(1.0f, 0.0f));
  v.push_back(std::nextafter(1.0f, 2.0f));
  return v;
}

std::vector<float> numbers(Inputs& in, std::size_t n) {
  auto x = in.floats("x", n, -1.0f, 2.0f);
  const auto special = special_floats();
  for (std::size_t i = 0; i < x.size(); i += 3) {
    const auto which =
        in.one_of(fmt::format("special {}", i), 0, static_cast<std::int64_t>(special.size()) - 1);
    x[i] = special[static_cast<std::size_t>(which)];
  }
  return x;
}

bool minus_zero(float x) {
  return x == 0.0f && std::signbit(x);
}

std::string in_words(float x) {
  if (std::isnan(x)) return "NaN";
  if (x == 0.0f) return std::signbit(x) ? "-0" : "+0";
  return fmt::format("{:.9g}", x);
}

// What both sides make of one of the special values, in one line each.
std::vector<std::string> both_sides(const Result& result, std::size_t i) {
  std::vector<std::string> lines;
  for (const auto& [array, words] : sides)
    lines.push_back(fmt::format("{:13}  {}", words, in_words(result.array<float>(array)[i])));
  return lines;
}

void expect_nan_kept(const Result& result, const std::vector<float>& x) {
  for (const auto& [array, words] : sides) {
    const auto y = result.array<float>(array);
    for (std::size_t i = 0; i < x.size(); ++i)
      result.expect_that(
          !std::isnan(x[i]) || std::isnan(y[i]),
          {"nan_lost", fmt::format("clamp01(NaN) is {} {}; NaN is to stay NaN.", in_words(y[i]), words),
           both_sides(result, i),
           "Every comparison with NaN is false. Which way does your function go then?"});
  }
}

void expect_minus_zero_kept(const Result& result, const std::vector<float>& x) {
  for (const auto& [array, words] : sides) {
    const auto y = result.array<float>(array);
    for (std::size_t i = 0; i < x.size(); ++i)
      result.expect_that(
          !minus_zero(x[i]) || minus_zero(y[i]),
          {"minus_zero_lost", fmt::format("clamp01(-0) is {} {}; -0 is to stay -0.", in_words(y[i]), words),
           both_sides(result, i),
           "-0 equals 0, and is not below it. What does your function return when x is 0?"});
  }
}

// The first number that is wrong on one side, or on both.
void expect_numbers(const Result& result, const std::vector<float>& x) {
  const auto host = result.array<float>("h_y"), device = result.array<float>("d_y");
  const auto right = [](float got, float x) { return std::isnan(x) || got == clamped(x); };
  for (std::size_t i = 0; i < x.size(); ++i)
    if (right(host[i], x[i]) != right(device[i], x[i]))
      result.fail({"sides_differ", fmt::format("clamp01({}) differs between the two sides.", in_words(x[i])),
                   both_sides(result, i), "Do the kernel and the loop call the same function?"});
}

void expect_a_kernel(const Result& result) {
  result.expect_that(!result.trace().kernels().empty(),
                     {"no_launch",
                      "no kernel was launched.",
                      {"The device's half of the numbers was not touched."},
                      "Which line of clamp_on_device starts the kernel?"});
  result.expect_that(result.trace().bytes_copied("device to host") == 0,
                     {"work_on_the_host",
                      "clamp_on_device copied the numbers to the host.",
                      {"Each side is to do its own half with the one function."},
                      "Who is to call clamp01 here?"});
}

}  // namespace

CHECK_CASE(the_same_bits) {
  const std::vector<int> sizes = {1000, 1, 31, 33, 256, 257, 4999};
  for (const int n : sizes) {
    Inputs in(n);
    const auto x = numbers(in, n);
    std::vector<float> expected(x.size());
    std::transform(x.begin(), x.end(), expected.begin(), clamped);
    Run run("both_sides");
    run.say("n = {}", n).value("n", n).in("h_x", x).in("d_x", x);
    run.out<float>("h_y", x.size()).out<float>("d_y", x.size());
    const Result result = run.go();
    result.expect_clean();
    expect_a_kernel(result);
    expect_nan_kept(result, x);
    expect_minus_zero_kept(result, x);
    expect_numbers(result, x);
    const IndexWords with_x = [&x](std::size_t i) {
      return fmt::format("{}, where x is {},", i, in_words(x[i]));
    };
    for (const auto& [array, words] : sides) result.expect(array, expected, same_bits(), with_x);
  }
  passed("the same bits on both sides for {} sizes, NaN and -0 among them", sizes.size());
}
