#include <workbook/check.h>

#include <algorithm>
#include <cmath>

#include "locked.h"

using namespace workbook;
using namespace pinned_memory;

EXERCISE("8.4",
         "From how many copies on does pinned memory pay? From numbers, and from numbers that you measure.")

namespace {

struct Row {
  double allocate, free, pageable, pinned;
  std::int64_t n;
};

void expect_number(const Row& row) {
  Run run("numbers");
  run.say("allocate {} us, free {} us, a copy {} us pageable and {} us pinned", row.allocate, row.free,
          row.pageable, row.pinned);
  run.value("allocate", row.allocate)
      .value("free", row.free)
      .value("pageable", row.pageable)
      .value("pinned", row.pinned);
  const Result result = run.go();
  result.expect_clean();
  const std::int64_t n = result.integer("n");
  // Infinity cast to a whole number may be anything. The processor notes that it was asked for it.
  result.expect_that(n != row.n || result.integer("invalid") == 0,
                     {"cast_of_infinity",
                      fmt::format("break_even says {}, as it should, and by luck.", n),
                      {fmt::format("A copy saves {} us here. A quotient by that is no whole number, and the "
                                   "language leaves open what its cast to one gives.",
                                   row.pageable - row.pinned)},
                      "Which line of yours says on purpose that it never pays?"});
  if (n == row.n) return;
  std::vector<std::string> evidence;
  if (row.n > 0) {
    for (const std::int64_t k : {row.n - 1, row.n}) {
      if (k > 0)
        evidence.push_back(fmt::format("{} cop{}: {} us pageable, {} us pinned", k, k == 1 ? "y" : "ies",
                                       k * row.pageable, row.allocate + row.free + k * row.pinned));
    }
  } else {
    evidence.push_back("No copy saves anything, so it never pays: -1.");
  }
  const bool no_free = row.n > 0 && n == std::ceil(row.allocate / (row.pageable - row.pinned));
  result.fail(
      {"break_even", fmt::format("break_even says {}, and it is {}.", n, row.n), evidence,
       row.n < 0 ? "What does each copy save here, and what does your function answer when it never pays?"
       : no_free
           ? "Who gets the pinned memory, and who gives it back: are both in your sum?"
           : "Which way is faster for your number of copies, and for one fewer? (There is no such thing as "
             "a part of a copy.)"});
}

// Whether the learner's block was pinned in place.
bool registers(const Result& result) {
  return locked_memory(result).last.api == "cudaHostRegister";
}

// A tenth, and as far as the workbook's own samples lie apart. On a GPU's machine the system gives and takes
// memory in times that differ by half (H200, 2026-11-30), and copies by a sixth.
void expect_cost(const Result& result, const char* field, const std::string& own) {
  const double said = result.number(fmt::format("said.{}", field)), ours = result.number(own);
  const bool of_the_system = std::string_view(field) == "allocate" || std::string_view(field) == "free";
  const double most = on_simulated_device() ? 1.1 : of_the_system ? 1.7 : 1.3;
  const double low = result.number(own + "_least") / most, high = most * result.number(own + "_most");
  if (said >= low && said <= high) return;
  result.fail({fmt::format("{}_us", field),
               fmt::format("{}_us is {:.4g}, and the workbook measures {:.4g} us.", field, said, ours),
               {fmt::format("you say {:.2f} times as much", said / ours)},
               "Which call stands between your two readings of the clock, of how many bytes, and is its work "
               "done when it "
               "returns?"});
}

Result measured(std::uint64_t bytes) {
  Run run("measured");
  run.say("{}", in_mib(bytes)).value("bytes", bytes);
  Result result = run.go();
  if (!result.has("n")) result.expect_clean();
  return result;
}

// The numbers of one size say nothing of another.
void expect_copied(const Result& result, std::uint64_t bytes) {
  for (const bool pinned : {false, true}) {
    const auto copies = result.trace().copies("host to device");
    const bool there = std::any_of(copies.begin(), copies.end(), [&](const Step& copy) {
      return copy.bytes == bytes && copy.pinned == pinned;
    });
    result.expect_that(there, {"not_copied",
                               fmt::format("Nothing of {} was copied from {} memory.", in_mib(bytes),
                                           pinned ? "pinned" : "pageable"),
                               {},
                               "Where does your number for this size come from?"});
  }
}

void expect_locked(const Result& result, std::uint64_t bytes) {
  const Locked locked = locked_memory(result);
  result.expect_that(locked.pinned > 0,
                     {"nothing_pinned", "No memory was pinned.", {}, "Which calls give pinned memory?"});
  expect_nothing_locked(result);
  result.expect_that(
      locked.most <= bytes + bytes / 8,
      {"locked_too_much",
       fmt::format("{} were locked at one time; one block has {}.", in_mib(locked.most), in_mib(bytes)),
       {"What is locked is taken from everything else on the machine."},
       "How many of your blocks are there at one time?"});
}

// Both ways, done with the learner's n. On a GPU times scatter: half and twice as many copies must tell.
void expect_both_ways(const Result& result) {
  const bool exact = result.simulated();
  const auto time = [&](const char* way, const char* name) {
    return result.number(fmt::format("both.{}.{}", way, name));
  };
  const char* const enough = exact ? "n" : "double";
  const char* const too_few = exact ? "less" : "half";
  const std::int64_t n = result.integer("n");
  result.expect_that(time("pinned", enough) <= time("pageable", enough),
                     {"does_not_pay",
                      fmt::format("With {} copies pinning takes longer.", exact ? n : 2 * n),
                      {fmt::format("pinned: {:.0f} us, pageable: {:.0f} us", time("pinned", enough),
                                   time("pageable", enough))},
                      "What is missing in your sum?"});
  result.expect_that(n == 1 || time("pinned", too_few) > time("pageable", too_few),
                     {"pays_earlier",
                      fmt::format("With {} copies pinning has paid already.", exact ? n - 1 : n / 2),
                      {fmt::format("pinned: {:.0f} us, pageable: {:.0f} us", time("pinned", too_few),
                                   time("pageable", too_few))},
                      "What is too much in your sum?"});
}

}  // namespace

