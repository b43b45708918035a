// 1.3: a saxpy round trip with exactly two copies in and one out, each with the right bytes the right way.
#include <workbook/check.h>

#include <cmath>

using namespace workbook;

EXERCISE("1.3", "y = a*x + y on the device: two copies in, one copy out, nothing else.")

namespace {

std::vector<float> saxpy_on_host(float a, const std::vector<float>& x, const std::vector<float>& y) {
  std::vector<float> sum(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) sum[i] = std::fma(a, x[i], y[i]);
  return sum;
}

std::string place(const Step& step) {
  return step.line == 0 ? step.api : fmt::format("{} in line {}", step.api, step.line);
}

std::string claim_in_words(const Step& copy) {
  if (copy.claimed == "HostToDevice") return "host to device";
  if (copy.claimed == "DeviceToHost") return "device to host";
  if (copy.claimed == "DeviceToDevice") return "device to device";
  if (copy.claimed == "HostToHost") return "host to host";
  return copy.claimed;
}

// What a copy claims must be what its two pointers are. cudaMemcpyDefault claims nothing: it looks.
void expect_kinds(const Result& result) {
  constexpr int success = 0, invalid_value = 1, invalid_direction = 21;
  for (const Step& copy : result.trace().of(Step::Kind::copy)) {
    const std::string claimed = claim_in_words(copy);
    if (claimed == "Default" || claimed == copy.direction) continue;
    if (copy.result != success && copy.result != invalid_value && copy.result != invalid_direction) continue;
    const bool luck = copy.result == success;
    result.fail({luck ? "kind_by_luck" : "copy_refused",
                 fmt::format("{} says {}; its pointers go {}.", place(copy), claimed, copy.direction),
                 {luck ? "The bytes arrived this time. Nothing promises that they do on another machine."
                       : "The runtime refused: nothing was copied. Nobody looked at what it returned."},
                 "The destination comes first, the source second. On which side does each of the two live?"});
  }
}

void expect_no_managed_memory(const Result& result) {
  for (const Step& step : result.trace().of(Step::Kind::allocate))
    result.expect_that(!step.managed,
                       {"managed_memory",
                        fmt::format("{} gives memory that belongs to both sides.", place(step)),
                        {"Its pages travel without a copy that you could see: no h_, no d_.",
                         "Here the two sides are to be kept apart, and the copies to be yours."},
                        "Which call allocates memory that is the device's alone?"});
}

void expect_bytes(const Result& result, int n) {
  const std::uint64_t bytes = std::uint64_t(n) * sizeof(float);
  for (const Step& copy : result.trace().of(Step::Kind::copy)) {
    const bool elements = copy.bytes == std::uint64_t(n);
    result.expect_that(
        copy.bytes == bytes,
        {elements ? "bytes_elements" : "copy_bytes",
         fmt::format("{} moved {} bytes {}, expected {}.", place(copy), copy.bytes, copy.direction, bytes),
         {fmt::format("{} floats of {} bytes are {} bytes.", n, sizeof(float), bytes)},
         elements ? "What does the third argument of cudaMemcpy count?" : "How large is the whole array?"});
  }
}

std::vector<std::string> listed(const Result& result) {
  std::vector<std::string> lines;
  for (const Step& copy : result.trace().of(Step::Kind::copy))
    lines.push_back(fmt::format("{}: {} bytes, {}", place(copy), copy.bytes, copy.direction));
  if (lines.empty()) lines.push_back("No copy was made at all.");
  return lines;
}

std::string times(std::size_t count) {
  return count == 1 ? "1 copy" : fmt::format("{} copies", count);
}

void expect_two_in(const Result& result) {
  const std::size_t in = result.trace().copies("host to device").size();
  result.expect_that(in == 2, {"copies_in", fmt::format("{} to the device, expected 2.", times(in)),
                               listed(result), "Which arrays does the kernel read?"});
}

void expect_one_out_and_no_more(const Result& result) {
  const std::size_t out = result.trace().copies("device to host").size();
  const std::size_t all = result.trace().of(Step::Kind::copy).size();
  result.expect_that(out == 1, {"copies_out", fmt::format("{} back to the host, expected 1.", times(out)),
                                listed(result), "Which arrays did the kernel change?"});
  result.expect_that(
      all == 3, {"needless_copy", fmt::format("{}, and {} of them neither in nor out.", times(all), all - 3),
                 listed(result), "Who reads what this copy wrote?"});
}

void expect_a_kernel(const Result& result) {
  result.expect_that(!result.trace().kernels().empty(), {"no_launch",
                                                         "no kernel was launched.",
                                                         {"The copies alone bring y home as it went."},
                                                         "Where is a*x + y to be computed?"});
}

}  // namespace

CHECK_CASE(round_trip) {
  const std::vector<int> sizes = {1000, 1, 31, 32, 33, 255, 256, 257, 4999};
  for (const int n : sizes) {
    Inputs in(n);
    const auto x = in.floats("x", n), y = in.floats("y", n);
    const float a = in.floats("a", 1)[0];
    Run run("round_trip");
    run.say("n = {}", n).value("n", n).value("a", a).in("x", x).inout("y", y);
    const Result result = run.go();
    // What was asked of the device comes before what became of it: a wrong copy is the cause of a wrong read.
    expect_kinds(result);
    expect_no_managed_memory(result);
    expect_bytes(result, n);
    if (result.has("came_back")) expect_two_in(result);
    result.expect_clean(
        "h_ or d_: on which side does each pointer of that line live, and who follows it there?");
    expect_one_out_and_no_more(result);
    expect_a_kernel(result);
    result.expect_that(n == 1 || result.array<float>("y") != x,
                       {"copied_back_the_input", "h_y holds x: the array that came home is the input.",
                        listed(result), "Which of the two arrays on the device did the kernel write?"});
    result.expect("y", saxpy_on_host(a, x, y), within(1e-5, 1e-5));
    const auto leaks = result.trace().leaks();
    result.expect_that(leaks.empty(), {"missing_free",
                                       fmt::format("the {} bytes of {} were never freed.",
                                                   leaks.empty() ? 0 : leaks.front().bytes,
                                                   leaks.empty() ? "" : place(leaks.front())),
                                       {"The next call allocates its own: after enough calls none is left."},
                                       "Which cudaFree belongs to this allocation?"});
  }
  passed("right for {} sizes; two copies in, one out", sizes.size());
}
