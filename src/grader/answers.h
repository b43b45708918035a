// The wrong and the right answers of an exercise: tests/exercises/NN_topic/NN_name/{wrong,right}/. Each is a
// file that takes the place of the exercise's file of the same kind, or a folder with several; what it lacks
// is the solution's. What must come of it stands in the comment that its first file opens with (with # where
// // is no comment):
//
//   // wrong: the division rounds down, so the tail has no block
//   // verdict: wrong
//   // code: pattern.tail
//   // message: the last 232 of 1000
//   // seen: simulated             (a GPU cannot see it; or `gpu`: only real clocks show it)
//
//   // right: a grid-stride loop
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/check.h"

namespace workbook::grader {

enum class AnswerKind { starter, solution, wrong, right };
const char* name_of(AnswerKind kind);

struct Expected {
  AnswerKind kind = AnswerKind::wrong;
  std::string name;                    // "floor_division.cu", "" for starter and solution
  std::string about;                   // what the mistake, or the alternative, is
  std::optional<VerdictKind> verdict;  // wrong answers only
  std::string code;
  std::vector<std::string> messages;  // must occur on the page
  std::string seen_by;                // "simulated" or "gpu" where only that device can see it; else empty
  std::string problem;                // the header is not as it should be: what is wrong with it
  Answer answer;
};

// Starter, solution, then the wrong answers, then the right ones, each sorted by name.
std::vector<Expected> expectations_of(const Workspace&, const Exercise&);

// Reads the header comment of one answer.
void read_expectation(const std::string& text, Expected& expected);

}  // namespace workbook::grader
