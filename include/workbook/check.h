// The judge side of an exercise: checks that read like a specification.
//
// A check is plain C++ (no CUDA) in tests/exercises/NN_topic/NN_name.cpp. It draws inputs, knows the expected
// values, asks a runner to call the learner's code, and decides. It never loads learner code.
//
//   #include <workbook/check.h>
//   using namespace workbook;
//
//   EXERCISE("2.1", "y = a*x + y for n elements, any n from 0 up.")
//
//   CHECK_CASE(every_size) {
//     for (int n : awkward_sizes(256)) {
//       Inputs in(n);                                     // seeded from the printed seed, the case, and n
//       auto x = in.floats("x", n), y = in.floats("y", n);
//       Run run("saxpy");
//       run.say("n = {}", n);                             // "First wrong, n = 1000: ..."
//       run.value("n", n).value("a", 2.5f).in("x", x).inout("y", y);
//       Result result = run.go();
//       result.expect_clean();                            // no fault, no API error, no crash
//       result.expect("y", saxpy_on_host(2.5f, x, y), within(1e-6));
//     }
//     passed("right for {} sizes", awkward_sizes(256).size());
//   }
//
//   CHECK_CASE(fast_enough) {
//     ...
//     result.expect_clean();
//     result.expect_bound("roof");      // the figures stand in chapter.toml
//   }
//
// The first expectation that fails ends the case, and the exercise: later cases are not looked at, because
// the first failure is the right one. Cases run in the order of the file. Every expectation writes its
// evidence to the record (src/trace/record.h); the text of GoogleTest is for --verbose only.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "workbook/compare.h"
#include "workbook/inputs.h"
#include "workbook/questions.h"
#include "workbook/schedules.h"

namespace workbook {

// ---- running the learner's code ---------------------------------------------------------------------------

class Result;

// A folder of the check's, empty at first, for what outlives a process (a cache on the disk). It goes with
// the object.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  // Where it lies.
  const std::string& path() const { return path_; }
  // One file in it.
  struct File {
    std::string name;             // within the folder
    std::uint64_t bytes = 0;      // its size
    std::int64_t written_ns = 0;  // by the file's clock
  };
  std::vector<File> files() const;  // all there are, in the folder and below, by name

 private:
  std::string path_;
};

// One call of a driver, in a process of its own (on the simulated device; on a GPU the process is kept until
// something goes wrong).
class Run {
 public:
  explicit Run(std::string driver);  // the name given to WORKBOOK_DRIVER
  Run(Run&&) noexcept;
  ~Run();

  // What is special about this run, for the headline: "n = 1000".
  template <class... A>
  Run& say(fmt::format_string<A...> format, A&&... a) {
    return say_text(fmt::format(format, std::forward<A>(a)...));
  }

  // A number, a flag, a small struct.
  template <class T>
  Run& value(std::string_view name, T v) {
    static_assert(std::is_trivially_copyable_v<T>);
    return set(name, 'v', &v, sizeof(T), 1, sizeof(T));
  }
  Run& text(std::string_view name, std::string_view v);  // words

  // An array that the driver reads.
  template <class T>
  Run& in(std::string_view name, const std::vector<T>& v) {
    return set(name, 'i', v.data(), sizeof(T), v.size(), alignof(T));
  }
  // An array that it reads and changes.
  template <class T>
  Run& inout(std::string_view name, const std::vector<T>& v) {
    return set(name, 'b', v.data(), sizeof(T), v.size(), alignof(T));
  }
  // An array of `count` elements that it makes. It is poisoned before.
  template <class T>
  Run& out(std::string_view name, std::size_t count) {
    return set(name, 'o', nullptr, sizeof(T), count, alignof(T));
  }

  // One variable more in the environment of the learner's program: what must be set before a process starts
  // (CUDA_FORCE_PTX_JIT). On a GPU such a run has a process that it shares only with runs of the same
  // environment.
  Run& environment(std::string_view name, std::string_view value);
  // A process in which nothing ran before and nothing will run after, on a GPU too: what only a first use
  // costs is then a cost of this run.
  Run& fresh_process();
  // The learner's program may write there, also where a class is graded and it may write nowhere else.
  Run& may_write(const Scratch& folder);

  // On a GPU too, this run's steps say when the device did them (Step::device_begin_us), and questions about
  // time on the device have answers. CUPTI knows; it costs about 2 us a launch, and such a run has a process
  // of its own. Without CUPTI the case ends with "not run". On the simulated device every run has them.
  Run& device_times();

  // Wall-clock limit of this run; the default is 20 s on a GPU, 60 s on the simulated device.
  Run& time_limit(double seconds);
  // In which order the device takes what the learner's code left open.
  Run& schedule(const Schedule& schedule);
  Result go();  // calls the driver, and waits for it

