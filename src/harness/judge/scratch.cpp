// The check's own folders, for what outlives a process.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "workbook/check.h"

namespace workbook {

namespace fs = std::filesystem;

Scratch::Scratch() {
  std::error_code error;
  fs::path place = fs::temp_directory_path(error);
  if (error) place = "/tmp";
  std::string name = (place / "workbook-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw std::runtime_error(
        fmt::format("cannot make a folder in {}: {}", place.string(), std::strerror(errno)));
  path_ = name;
}

Scratch::~Scratch() {
  std::error_code error;
  fs::remove_all(path_, error);
}

std::vector<Scratch::File> Scratch::files() const {
  std::vector<File> found;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(path_, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    std::error_code gone;
    if (!at->is_regular_file(gone) || gone) continue;
    found.push_back({at->path().lexically_relative(path_).string(), at->file_size(gone),
                     at->last_write_time(gone).time_since_epoch().count()});
  }
  std::sort(found.begin(), found.end(), [](const File& a, const File& b) { return a.name < b.name; });
  return found;
}

}  // namespace workbook
