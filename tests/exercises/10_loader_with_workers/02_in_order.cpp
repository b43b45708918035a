// 10.2: batches come in their order from any number of workers, and no more of them are under way than
// allowed.
#include <workbook/check.h>

#include <algorithm>
#include <numeric>

using namespace workbook;

EXERCISE("10.2",
         "Decode with several threads, deliver in order, and never hold more batches than the window.")

namespace {

using Numbers = std::vector<std::int32_t>;

struct Load {
  const char* words;
  int workers, window;
  Numbers takes_us;
  int deliver_us = 0;
  int stop_after = -1;
  int count() const { return static_cast<int>(takes_us.size()); }
};

Numbers equal(int count, int us) {
  return Numbers(count, us);
}

// Every third batch takes long, so those behind it are ready first.
Numbers skewed(int count, std::uint64_t salt) {
  Numbers us = Inputs(salt).ints("takes", count, 200, 900);
  for (int n = 0; n < count; n += 3) us[n] *= 10;
  return us;
}

Numbers first_slow(int count) {
  Numbers us = equal(count, 300);
  us[0] = 20'000;
  return us;
}

Result go(const Load& load) {
  Run run("load");
  run.say("{}: {} worker{}, window {}, {} batch{}", load.words, load.workers, load.workers == 1 ? "" : "s",
          load.window, load.count(), load.count() == 1 ? "" : "es");
  run.value("workers", load.workers).value("window", load.window).value("deliver_us", load.deliver_us);
  run.value("stop_after", load.stop_after).in("takes_us", load.takes_us);
  for (const char* name : {"decoded", "order", "content"}) run.out<std::int32_t>(name, load.takes_us.size());
  return run.time_limit(on_simulated_device() ? 30 : 10).go();
}

std::string list(const Numbers& numbers, std::size_t around) {
  const std::size_t first = around < 3 ? 0 : around - 3, last = std::min(numbers.size(), around + 4);
  std::string text = first > 0 ? "... " : "";
  for (std::size_t i = first; i < last; ++i) text += fmt::format("{}{}", i > first ? " " : "", numbers[i]);
  return last < numbers.size() ? text + " ..." : text;
}

void expect_order(const Result& result, const Load& load) {
  result.expect_clean("Which thread waits for what, and who wakes it?");
  const int wanted = load.stop_after > 0 ? std::min(load.stop_after, load.count()) : load.count();
  const auto order = result.array<std::int32_t>("order"), content = result.array<std::int32_t>("content"),
             decoded = result.array<std::int32_t>("decoded");
  result.expect_that(result.integer("outside") == 0,
                     {"no_such_batch",
                      "decode was asked for a batch that there is not.",
                      {},
                      "Which is the last number, and who notices that it has been taken?"});
  const auto got = result.integer("delivered");
  for (int k = 0; k < std::min<int>(wanted, got); ++k) {
    result.expect_that(order[k] == k, {"order",
                                       fmt::format("delivery {} was batch {}.", k, order[k]),
                                       {"In the order of delivery: " + list(order, k)},
                                       "Batch " + std::to_string(k) +
                                           " was still being decoded. What should the others do then?"});
    result.expect_that(content[k] == k,
                       {"content",
                        fmt::format("batch {} was delivered with the content of {}.", k,
                                    content[k] < 0 ? "nothing" : fmt::format("batch {}", content[k])),
                        {fmt::format("The window is {}: batch {} and batch {} use one place.", load.window, k,
                                     k + load.window)},
                        "When may a worker put its batch where another one lay?"});
  }
  result.expect_that(got == wanted, {"delivered",
                                     fmt::format("{} batches were delivered, expected {}.", got, wanted),
                                     {},
                                     "What ends the loop that delivers?"});
  for (int n = 0; n < load.count(); ++n) {
    const bool must = n < wanted;
    result.expect_that(decoded[n] <= 1 && (decoded[n] == 1 || !must),
                       {"once",
                        fmt::format("batch {} was decoded {} times.", n, decoded[n]),
                        {},
                        "How does a worker take a number so that no other one gets it?"});
  }
  result.expect_that(result.integer("strange_thread") == 0,
                     {"thread",
                      "deliver was called by another thread than the one that called load_in_order.",
                      {},
                      "Which thread is to deliver?"});
  result.expect_that(result.integer("active") == 0,
                     {"still_running",
                      "load_in_order returned while a worker was still decoding.",
                      {},
                      "Who waits for the threads, also when nobody wants the rest?"});
}

void expect_window(const Result& result, const Load& load) {
  const auto most = result.integer("most");
  result.expect_that(
      most <= load.window,
      {"window",
       fmt::format("{} batches had been begun and not delivered, and {} are allowed.", most, load.window),
       {result.integer("most_decoded") == 1
            ? fmt::format("Batch {} was decoded, and deliver had not returned for it: until then it counts.",
                          result.integer("most_at"))
            : fmt::format("That was before batch {} was delivered: it takes {} us to decode.",
                          result.integer("most_at"),
                          load.takes_us[std::min<std::size_t>(result.integer("most_at"), load.count() - 1)])},
       "What holds a worker back that could begin another batch?"});
}

// The time in which so many workers can do it, each batch begun by the first one that is free, none before
// the window has room.
double best_us(const Load& load) {
  std::vector<double> free(load.workers, 0), delivered(load.count(), 0);
  for (int n = 0; n < load.count(); ++n) {
    const auto worker = std::min_element(free.begin(), free.end());
    const double begin = std::max(*worker, n >= load.window ? delivered[n - load.window] : 0.0);
    *worker = begin + load.takes_us[n];
    delivered[n] = std::max(n > 0 ? delivered[n - 1] : 0.0, *worker) + load.deliver_us;
  }
  return delivered.back();
}

}  // namespace

