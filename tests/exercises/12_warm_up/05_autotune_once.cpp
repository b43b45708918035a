// 12.5: a new shape is tuned, an old one is not, and the choice is the best one there is. How many launches
// each call makes says the trace; how good the choice is, the workbook's own times of all candidates. The
// process is fresh, so the first candidate of the first call finds nothing loaded.
#include <workbook/check.h>

#include <algorithm>

using namespace workbook;

EXERCISE("12.5", "Find the best block size when a shape comes for the first time, and never again.")

namespace {

struct Shape {
  int rows, columns;
  std::string words() const { return fmt::format("{} x {}", rows, columns); }
  std::size_t elements() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }
};
struct Call {
  Shape shape;
  int buffer = 0;
};

constexpr Shape tall{1024, 32}, wide{4, 8192}, square{64, 256};
constexpr std::size_t most = 32768;  // elements of the largest shape

std::vector<float> values() {
  return Inputs().floats("x", most);
}

struct Called {
  Result result;
  std::vector<Call> calls;
  std::vector<int> candidates;

  std::size_t launches(std::size_t k) const {
    const auto kernels = result.trace().kernels();
    return static_cast<std::size_t>(std::count_if(kernels.begin(), kernels.end(), [&](const Step& s) {
      return s.label == std::to_string(k) && s.result == 0;
    }));
  }
  // The block of the last launch: what the call decided for.
  int block(std::size_t k) const {
    int found = 0;
    for (const Step& s : result.trace().kernels()) {
      if (s.label == std::to_string(k) && s.result == 0) found = static_cast<int>(s.block[0]);
    }
    return found;
  }
  std::string letters(std::size_t k) const {
    std::string text;
    for (const Step& s : result.trace().steps()) {
      if (s.label != std::to_string(k) || s.result != 0) continue;
      if (s.kind == Step::Kind::kernel) text += 'K';
      if (s.kind == Step::Kind::synchronise) text += 'S';
    }
    // The driver itself waits behind each call.
    return !text.empty() && text.back() == 'S' ? text.substr(0, text.size() - 1) : text;
  }
  double us(std::size_t k) const { return result.array<double>("us")[k]; }
};

Called make_calls(const std::vector<Call>& calls, const std::vector<int>& candidates, const char* say) {
  std::vector<int> rows, columns, buffer;
  int longest = 0;
  for (const Call& call : calls) {
    rows.push_back(call.shape.rows);
    columns.push_back(call.shape.columns);
    buffer.push_back(call.buffer);
    longest = std::max(longest, call.shape.rows);
  }
  Run run("calls");
  run.say("{}", say).in("x", values()).in("x2", values()).in("rows", rows).in("columns", columns);
  run.in("buffer", buffer).in("candidates", candidates);
  const auto room = static_cast<std::size_t>(longest);
  run.out<float>("sums", room).out<float>("sums2", room);
  return {run.environment("CUDA_MODULE_LOADING", "LAZY").fresh_process().go(), calls, candidates};
}

std::vector<float> sums_of(Shape shape) {
  const auto x = values();
  std::vector<float> sums;
  for (int r = 0; r < shape.rows; ++r) {
    double sum = 0;
    for (int c = 0; c < shape.columns; ++c)
      sum += static_cast<double>(x[static_cast<std::size_t>(r) * shape.columns + c]);
    sums.push_back(static_cast<float>(sum));
  }
  return sums;
}

// Every call worked; of the last one in each buffer the sums are there.
void expect_sums(const Called& called) {
  const auto status = called.result.array<int>("status");
  for (std::size_t k = 0; k < called.calls.size(); ++k) {
    if (status[k] == 0) continue;
    called.result.fail(
        {"call_failed",
         fmt::format("row_sums of a {} matrix returns an error ({}).", called.calls[k].shape.words(),
                     status[k]),
         {fmt::format("the candidates: {}", fmt::join(called.candidates, ", ")),
          "the launch with 2048 threads is refused, as it has to be; the others work"},
         "What happens to the candidates after one that fails, and to the error that it left?"});
  }
  called.result.expect_clean("A launch that was refused leaves its error behind (1.5). Who takes it away?");
  for (int b = 0; b < 2; ++b) {
    Shape last{0, 0};
    for (const Call& call : called.calls) {
      if (call.buffer == b) last = call.shape;
    }
    if (last.rows == 0) continue;
    const auto got = called.result.array<float>(b == 0 ? "sums" : "sums2");
    auto expected = sums_of(last);
    // Earlier shapes of this buffer may have written further rows.
    expected.insert(expected.end(), got.begin() + last.rows, got.end());
    called.result.expect(b == 0 ? "sums" : "sums2", expected, within(2e-4));
  }
}

std::size_t working(const std::vector<int>& candidates) {
  return static_cast<std::size_t>(
      std::count_if(candidates.begin(), candidates.end(), [](int c) { return c <= 1024; }));
}

void expect_tuned(const Called& called, std::size_t k) {
  const std::size_t launches = called.launches(k), enough = working(called.candidates) + 1;
  if (launches >= enough) return;
  called.result.fail(
      {"not_tuned",
       fmt::format("The first call with a {} matrix made {} launch{}.", called.calls[k].shape.words(),
                   launches, launches == 1 ? "" : "es"),
       {fmt::format("there are {} candidates that work, and then the call itself", enough - 1)},
       "What makes a shape a new one for your tuner?"});
}

