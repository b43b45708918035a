// What the checks of this chapter ask the trace: the five steps, their bytes, their order, and what is left.
//
// Each question ends the case with a finding of its own when the answer is no. They stand before the
// questions about values: a wrong value is the symptom, a wrong step the cause.
#pragma once

#include <workbook/check.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace five_steps {

using workbook::Finding;
using workbook::Result;
using workbook::Step;
using Kind = workbook::Step::Kind;

// "cudaMemcpy at line 31", or "cudaMemcpy" where the line is unknown.
inline std::string words(const Step& step) {
  return step.line > 0 ? fmt::format("{} at line {}", step.api, step.line) : step.api;
}

inline bool worked(const Step& step) {
  return step.result == 0;
}

// The steps in the order of the calls. The record has asynchronous ones where they ended.
inline std::vector<Step> in_order(const Result& result) {
  std::vector<Step> steps = result.trace().steps();
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& a, const Step& b) { return a.host_begin_us < b.host_begin_us; });
  return steps;
}

// The steps in words, in the order of the calls: "allocate 3 times, copy in twice, launch (refused), free 3
// times".
inline std::string steps_in_words(const Result& result) {
  struct Group {
    std::string what;
    int times;
  };
  std::vector<Group> groups;
  for (const Step& step : in_order(result)) {
    std::string what;
    if (step.kind == Kind::allocate) what = "allocate";
    if (step.kind == Kind::release) what = "free";
    if (step.kind == Kind::set) what = "set";
    if (step.kind == Kind::kernel) what = "launch";
    if (step.kind == Kind::synchronise) what = "wait";
    if (step.kind == Kind::copy) {
      what = step.direction == "host to device"   ? "copy in"
             : step.direction == "device to host" ? "copy out"
                                                  : "copy " + step.direction;
    }
    if (what.empty()) continue;
    if (!worked(step)) what += " (refused)";
    if (!groups.empty() && groups.back().what == what)
      ++groups.back().times;
    else
      groups.push_back({what, 1});
  }
  std::string text;
  for (const Group& group : groups) {
    if (!text.empty()) text += ", ";
    text += group.what;
    if (group.times > 1) text += group.times == 2 ? " twice" : fmt::format(" {} times", group.times);
  }
  return text.empty() ? "none at all" : text;
}

// Bytes that crossed the bus in that direction by calls that worked.
inline std::uint64_t crossed(const Result& result, const char* direction) {
  std::uint64_t bytes = 0;
  for (const Step& copy : result.trace().copies(direction)) bytes += worked(copy) ? copy.bytes : 0;
  return bytes;
}

// One line per copy over the bus: "host to device: cudaMemcpy at line 31, 132 bytes".
inline std::vector<std::string> list_copies(const Result& result) {
  std::vector<std::string> lines;
  for (const Step& copy : result.trace().of(Kind::copy)) {
    if (lines.size() == 6) {
      lines.push_back("and more of them");
      break;
    }
    lines.push_back(fmt::format("{}: {}, {} bytes", copy.direction, words(copy), copy.bytes));
  }
  return lines;
}

// A block of device memory, from its allocation to its release (index into the steps; none yet:
// steps.size()).
struct Block {
  std::uint64_t address, bytes;
  std::size_t allocated, released;
  bool holds(std::uint64_t a) const { return a >= address && a < address + bytes; }
};

inline std::vector<Block> blocks_of(const std::vector<Step>& steps) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (step.address == 0 || !worked(step)) continue;
    if (step.kind == Kind::allocate) blocks.push_back({step.address, step.bytes, i, steps.size()});
    if (step.kind != Kind::release) continue;
    for (Block& block : blocks) {
      if (block.address == step.address && block.released == steps.size()) block.released = i;
    }
  }
  return blocks;
}

// No copy touches a block after its release.
inline void expect_no_early_free(const Result& result) {
  const std::vector<Step> steps = in_order(result);
  const std::vector<Block> blocks = blocks_of(steps);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind != Kind::copy) continue;
    for (const std::uint64_t address : {steps[i].source, steps[i].address}) {
      const Block* dead = nullptr;
      bool live = false;
      for (const Block& block : blocks) {
        if (!block.holds(address) || block.allocated > i) continue;
        (block.released < i) ? void(dead = &block) : void(live = true);
      }
      if (live || dead == nullptr) continue;
      result.fail({"freed_too_early",
                   fmt::format("{} uses device memory that was freed before.", words(steps[i])),
                   {fmt::format("allocated by {}, freed by {}", words(steps[dead->allocated]),
                                words(steps[dead->released])),
                    fmt::format("the steps: {}", steps_in_words(result))},
                   "Which step needs this block last?"});
    }
  }
}