CHECK_CASE(in_order) {
  std::uint64_t salt = 0;
  for (const int workers : {1, 2, 3, 4, 8, 16}) {
    const Load load{"every third batch is slow", workers, workers + 3, skewed(40, ++salt)};
    expect_order(go(load), load);
  }
  passed("in order from 1 to 16 workers");
}

CHECK_CASE(within_the_window) {
  for (const auto& [workers, window] : {std::pair{1, 1}, {4, 4}, {4, 6}, {8, 9}}) {
    for (const Load& load : {Load{"the first batch is slow", workers, window, first_slow(40)},
                             Load{"delivery is slow", workers, window, equal(24, 200), 900}}) {
      const Result result = go(load);
      expect_order(result, load);
      expect_window(result, load);
    }
  }
  passed("never more under way than the window holds");
}

CHECK_CASE(few_and_none) {
  for (const int count : {0, 1, 2}) {
    const Load load{"few batches", 4, 5, equal(count, 300)};
    expect_order(go(load), load);
  }
  passed("right for no batch, for one and for two");
}

CHECK_CASE(stop) {
  for (const int stop_after : {1, 7, 39}) {
    for (const Load& load : {Load{"nobody wants the rest", 4, 5, equal(40, 300), 0, stop_after},
                             Load{"nobody wants the rest", 3, 8, skewed(40, 77), 200, stop_after}}) {
      const Result result = go(load);
      expect_order(result, load);
      result.expect_that(result.integer("after_stop") == 0,
                         {"begun_after_stop",
                          fmt::format("{} batches were begun after deliver had returned false.",
                                      result.integer("after_stop")),
                          {},
                          "What does a worker look at before it takes a number?"});
    }
  }
  passed("ends when nobody wants the rest");
}

CHECK_CASE(at_the_same_time) {
  for (const Load& load :
       {Load{"equal batches", 4, 6, equal(40, 3000)}, Load{"skewed batches", 8, 16, skewed(48, 5)}}) {
    look_again([&] {
      const Result result = go(load);
      expect_order(result, load);
      const double best = best_us(load), took = result.number("us");
      // Threads come to be, and are woken.
      const double allowed = 1.25 * best + (on_simulated_device() ? 0 : 4000);
      result.expect_that(
          took <= allowed,
          {"slow",
           fmt::format("it took {:.1f} ms, and {} workers can do it in {:.1f} ms.", took / 1000, load.workers,
                       best / 1000),
           {fmt::format("One worker alone would need {:.1f} ms.",
                        std::accumulate(load.takes_us.begin(), load.takes_us.end(), 0.0) / 1000),
            fmt::format("At most {:.1f} ms are allowed.", allowed / 1000)},
           "How many workers decode at the same time, and what do the others wait for?"});
    });
  }
  passed("4 workers are four times as fast as one");
}