 private:
  Run& set(std::string_view name, char mode, const void* data, std::size_t element, std::size_t count,
           std::size_t align);
  Run& say_text(std::string text);
  struct State;
  std::unique_ptr<State> state_;
};

// What came back from a run, and what a check may expect of it.
class Result {
 public:
  Result();
  ~Result();
  Result(Result&&) noexcept;

  // --- expectations; each ends the case with evidence when it fails ---

  // No crash, no timeout, no device fault, no API error left behind, guards whole, inputs unchanged.
  // `leads_on` replaces the default question for a fault.
  void expect_clean(std::string_view leads_on = {}) const;

  // An output array equals the expected one. The first difference is reported with index, got, expected and,
  // where there is one, the pattern (tail, first quarter = bytes for elements, shifted, transposed, input
  // unchanged, poison, zero, stale). `layout` turns an index into words: at(width) gives "row 3, column 7".
  template <class T>
  void expect(std::string_view name, const std::vector<T>& expected, const Tolerance& tolerance = exact(),
              const IndexWords& layout = {}) const {
    expect_bytes(name, describe_type<T>(), expected.data(), expected.size(), tolerance, layout);
  }

  // A fact about numbers the driver gave back. `code` is stable: wrong/ files are matched by it.
  void expect_that(bool holds, Finding finding) const;
  [[noreturn]] void fail(Finding finding) const;  // ends the case with this finding

  // The time bound of that name in chapter.toml ([exercise.bounds.NAME]) holds for the measurement of that
  // name: learner / baseline <= at_most.
  void expect_bound(std::string_view measurement) const;

  // --- what came back ---
  // An output array.
  template <class T>
  std::vector<T> array(std::string_view name) const {
    std::vector<T> v(bytes_of(name) / sizeof(T));
    copy_bytes(name, v.data(), v.size() * sizeof(T));
    return v;
  }
  double number(std::string_view name) const;         // Call::result; a grader error when it is missing
  std::int64_t integer(std::string_view name) const;  // the same, a whole number
  std::string text(std::string_view name) const;      // the same, words or bytes
  bool has(std::string_view name) const;              // whether the driver gave such a result

  // --- what the learner's region did (workbook/questions.h) ---
  const Trace& trace() const;      // its steps, ranges and times
  bool simulated() const;          // it ran on the simulated device
  bool clean() const;              // what expect_clean asks, as a question
  std::string error_name() const;  // first CUDA error of the learner's region: "" or its name

  struct State;
  // Used by the library.
  explicit Result(std::shared_ptr<State> state);

 private:
  void expect_bytes(std::string_view name, const TypeWords& type, const void* expected, std::size_t count,
                    const Tolerance&, const IndexWords&) const;
  std::size_t bytes_of(std::string_view name) const;
  void copy_bytes(std::string_view name, void* out, std::size_t bytes) const;
  std::shared_ptr<State> state_;
};

// ---- cases ------------------------------------------------------------------------------------------------

// Says in a few words what a passed case showed: "right for 14 sizes".
void passed_text(std::string text);
template <class... A>
void passed(fmt::format_string<A...> format, A&&... a) {
  passed_text(fmt::format(format, std::forward<A>(a)...));
}

// The case needs what this machine lacks: verdict "not run", never passed.
[[noreturn]] void not_run(std::string why);

// For findings that rest on real clocks, which scatter: on a GPU a body whose finding fails is run again, up
// to four times, and one clean look is enough. A mistake is off every time. On the simulated device the body
// runs once. Crashes, faults, wrong values and time bounds (which look again by themselves) end the case at
// once.
void look_again(const std::function<void()>& body);
// True when this run grades on the simulated device.
bool on_simulated_device();

// Ends the current case with this finding.
[[noreturn]] void fail(Finding finding);
void expect_that(bool holds, Finding finding);

namespace detail {
struct CaseEnded {};  // thrown by a failed expectation, caught by the case
void register_exercise(const char* id, const char* asked, const char* file);
void run_case(const char* name, void (*body)());
}  // namespace detail

}  // namespace workbook

// Names the exercise that the cases below check, and says in a sentence what it asks.
#define EXERCISE(id, asked)                                     \
  static const bool workbook_exercise_registered = [] {         \
    ::workbook::detail::register_exercise(id, asked, __FILE__); \
    return true;                                                \
  }();

// One case of the check, a function body: `CHECK_CASE(every_size) { ... }`.
#define CHECK_CASE(name)                                       \
  static void workbook_case_##name();                          \
  TEST(Exercise, name) {                                       \
    ::workbook::detail::run_case(#name, workbook_case_##name); \
  }                                                            \
  static void workbook_case_##name()
