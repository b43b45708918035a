// The learner's copies: work/NN_topic/NN_name.cu. The starters they came from are kept in work/.base, so that
// a new version of a starter can be merged three-way. What the learner wrote is never overwritten: before a
// file changes, the old one goes to work/.backup.
#pragma once

#include <string>
#include <vector>

#include "grader/check.h"

namespace workbook::grader {

enum class FileChange { made, renewed, merged, conflict, kept };

struct WorkChange {
  FileChange change{};
  std::string file;    // as shown
  std::string beside;  // conflict: the file that holds the merge; merged: the backup
};

// Makes what is missing. With `merge`, brings new starters into files that exist too. Only what changed is
// returned. Throws std::runtime_error (a disk that is full, a folder that cannot be written).
std::vector<WorkChange> bring_up_to_date(const Workspace&, const std::vector<Exercise>&, bool merge);

// Puts the starter back; returns where the learner's files went, empty when there was nothing to keep.
std::vector<std::string> reset(const Workspace&, const Exercise&);

}  // namespace workbook::grader
