// What the chapters hold: chapters/NN_topic/chapter.toml, read and checked. A mistake in a manifest is told
// with file and line, because the one who reads it is the author who just made it.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/bound_rule.h"
#include "grader/files.h"

namespace workbook::grader {

using BoundRule = base::BoundRule;

// [exercise.build]: how an exercise is compiled beyond the usual.
struct BuildRules {
  // Sources that belong to the workbook and are built with every answer: files in the chapter's folder, for
  // the learner to read. A .cpp is compiled by g++ alone, and finds the answer's headers.
  std::vector<std::string> given;
  std::vector<std::string> code;  // "sm_75": machine code for these too
  bool machine_code = true;  // false: PTX of the oldest architecture alone, which every GPU has to compile
  std::string architectures_from;  // the learner's file whose options replace ours (grader/architectures.h)
  bool ptxas_report = false;       // nvcc -Xptxas -v, for the judge to read
};

struct Exercise {
  std::string id;              // "2.1"
  std::string stem;            // "01_one_thread_per_element"
  std::string chapter_folder;  // "02_grids_blocks_threads"
  std::string title;
  std::string asked;
  std::vector<std::string> files;  // the learner's files; the first is the one to open
  BuildRules build;
  std::vector<std::string> hints;
  int points = 0;
  double right_share = 0.5;  // of the points, for what is right and too slow (src/classroom/points.h)
  bool optional = false;
  std::vector<std::string> needs;         // "gpu": what must be there, or the check is not run
  std::vector<std::string> partly_needs;  // the same for a part of the check; the rest is checked everywhere
  double time_limit_seconds = 300;        // for the whole check, wall clock
  std::map<std::string, BoundRule> bounds;

  std::string path() const { return chapter_folder + "/" + stem; }  // "02_grids_blocks_threads/01_..."
};

struct Chapter {
  int number = 0;
  std::string title;
  std::string folder;  // "02_grids_blocks_threads"
  fs::path manifest;
  std::vector<Exercise> exercises;
};

class ManifestError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// In the order of the chapters' numbers. Throws ManifestError.
std::vector<Chapter> load_chapters(const fs::path& root);
Chapter load_chapter(const fs::path& manifest, const fs::path& root);

// All exercises, in order.
std::vector<Exercise> all_exercises(const std::vector<Chapter>& chapters);

// By id ("2.1"), stem, stem without its number, file or path. Null when there is none.
const Exercise* find_exercise(const std::vector<Exercise>& exercises, const std::string& name);

// Of `known`, the one closest to `name` in letters; empty when nothing is close.
std::string nearest(const std::string& name, const std::vector<std::string>& known);

}  // namespace workbook::grader
