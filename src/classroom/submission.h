// What is taken from a submission: the learner files that chapter.toml names, as plain files, nothing else.
// Links, pipes, folders in the place of a file, and files that no person wrote are told, and not followed or
// opened. What the grader may not read, and a hard link to who knows what, is not graded: a person has to
// look.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/check.h"

namespace workbook::classroom {

namespace fs = grader::fs;

struct Submission {
  fs::path folder;
  std::string name;  // of the folder, made printable
  std::string id;    // safe in file names
};

// The answer to one exercise.
struct Taken {
  bool handed_in = false;          // at least one of its files is there
  std::vector<std::string> texts;  // of Exercise::files; the starter's for a further file that is missing
  std::string refused;             // why a file was not taken; then there is no answer
  std::string refused_code = "file.refused";
  std::string trouble;  // why this grader cannot read it: then it is not graded, which is no zero
  std::string content;  // names the texts: equal for equal ones
};

struct SubmissionFiles {
  std::map<std::string, Taken> answers;  // by exercise id
  std::vector<std::string> remarks;
};

// The submissions that a path stands for: itself, when it holds learner files, or one for each folder in it.
// `as_class`: decides it; nullopt: it is found out. Throws std::runtime_error.
std::vector<Submission> find_submissions(const fs::path& path, const std::vector<grader::Exercise>&,
                                         std::optional<bool> as_class);

SubmissionFiles take_files(const Submission&, const std::vector<grader::Exercise>&, const grader::Workspace&);

// Why a source may not be compiled for a grade: it includes files that are not an exercise's. Empty: it may.
std::string refused_include(const std::string& text);

// The texts as files in a folder named by their content, so that equal answers share what the compiler made.
grader::Answer laid_out(const Taken&, const grader::Exercise&, const grader::Workspace&);

}  // namespace workbook::classroom