void expect_remembered(const Called& called, std::size_t k, const char* code, const char* why) {
  const std::string letters = called.letters(k);
  if (letters == "K") return;
  called.result.fail({called.launches(k) > 1 ? code : "waits",
                      fmt::format("A {} matrix came again{}, and the call made {} launch{}{}.",
                                  called.calls[k].shape.words(), why, called.launches(k),
                                  called.launches(k) == 1 ? "" : "es",
                                  letters.find('S') != std::string::npos ? " and waited" : ""),
                      {fmt::format("the call took {:.0f} us", called.us(k))},
                      called.launches(k) > 1
                          ? "What did your tuner keep of the first time, and by what does it look "
                            "for it?"
                          : "Which of your calls waits when there is nothing to be measured?"});
}

std::vector<double> own_times(Shape shape, const std::vector<int>& candidates) {
  Run run("own");
  const auto x = values();
  run.in("x", x).value("rows", shape.rows).value("columns", shape.columns).in("candidates", candidates);
  const Result result = run.out<float>("sums", static_cast<std::size_t>(shape.rows)).go();
  result.expect_clean();
  return result.array<double>("us");
}

// The choice is the best, or as good.
void expect_best(const Called& called, std::size_t k, const std::vector<double>& own) {
  const int block = called.block(k);
  std::size_t best = 0, choice = own.size();
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] > 0 && (own[best] <= 0 || own[i] < own[best])) best = i;
    if (called.candidates[i] == block) choice = i;
  }
  const double allowed = on_simulated_device() ? 1.1 : 1.4;
  if (choice < own.size() && own[choice] > 0 && own[choice] <= allowed * own[best]) return;
  std::vector<std::string> evidence;
  for (std::size_t i = 0; i < own.size(); ++i)
    evidence.push_back(own[i] > 0 ? fmt::format("block {:>5}: {:>8.2f} us{}", called.candidates[i], own[i],
                                                i == best     ? "   the best"
                                                : i == choice ? "   yours"
                                                              : "")
                                  : fmt::format("block {:>5}: refused", called.candidates[i]));
  called.result.fail(
      {"not_the_best",
       fmt::format("For a {} matrix block {} was chosen, and {} is better.", called.calls[k].shape.words(),
                   block, called.candidates[best]),
       evidence,
       best == 0 ? "The best one is your first candidate here. What does the first launch of a process "
                   "pay that no other pays?"
                 : "What do you time: the device's work, the launch, or the wait for something else?"});
}

void expect_choice(Shape shape, const std::vector<int>& candidates) {
  look_again([&] {
    const Called called = make_calls(
        {{shape}}, candidates,
        fmt::format("a {} matrix, candidates {}", shape.words(), fmt::join(candidates, ", ")).c_str());
    expect_sums(called);
    expect_tuned(called, 0);
    expect_best(called, 0, own_times(shape, candidates));
  });
}

}  // namespace

CHECK_CASE(a_shape_comes_again) {
  const std::vector<int> candidates = {64, 256, 1024};
  const Called called =
      make_calls({{square}, {square}, {square, 1}, {square}}, candidates, "the same shape four times");
  expect_sums(called);
  expect_tuned(called, 0);
  expect_remembered(called, 1, "tuned_again", "");
  expect_remembered(called, 2, "tuned_again", " in other memory");
  expect_remembered(called, 3, "tuned_again", "");
  passed("first call: {} launches, {:.0f} us; then 1 launch, {:.0f} us", called.launches(0), called.us(0),
         called.us(1));
}

CHECK_CASE(another_shape) {
  const std::vector<int> candidates = {64, 256, 1024};
  const std::vector<Call> calls = {{tall},      {{1024, 8}}, {{32, 1024}}, {wide},
                                   {{128, 32}}, {tall},      {{32, 1024}}, {wide}};
  const Called called = make_calls(calls, candidates, "several shapes, one after the other");
  expect_sums(called);
  for (std::size_t k = 0; k < 5; ++k) expect_tuned(called, k);
  for (std::size_t k = 5; k < 8; ++k) expect_remembered(called, k, "tuned_again", "");
  passed("each of 5 shapes is tuned once");
}

CHECK_CASE(the_best_one) {
  // The best candidate is the first to be tried in each of these, and the one that every launch refuses is
  // about.
  expect_choice(tall, {32, 2048, 128, 512, 1024});
  expect_choice(wide, {1024, 32, 2048, 64, 128});
  expect_choice(tall, {2048, 1024, 512, 32, 64});
  expect_choice(wide, {32, 64, 256, 1024, 4096});
  passed("the best block for a tall and for a wide matrix, wherever it stands in the list");
}

CHECK_CASE(none_works) {
  const Called called = make_calls({{square}}, {2048, 4096}, "two candidates that no launch accepts");
  called.result.expect_that(called.result.array<int>("status")[0] != 0,
                            {"no_error",
                             "row_sums returns cudaSuccess, and no candidate works.",
                             {},
                             "What does your function return when nothing was chosen?"});
  passed("an error when no candidate works");
}
