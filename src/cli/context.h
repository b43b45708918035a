// What every command works with: where the workbook is, what the chapters hold, what the learner has done,
// and the options of this call.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/check.h"
#include "grader/page.h"
#include "grader/state.h"

namespace workbook::cli {

namespace fs = grader::fs;

struct Options {
  std::string device;  // empty: the command's own default
  std::string profile = "h200@1";
  std::string seed = "1";  // a number, or "random"
  bool json = false;
  bool color = false;
  bool verbose = false;
};

// A mistake in what was typed: exit code 2. The text says what would be right.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Context {
 public:
  Context(fs::path self, Options options);

  const Options& options() const { return options_; }
  const fs::path& self() const { return self_; }
  const fs::path& root() const { return root_; }
  const fs::path& build() const { return build_; }
  const std::string& command() const { return command_; }  // as it was typed: "./workbook"

  const std::vector<grader::Chapter>& chapters();
  const std::vector<grader::Exercise>& exercises();
  const grader::Workspace& space();  // throws SetupError when nothing is built
  grader::State& state();

  // By id, stem, file or path; throws UsageError that names the nearest.
  const grader::Exercise& need_exercise(const std::string& name);
  // "3", "03" or the folder's name; null when that names no chapter.
  const grader::Chapter* chapter_named(const std::string& name);
  // Those named, a chapter's name standing for all of its exercises; every exercise when there is no name.
  std::vector<grader::Exercise> chosen(const std::vector<std::string>& names);
  // The one named, or the learner's current one when the name is empty. Null when all are solved.
  const grader::Exercise* named_or_current(const std::string& name);

  // Device (settled), profile and seed for a check; `otherwise` when none was asked for.
  grader::CheckOptions check_options(const std::string& otherwise);
  grader::PageOptions page_options();

  bool work_exists() const { return fs::exists(root_ / "work" / ".base"); }

 private:
  fs::path self_, root_, build_;
  Options options_;
  std::string command_;
  std::vector<grader::Chapter> chapters_;
  std::vector<grader::Exercise> exercises_;
  std::unique_ptr<grader::Workspace> space_;
  std::unique_ptr<grader::State> state_;
};

// Says on the terminal what goes on, once it takes longer than a second; nothing when there is no terminal.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

}  // namespace workbook::cli
