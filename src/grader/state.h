// What the learner has done so far: work/.state.json.
#pragma once

#include <map>
#include <string>

#include "grader/manifest.h"

namespace workbook::grader {

class State {
 public:
  // A file that cannot be read as a state is put aside (".state.json.broken") and told by `trouble()`.
  explicit State(const fs::path& work);

  bool solved(const std::string& id) const { return solved_.contains(id); }
  int solved_count() const { return static_cast<int>(solved_.size()); }
  int hints_shown(const std::string& id) const;
  const std::string& current() const { return current_; }
  const std::string& trouble() const { return trouble_; }

  void set_solved(const std::string& id, const std::string& device);
  void set_hints_shown(const std::string& id, int count);
  void set_current(const std::string& id);

  // Written whole or not at all; two that write at once lose neither's solved exercises. A read-only folder
  // is no error: progress is then not kept.
  void save();

 private:
  void merge_from_disk();
  fs::path path_;
  std::map<std::string, std::string> solved_;  // id -> device
  std::map<std::string, int> hints_;
  std::string current_, trouble_;
};

// The exercise to work on: the one chosen, else the first unsolved one; null when all are solved.
const Exercise* current_exercise(const std::vector<Exercise>& exercises, const State& state);
const Exercise* next_unsolved(const std::vector<Exercise>& exercises, const State& state,
                              const std::string& after);

}  // namespace workbook::grader
