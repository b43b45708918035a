// The authors' proof that the checks are right: every starter fails for its reason, every solution passes
// with margin, every wrong answer gets its verdict, code and words, every right answer passes.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "grader/answers.h"

namespace workbook::grader {

enum class Standing { ok, bad, not_run };

struct Verified {
  Expected expected;
  Verdict verdict;
  Standing standing = Standing::bad;
  std::string remark;  // ok: a figure worth showing; else why not
};

struct VerifyCounts {
  int exercises = 0, starters_ok = 0, solutions_ok = 0, not_run = 0;
  int wrong_answers = 0, wrong_answers_ok = 0, right_answers = 0, right_answers_ok = 0;
  bool all_ok() const;
};

struct ExerciseVerified {
  Exercise exercise;
  std::vector<Verified> answers;
};

// Does this verdict fulfil that expectation? Fills standing and remark.
void compare_with_expectation(const Workspace&, const Exercise&, const CheckOptions&, Verified& verified);

// `tell` is called per exercise, in order, as soon as it is done. False when it was interrupted.
bool verify(const Workspace&, const std::vector<Exercise>&, const CheckOptions&, unsigned workers,
            const std::function<void(const ExerciseVerified&)>& tell, std::vector<ExerciseVerified>& all);

VerifyCounts count(const std::vector<ExerciseVerified>& all);

std::string render(const ExerciseVerified& one, bool color, bool verbose, const fs::path& root);
std::string render(const VerifyCounts& counts);

// Schema "workbook-verify/1", see docs/cli-json.md.
nlohmann::json to_json(const std::vector<ExerciseVerified>& all, const CheckOptions& options);

}  // namespace workbook::grader
