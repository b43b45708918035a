// 1.1: 32 threads of the device square 32 ints, each its own.
#include <workbook/check.h>

using namespace workbook;

EXERCISE("1.1", "y[i] = x[i] * x[i] for 32 ints on the device, one thread each.")

namespace {

constexpr int n = 32;
constexpr int arrays = 4;

std::vector<int> squared(const std::vector<int>& x) {
  std::vector<int> y;
  for (const int v : x) y.push_back(v * v);
  return y;
}

// "1 block of 32 threads"
std::string shape(const Step& kernel) {
  const auto count = [](const std::array<std::uint32_t, 3>& d) { return std::uint64_t{d[0]} * d[1] * d[2]; };
  const std::uint64_t blocks = count(kernel.grid), threads = count(kernel.block);
  return fmt::format("{} block{} of {} thread{}", blocks, blocks == 1 ? "" : "s", threads,
                     threads == 1 ? "" : "s");
}

std::uint64_t threads_in(const Step& kernel) {
  std::uint64_t threads = 1;
  for (const auto d : kernel.grid) threads *= d;
  for (const auto d : kernel.block) threads *= d;
  return threads;
}

void expect_a_kernel(const Result& result) {
  const auto home = result.trace().bytes_copied("device to host");
  result.expect_that(home == 0,
                     {"work_on_the_host",
                      fmt::format("square_all copied {} bytes back to the host.", home),
                      {"x and y are on the device, and the squares belong there too."},
                      "Who is to do the squaring: the processor that runs square_all, or the device?"});
  const auto kernels = result.trace().kernels();
  result.expect_that(!kernels.empty(), {"no_launch",
                                        "no kernel was launched.",
                                        {"square_all came to its end, and the device had nothing to do."},
                                        "Which line of square_all starts threads on the device?"});
  const std::uint64_t threads = threads_in(kernels[0]);
  result.expect_that(threads >= n,
                     {"too_few_threads",
                      fmt::format("{} was launched with {}.", kernels[0].name, shape(kernels[0])),
                      {fmt::format("There are {} elements, and each is to have a thread of its own.", n)},
                      "What do the two numbers between <<< and >>> count?"});
}

// Two mistakes that the numbers give away: the thread's number squared, and x changed in some other way.
void expect_squares_of_the_elements(const Result& result, const std::vector<int>& x) {
  const auto y = result.array<int>("y");
  std::vector<int> numbers;
  for (int i = 0; i < n; ++i) numbers.push_back(i);
  result.expect_that(
      y != squared(numbers),
      {"squares_the_index",
       fmt::format("y[5] is 25, expected {}: x[5] is {}.", x[5] * x[5], x[5]),
       {"Every y[i] is i * i, whatever stands in x.", "Thread 5 squared its number, not its element."},
       "threadIdx.x says which thread this is. How does the thread get from there to its element?"});
}

// Blocks of one thread: each of them is thread 0 of its block.
void expect_more_than_the_first(const Result& result, const std::vector<int>& x) {
  const Step kernel = result.trace().kernels()[0];
  const auto y = result.array<int>("y");
  bool rest_untouched = true;
  for (int i = 1; i < n; ++i) rest_untouched = rest_untouched && y[i] == -1;
  const bool first_only = y[0] == x[0] * x[0] && rest_untouched && kernel.block[0] == 1;
  result.expect_that(!first_only, {"all_threads_are_number_0",
                                   "y[0] is right, and y[1] to y[31] were never written.",
                                   {fmt::format("{} was launched with {}.", kernel.name, shape(kernel)),
                                    "threadIdx.x counts inside a block, and starts at 0 in each."},
                                   "Which of the two numbers between <<< and >>> is the size of a block?"});
}

}  // namespace

CHECK_CASE(thirty_two_ints) {
  for (int k = 0; k < arrays; ++k) {
    Inputs in(k);
    const auto x = in.ints("x", n);
    Run run("square");
    run.say("array {}", k + 1).in("x", x).out<int>("y", n);
    const Result result = run.go();
    const auto kernels = result.trace().kernels();
    const bool spare_threads = !kernels.empty() && threads_in(kernels[0]) > n;
    result.expect_clean(!spare_threads ? ""
                                       : fmt::format("The launch was {}, and x and y have {} elements each. "
                                                     "What should a thread do that has no element?",
                                                     shape(kernels[0]), n));
    expect_a_kernel(result);
    expect_squares_of_the_elements(result, x);
    expect_more_than_the_first(result, x);
    result.expect("y", squared(x));
  }
  passed("right for {} arrays of {}", arrays, n);
}
