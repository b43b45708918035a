// Small file helpers of the grader: whole files, atomic writes, a content hash, temporary folders.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace workbook::grader {

namespace fs = std::filesystem;

// The whole file; nullopt when it can't be read, or is no regular file.
std::optional<std::string> read_file(const fs::path& path);

// Writes beside `path` and renames, so that nobody ever sees half a file. Throws std::runtime_error with the
// reason.
void write_file(const fs::path& path, std::string_view text);

// Copies a file atomically, its mode included. Throws std::runtime_error.
void copy_file_whole(const fs::path& from, const fs::path& to);

// `path` relative to `root` when it lies below it, else as it is; always with '/'.
std::string shown_path(const fs::path& path, const fs::path& root);

// A 128-bit content hash, not cryptographic: it names cache entries, it keeps no secret.
class Hash {
 public:
  Hash& add(std::string_view bytes);  // the length counts too, so that ("ab","c") differs from ("a","bc")
  std::string hex() const;

 private:
  std::uint64_t a_ = 0x9e3779b97f4a7c15ull, b_ = 0xc2b2ae3d27d4eb4full;
};

// A fresh folder, removed with everything in it when the object goes.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(std::string_view purpose);  // throws std::runtime_error
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::vector<std::string> split_lines(std::string_view text);
std::string trimmed(std::string_view text);

}  // namespace workbook::grader