CHECK_CASE(from_numbers) {
  const Row rows[] = {{6000, 2000, 1250, 250, 8},  // exactly
                      {6000, 2001, 1250, 250, 9},  // just more
                      {6000, 1000, 1250, 250, 7},
                      {7200, 2700, 1201.5, 308.5, 12},  // 11.09: not 11
                      {5200, 1594, 1200.5, 312.5, 8},   // 7.65
                      {117000, 38112, 36872, 4850, 5},  // 4.84
                      {100, 0, 1, 0.5, 200},
                      {1, 1, 100, 10, 1},
                      {700, 200, 8, 4, 225},
                      {500, 250, 4, 4, -1},
                      {500, 250, 4, 6, -1}};
  for (const Row& row : rows) expect_number(row);
  passed("right for {} sets of numbers", std::size(rows));
}

CHECK_CASE(from_measured_costs) {
  std::string text;
  for (const std::uint64_t mib : {on_simulated_device() ? 4 : 64, 16}) {
    look_again([&] {
      const std::uint64_t bytes = mib << 20;
      const Result result = measured(bytes);
      const std::string way = registers(result) ? "register" : "alloc";
      expect_cost(result, "allocate", way + ".allocate");
      expect_cost(result, "free", way + ".free");
      expect_cost(result, "pageable", "own.pageable");
      expect_cost(result, "pinned", "own.pinned");
      expect_copied(result, bytes);
      expect_locked(result, bytes);
      if (way == "alloc") expect_both_ways(result);
      result.expect_clean();
      text += fmt::format("{}{}: {} cop{}", text.empty() ? "" : ", ", in_mib(bytes), result.integer("n"),
                          result.integer("n") == 1 ? "y" : "ies");
      if (mib == 16) text += fmt::format("; {} locked meanwhile", in_mib(locked_memory(result).most));
    });
  }
  passed("{}", text);
}