// No block is released twice.
inline void expect_no_double_free(const Result& result) {
  const std::vector<Step> steps = in_order(result);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind != Kind::release || steps[i].address == 0) continue;
    const Step* first = nullptr;
    for (std::size_t k = 0; k < i; ++k) {
      if (steps[k].address != steps[i].address || !worked(steps[k])) continue;
      if (steps[k].kind == Kind::release) first = &steps[k];
      if (steps[k].kind == Kind::allocate) first = nullptr;
    }
    if (first == nullptr) continue;
    result.fail(
        {"double_free",
         fmt::format("{} frees a block that {} had freed.", words(steps[i]), words(*first)),
         {"The second free gives back what is no longer yours: by then it may be somebody else's."},
         "How many frees belong to one allocation, and on which path through your function is it two?"});
  }
}

// Everything allocated in the learner's regions was released there.
inline void expect_all_freed(const Result& result) {
  const std::vector<Step> leaks = result.trace().leaks();
  if (leaks.empty()) return;
  std::size_t allocations = 0, frees = 0;
  for (const Step& step : result.trace().of(Kind::allocate)) allocations += worked(step);
  for (const Step& step : result.trace().of(Kind::release)) frees += worked(step) && step.address != 0;
  result.fail({"missing_free",
               fmt::format("{} allocation{}, {} free{}.", allocations, allocations == 1 ? "" : "s", frees,
                           frees == 1 ? "" : "s"),
               {fmt::format("never freed: the {} bytes of {}", leaks.front().bytes, words(leaks.front()))},
               "Which pointer has no step five?"});
}

// The first step that was refused; null when none was.
inline const Step* first_refused(const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    if (!worked(step)) return &step;
  }
  return nullptr;
}

// One step was made to fail: `function` has to return that step's error, free everything, and work again in
// the call after it. False when the code never took such a step. The driver gives "status", "status_name" of
// the call that met the failure, and "again", "again_name" of the one after it.
inline bool expect_reported(const Result& result, const std::string& function,
                            const std::string& what_fails) {
  if (!result.has("status")) result.expect_clean();  // it broke off: say how
  const std::vector<Step> steps = in_order(result);
  const Step* refused = first_refused(steps);
  if (refused == nullptr) return false;
  const std::string step = refused->kind == Kind::kernel ? "the launch of " + refused->name : words(*refused);
  const char* const question =
      refused->kind == Kind::kernel
          ? "A launch returns nothing. Where does its error wait, and who asks for it?"
          : "What does this call return, and who looks at it?";
  result.expect_that(result.integer("status") != 0,
                     {refused->kind == Kind::kernel ? "launch_error_ignored" : "error_swallowed",
                      fmt::format("{} was refused, and {} returned cudaSuccess.", what_fails, function),
                      {fmt::format("refused: {}", step), "The caller now believes that c holds sums."},
                      question});
  result.expect_that(
      result.integer("status") == refused->result,
      {"error_swallowed",
       fmt::format("{} was refused, and {} returned the error of something else: {}.", what_fails, function,
                   result.text("status_name")),
       {fmt::format("the first step that failed: {}", step)},
       "Which of your calls failed first, and which error does the variable hold in the end?"});
  expect_all_freed(result);
  result.expect_that(
      result.integer("again") == 0,
      {"fails_ever_after",
       fmt::format("After that, a call with which nothing is wrong returned {}.", result.text("again_name")),
       {fmt::format("in the call before it, {} was refused", step),
        "The runtime keeps the last error until cudaGetLastError takes it away. Good calls do not."},
       "Whose error does your question after the launch find?"});
  return true;
}

// A kernel ran, and on the simulated device it wrote at least `bytes` of device memory.
inline void expect_a_kernel(const Result& result, std::uint64_t bytes) {
  std::size_t ran = 0;
  for (const Step& kernel : result.trace().kernels()) ran += worked(kernel);
  if (ran == 0) {
    result.fail({"no_kernel",
                 "No kernel ran on the device.",
                 {fmt::format("the steps: {}", steps_in_words(result))},
                 "Who did the arithmetic, the host or the device?"});
  }
  if (!result.trace().counters_known()) return;
  std::uint64_t sectors = 0;
  for (std::size_t k = 0; k < result.trace().kernels().size(); ++k) {
    const auto counted = result.trace().counter(k, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum");
    if (!counted) return;
    sectors += *counted;
  }
  if (sectors * 32 >= bytes) return;
  result.fail({"no_kernel",
               fmt::format("The kernels wrote at most {} bytes of device memory, the result has {}.",
                           sectors * 32, bytes),
               {},
               "Who did the arithmetic, the host or the device?"});
}

}  // namespace five_steps
