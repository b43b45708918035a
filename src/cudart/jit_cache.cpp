#include "cudart/jit_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace workbook::cudart {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_cache = std::uint64_t{4} << 30;
constexpr const char* index_name = "index";

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

fs::path usual_folder() {
  if (const std::string home = variable("HOME"); !home.empty())
    return fs::path(home) / ".cache" / "cuda-workbook" / "ComputeCache";
  return {};
}

// FNV-1a, twice with different starts: a name for a text, not a defence.
std::uint64_t hash(std::string_view text, std::uint64_t start) {
  std::uint64_t h = start;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

std::string content_of(std::string_view ptx) {
  std::string content = "simulated device: stands for compiled PTX\n";
  content.resize(std::max(content.size(), ptx.size()), ' ');
  return content;
}

struct Entry {
  fs::file_time_type used;
  std::uint64_t bytes;
  fs::path path;
};

std::vector<Entry> entries_in(const fs::path& folder) {
  std::vector<Entry> entries;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(folder, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (!at->is_regular_file(error) || at->path().filename() == index_name) continue;
    entries.push_back({at->last_write_time(error), at->file_size(error), at->path()});
  }
  return entries;
}

}  // namespace

JitCache JitCache::from_environment() {
  JitCache cache;
  if (variable("CUDA_CACHE_DISABLE") == "1") return cache;
  const std::string path = variable("CUDA_CACHE_PATH");
  cache.folder_ = path.empty() ? usual_folder() : fs::path(path);
  if (const std::string most = variable("CUDA_CACHE_MAXSIZE"); !most.empty()) {
    char* end = nullptr;
    const unsigned long long bytes = std::strtoull(most.c_str(), &end, 10);
    if (*end == '\0') cache.most_bytes_ = std::min<std::uint64_t>(bytes, largest_cache);
  }
  return cache;
}

fs::path JitCache::entry_of(std::string_view ptx) const {
  const std::string name =
      fmt::format("{:016x}{:016x}", hash(ptx, 0xcbf29ce484222325u), hash(ptx, 0x84222325cbf29ce4u));
  return folder_ / name.substr(0, 1) / name.substr(1, 1) / name.substr(2);
}

bool JitCache::holds(std::string_view ptx) const {
  if (!enabled()) return false;
  std::error_code error;
  const fs::path entry = entry_of(ptx);
  if (!fs::is_regular_file(entry, error) || fs::file_size(entry, error) != content_of(ptx).size())
    return false;
  fs::last_write_time(entry, fs::file_time_type::clock::now(), error);
  return true;
}

// What was not used for longest goes first.
void JitCache::make_room(std::uint64_t bytes) const {
  std::vector<Entry> entries = entries_in(folder_);
  std::uint64_t total = bytes;
  for (const Entry& entry : entries) total += entry.bytes;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  std::error_code error;
  for (const Entry& entry : entries) {
    if (total <= most_bytes_) break;
    if (fs::remove(entry.path, error)) total -= entry.bytes;
  }
}

bool JitCache::keep(std::string_view ptx) const {
  if (!enabled()) return false;
  const std::string content = content_of(ptx);
  if (content.size() > most_bytes_) return false;
  std::error_code error;
  const fs::path entry = entry_of(ptx);
  fs::create_directories(entry.parent_path(), error);
  if (error) return false;
  make_room(content.size());
  std::ofstream(folder_ / index_name, std::ios::app);
  // Whole or not at all: another process may look at the same moment.
  fs::path partial = entry;
  partial += fmt::format(".{}.part", ::getpid());
  {
    std::ofstream out(partial, std::ios::binary);
    out << content;
    if (!out) return false;
  }
  fs::rename(partial, entry, error);
  return !error;
}

}  // namespace workbook::cudart
