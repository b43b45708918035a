// Grades submissions on this machine: each answer to each exercise once, equal answers together, what is
// known from an interrupted grading not again.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "classroom/grades.h"
#include "classroom/isolation.h"
#include "classroom/submission.h"

namespace workbook::classroom {

struct GradingOptions {
  grader::CheckOptions check;
  std::string isolation = "auto";
  unsigned jobs = 1;
  int hidden_sizes = 0;
  bool secret_seed = false;
  std::string seed_fingerprint;
  double run_seconds = 0;  // of one call; 0: the usual
  fs::path store;          // what is known already, by answer; kept there as soon as it is known
};

// A number of workbook, model, runtime, checks and headers: what an answer's grade depends on besides the
// answer.
std::string name_of_workbook(const grader::Workspace&);

// What a grade depends on besides the answer, in a line: parts of other conditions are not mixed.
std::string conditions_in_words(const grader::Workspace&, const GradingOptions&);

// How far it is: answers done, of all, and how many of them were known.
struct Progress {
  std::size_t done = 0, all = 0, known = 0;
};

// Fills grades.submissions in the order of `submissions`. False when it was interrupted: then nothing is
// filled, and the store holds what is known.
bool grade(const grader::Workspace&, const std::vector<grader::Exercise>&,
           const std::vector<Submission>& submissions, const GradingOptions&,
           const std::function<void(const Progress&)>& tell, Grades& grades);

}  // namespace workbook::classroom
