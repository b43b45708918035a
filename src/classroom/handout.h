// A class's repository: the workbook without solutions, wrong and right answers and tests, with the learners'
// files in work/, which is tracked, so that handing in is pushing.
#pragma once

#include <string>
#include <vector>

#include "grader/check.h"

namespace workbook::classroom {

struct Handout {
  std::size_t files = 0, exercises = 0;
};

// `ci` names templates to put where they belong: "github", "gitlab". Throws std::runtime_error; the folder
// must be empty or not there.
Handout make_handout(const grader::fs::path& root, const grader::fs::path& to,
                     const std::vector<grader::Exercise>& exercises, const std::vector<std::string>& ci);

}  // namespace workbook::classroom
