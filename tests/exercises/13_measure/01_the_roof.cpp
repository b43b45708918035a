#include <workbook/check.h>

#include <cmath>

using namespace workbook;

EXERCISE(
    "13.1",
    "Copy and compute as fast as this machine can, say how fast that is, and place other kernels below it.")

namespace {

Result measured_roof() {
  Run run("roof");
  run.time_limit(on_simulated_device() ? 120 : 20);
  Result result = run.go();
  result.expect_clean();
  return result;
}

// One of the two figures of the roof.
void expect_figure(const Result& result, const char* name, const char* unit, const char* question) {
  const double said = result.number(std::string("said.") + name), ours = result.number(name),
               ratio = said / ours;
  if (std::abs(ratio - 1) <= 0.05) return;
  std::vector<std::string> evidence = {
      fmt::format("you say {:.4g} {}; with your own kernels the workbook measures {:.4g}", said, unit, ours)};
  if (std::abs(ratio - 0.5) < 0.03) evidence.push_back("that is half of what it should be");
  if (std::abs(ratio * 1.073741824 - 1) < 0.02)
    evidence.push_back("it fits if you divide by 2^30; 1 GB is 10^9 bytes");
  if (ratio > 500 || ratio < 0.002) evidence.push_back("1000 operations in a microsecond are one gigaflop/s");
  result.fail(
      {name, fmt::format("{:.4g} {} is not what this machine does.", said, unit), evidence, question});
}

struct Kernel {
  const char* words;
  double bytes, flops, us;
};

void expect_place(const Kernel& k, double rate, double gigaflops) {
  Run run("place");
  run.say("{}", k.words).value("bytes", k.bytes).value("flops", k.flops).value("us", k.us);
  run.value("rate", rate).value("gigaflops", gigaflops);
  const Result result = run.go();
  result.expect_clean();
  const double moving = k.bytes / rate * 1e-3, computing = k.flops / gigaflops * 1e-3,
               least = std::max(moving, computing);
  const std::vector<std::string> evidence = {
      fmt::format("it moves {:.4g} MB and does {:.4g} million operations, in {:.4g} us", k.bytes * 1e-6,
                  k.flops * 1e-6, k.us),
      fmt::format("at the roof, {:.5g} GB/s and {:.6g} gigaflop/s: {:.4g} us to move, {:.4g} us to compute",
                  rate, gigaflops, moving, computing)};
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-6 * std::abs(b); };
  auto why = evidence;
  why.push_back("a device moves and computes at the same time");
  result.expect_that(near(result.number("least_us"), least),
                     {"least_us", fmt::format("least_us is {:.4g}.", result.number("least_us")), why,
                      "Below which time can no kernel get that has both to do?"});
  result.expect_that((result.integer("memory") != 0) == (moving > computing),
                     {"which",
                      fmt::format("This one is bound by {}: that time is longer.",
                                  moving > computing ? "memory" : "arithmetic"),
                      evidence, "Which of the two would have to become faster for the kernel to take less?"});
  result.expect_that(
      near(result.number("share"), least / k.us),
      {"share",
       fmt::format("share is {:.4g}, and it should be {:.4g}.", result.number("share"), least / k.us),
       {"least_us / the time it took: 1 is the roof, and nobody gets above it"},
       "Which of the two times is the shorter one?"});
}

}  // namespace

CHECK_CASE(every_size) {
  for (const int pieces : awkward_sizes(256)) {
    Inputs in(pieces);
    const auto from = in.bytes("from", 16 * static_cast<std::size_t>(pieces));
    Run run("copy");
    run.say("{} bytes", from.size()).in("from", from).out<std::uint8_t>("to", from.size());
    const Result result = run.go();
    result.expect_clean();
    result.expect("to", from);
  }
  passed("the copy is right for {} sizes", awkward_sizes(256).size());
}

CHECK_CASE(every_round) {
  constexpr float a = 0.999f, b = 0.01f;
  int cases = 0;
  for (const int n : {0, 1, 31, 33, 255, 256, 257, 1000, 4999}) {
    for (const int rounds : {0, 1, 2, 31, 64, 65, 300}) {
      Inputs in(1000 * n + rounds);
      const auto x = in.floats("x", n);
      auto expected = x;
      for (float& v : expected) {
        for (int r = 0; r < rounds; ++r) v = std::fmaf(v, a, b);
      }
      Run run("multiply_add");
      run.say("{} numbers, {} rounds", n, rounds)
          .value("a", a)
          .value("b", b)
          .value("rounds", rounds)
          .inout("x", x);
      const Result result = run.go();
      result.expect_clean();
      result.expect("x", expected, same_bits());
      ++cases;
    }
  }
  passed("the multiply-adds are right in {} cases", cases);
}

CHECK_CASE(at_the_roof) {
  look_again([&] {
    const Result result = measured_roof();
    result.expect_bound("copy");
    result.expect_bound("multiply_add");
    expect_figure(result, "rate", "GB/s", "How many times does each copied byte cross the memory's bus?");
    expect_figure(result, "flops", "gigaflop/s",
                  "How many operations is one multiply-add, and how many of them are there?");
    passed("the roof: {:.0f} GB/s, {:.1f} teraflop/s", result.number("said.rate"),
           1e-3 * result.number("said.flops"));
  });
}

CHECK_CASE(below_the_roof) {
  // Measured on an H200, 2026-11-30.
  constexpr double n = 1 << 26, m = 2048;
  const Kernel kernels[] = {
      {"a vector add of 2^26 floats", 12 * n, n, 235.87},
      {"a naive transpose, 8192 x 8192", 8 * 8192.0 * 8192, 0, 1033.86},
      {"a naive matrix multiply, 2048", 12 * m * m, 2 * m * m * m, 2728.06},
      {"a tiled matrix multiply, 2048", 12 * m * m, 2 * m * m * m, 1846.18},
      {"4096 multiply-adds for each of 540,672 floats", 8 * 540672.0, 2 * 4096.0 * 540672, 73.89}};
  for (const Kernel& k : kernels) {
    expect_place(k, 4192.7, 59944.6);
    expect_place(k, 900, 81000);  // another machine
  }
  passed("five kernels find their places");
}
