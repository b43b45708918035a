// The page a person sees after a check: what was asked, the first thing that is wrong with its evidence, the
// place in the source with a caret, what it means, and one sentence that leads on. 76 columns, plain in a
// log.
#pragma once

#include <string>

#include "grader/text_layout.h"
#include "grader/verdict.h"

namespace workbook::grader {

struct PageOptions {
  bool color = false;
  bool verbose = false;  // the judge's own output too
  fs::path root;         // paths below it are shown relative to it
  std::string command = "./workbook";
  int solved = -1, total = 0;  // for the progress line of a passed check; -1 leaves it out
  std::string next;            // "2.2 Two dimensions", empty when there is none
  std::string next_file;
};

std::string render(const Verdict& verdict, const PageOptions& options);

// One line: "2.1  One thread per element    wrong".
std::string headline_of(const Verdict& verdict, bool color);

// The lines around a place: the source line with a caret and the note beside it. Empty when the file or line
// is missing.
std::string excerpt(const trace::Place& place, const fs::path& root, std::size_t columns);

inline constexpr std::size_t page_columns = 76;

}  // namespace workbook::grader
