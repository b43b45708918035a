#include "classroom/submission.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <set>
#include <stdexcept>

#include "grader/text_layout.h"

namespace workbook::classroom {

namespace {

constexpr std::size_t largest_source = std::size_t{1} << 20;
constexpr std::size_t most_folders = 64;  // of a submission that are looked into

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

struct File {
  bool there = false;
  std::string text, refused;
  std::string trouble;  // nobody's fault, as far as can be seen from here: no zero
};

File not_readable(const fs::path& path, int error) {
  File file;
  file.trouble = fmt::format("{} cannot be read by this grader: {}", path.string(), std::strerror(error));
  return file;
}

// Opens one name at a time and never follows a link: what a link names may be anybody's.
File read_plain(const fs::path& root, const fs::path& relative) {
  File file;
  Descriptor folder(::open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0) return errno == EACCES ? not_readable("The submission's folder", errno) : file;
  const fs::path parent = relative.parent_path();
  for (const auto& part : parent) {
    Descriptor next(::openat(folder.get(), part.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (next.get() < 0) {
      if (errno == EACCES) return not_readable(part, errno);
      struct stat facts {};
      if (::fstatat(folder.get(), part.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(facts.st_mode)) {
        file.there = true;
        file.refused = fmt::format("{} is a link, not a folder", part.string());
      }
      return file;
    }
    folder = std::move(next);
  }
  const std::string name = relative.filename().string();
  struct stat facts {};
  if (::fstatat(folder.get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == EACCES ? not_readable(name, errno) : file;
  file.there = true;
  if (!S_ISREG(facts.st_mode)) {
    file.refused = fmt::format("{} is {}, not a plain file", name,
                               S_ISLNK(facts.st_mode)    ? "a link"
                               : S_ISDIR(facts.st_mode)  ? "a folder"
                               : S_ISFIFO(facts.st_mode) ? "a pipe"
                                                         : "a device or a socket");
    return file;
  }
  const Descriptor fd(::openat(folder.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (fd.get() < 0 || ::fstat(fd.get(), &facts) != 0 || !S_ISREG(facts.st_mode))
    return not_readable(name, errno);
  // A second name may be anybody's file: an archive can hold such a link, and what does not compile is shown.
  if (facts.st_nlink > 1) {
    file.trouble = fmt::format(
        "{} is a hard link: the same file has {} names. Look what the other one is; if you made it, copy the "
        "submissions with cp -r",
        name, facts.st_nlink);
    return file;
  }
  // No more room than it needs: a class has thousands of files, and they are all held.
  file.text.resize(std::min(static_cast<std::size_t>(facts.st_size), largest_source) + 1);
  std::size_t got = 0;
  for (ssize_t n = 1; n > 0 && got < file.text.size();
       got += static_cast<std::size_t>(std::max<ssize_t>(n, 0)))
    n = ::read(fd.get(), file.text.data() + got, file.text.size() - got);
  file.text.resize(got);
  if (got > largest_source)
    file.refused = fmt::format("{} has more than {} KiB; an answer is a text that a person wrote", name,
                               largest_source >> 10);
  else if (file.text.find('\0') != std::string::npos)
    file.refused = fmt::format("{} is no text", name);
  return file;
}

// The folders in which the chapters' folders may lie.
std::vector<fs::path> bases_of(const fs::path& folder) {
  std::vector<fs::path> bases{"work", ""};
  std::error_code error;
  std::set<fs::path> below;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_directory(error) && !entry.is_symlink(error) && entry.path().filename().string()[0] != '.')
      below.insert(entry.path().filename());
    if (below.size() > most_folders) below.erase(std::prev(below.end()));
  }
  for (const auto& name : below) {
    bases.push_back(name / "work");
    bases.push_back(name);
  }
  return bases;
}

bool has_answer(const fs::path& folder, const fs::path& base,
                const std::vector<grader::Exercise>& exercises) {
  return std::any_of(exercises.begin(), exercises.end(), [&](const grader::Exercise& e) {
    struct stat facts {};
    // What may not be looked at is no sign that there is nothing.
    return ::lstat((folder / base / e.chapter_folder / e.files.front()).c_str(), &facts) == 0 ||
           errno == EACCES;
  });
}

// A submission's chapters lie in one place; files of one chapter alone may lie flat.
std::optional<fs::path> base_of(const fs::path& folder, const std::vector<grader::Exercise>& exercises) {
  for (const auto& base : bases_of(folder)) {
    if (has_answer(folder, base, exercises)) return base;
  }
  return std::nullopt;
}

bool is_one_submission(const fs::path& folder, const std::vector<grader::Exercise>& exercises) {
  if (has_answer(folder, "work", exercises) || has_answer(folder, "", exercises)) return true;
  std::error_code error;
  const auto flat = std::any_of(exercises.begin(), exercises.end(), [&](const grader::Exercise& e) {
    return fs::is_regular_file(folder / e.files.front(), error);
  });
  const bool folders = std::any_of(
      fs::directory_iterator(folder, error), fs::directory_iterator(),
      [](const auto& entry) { return entry.is_directory() && entry.path().filename().string()[0] != '.'; });
  return flat || !folders;
}

constexpr std::size_t hash_digits = 8;

// As safe_id writes what is not safe as it is.
bool looks_made(const std::string& name) {
  const std::size_t dash = name.rfind('-');
  return dash != std::string::npos && name.size() - dash - 1 == hash_digits &&
         name.find_first_not_of("0123456789abcdef", dash + 1) == std::string::npos;
}

std::string safe_id(const std::string& raw) {
  std::string id;
  for (const char c : raw) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-';
    id += plain && static_cast<unsigned char>(c) < 128 ? c : '_';
  }
  if (id.empty() || id[0] == '.' || id[0] == '-') id.insert(0, "_");
  if (id.size() > 64) id.resize(64);
  // Whoever calls his folder as another one's id is written gets another id himself.
  if (id != raw || looks_made(raw)) id += "-" + grader::Hash().add(raw).hex().substr(0, hash_digits);
  return id;
}

std::string display_name(const std::string& raw) {
  std::string name;
  for (const char c : grader::printable(raw)) name += c == '\n' || c == '\t' ? ' ' : c;
  return name.substr(0, 200);
}

Submission submission_at(const fs::path& folder) {
  const std::string raw = fs::absolute(folder / ".").lexically_normal().parent_path().filename().string();
  return {folder, display_name(raw), safe_id(raw)};
}

}  // namespace

std::vector<Submission> find_submissions(const fs::path& path, const std::vector<grader::Exercise>& exercises,
                                         std::optional<bool> as_class) {
  if (!fs::is_directory(path))
    throw std::runtime_error(fmt::format("{} is no folder with submissions.", path.string()));
  if (!as_class.value_or(!is_one_submission(path, exercises))) return {submission_at(path)};
  std::vector<Submission> all;
  for (const auto& entry : fs::directory_iterator(path)) {
    if (entry.is_symlink() || !entry.is_directory() || entry.path().filename().string()[0] == '.') continue;
    all.push_back(submission_at(entry.path()));
  }
  std::sort(all.begin(), all.end(),
            [](const Submission& a, const Submission& b) { return a.folder < b.folder; });
  if (all.empty())
    throw std::runtime_error(fmt::format("{} holds no folder of a submission.", path.string()));
  std::set<std::string> ids;
  for (Submission& one : all) {
    while (!ids.insert(one.id).second) one.id += "x";
  }
  return all;
}

namespace {

// `#line 7 "name"`, or `# 7 "name"`: the compiler's messages would show that file's lines.
std::string named_by_line_directive(const std::string& line) {
  std::size_t at = line.find_first_not_of("%?#=: \t");
  if (at != std::string::npos && line.compare(at, 4, "line") == 0) at = line.find_first_not_of(" \t", at + 4);
  if (at == std::string::npos || std::isdigit(static_cast<unsigned char>(line[at])) == 0) return {};
  const std::size_t open = line.find('"', at);
  return open == std::string::npos ? "" : line.substr(open + 1, line.find('"', open + 1) - open - 1);
}

}  // namespace

std::string refused_include(const std::string& text) {
  // Continued lines are one line to the compiler.
  std::string joined;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() &&
        (text[i + 1] == '\n' || text.compare(i + 1, 2, "\r\n") == 0)) {
      i += text[i + 1] == '\n' ? 1 : 2;
      continue;
    }
    joined += text[i];
  }
  for (const auto& raw : grader::split_lines(joined)) {
    const std::string line = grader::trimmed(raw);
    if (line.find(".incbin") != std::string::npos) return ".incbin";
    if (!line.starts_with('#') && !line.starts_with("%:") && !line.starts_with("??=")) continue;
    if (const std::string other = named_by_line_directive(line); !other.empty()) return other;
    const std::size_t at = line.find("include"), embed = line.find("embed");
    const std::size_t word = std::min(at, embed);
    if (word == std::string::npos) continue;
    const std::size_t open = line.find_first_of("<\"", word);
    if (open == std::string::npos) continue;
    const std::string name = line.substr(open + 1, line.find_first_of(">\"", open + 1) - open - 1);
    const std::string first =
        fs::path(name).begin() == fs::path(name).end() ? "" : fs::path(name).begin()->string();
    if (embed < at || name.starts_with('/') || name.find("..") != std::string::npos) return name;
    for (const char* ours : {"solutions", "chapters", "tests", "kernels", "src", "work", ".build"}) {
      if (first == ours) return name;
    }
  }
  return {};
}

SubmissionFiles take_files(const Submission& submission, const std::vector<grader::Exercise>& exercises,
                           const grader::Workspace& space) {
  SubmissionFiles out;
  const auto base = base_of(submission.folder, exercises);
  for (const auto& exercise : exercises) {
    Taken taken;
    grader::Hash content;
    content.add(exercise.id);
    for (std::size_t i = 0; i < exercise.files.size(); ++i) {
      File file =
          read_plain(submission.folder, base.value_or("") / exercise.chapter_folder / exercise.files[i]);
      if (!file.there && file.trouble.empty()) file = read_plain(submission.folder, exercise.files[i]);
      taken.handed_in = taken.handed_in || file.there;
      if (!file.refused.empty() && taken.refused.empty()) taken.refused = file.refused;
      if (!file.trouble.empty()) taken.trouble = file.trouble;
      if (file.there && file.refused.empty()) {
        if (const std::string name = refused_include(file.text); !name.empty()) {
          taken.refused = fmt::format("{} includes {}, which is no file of an exercise", exercise.files[i],
                                      display_name(name));
          taken.refused_code = "include.refused";
        }
      }
      if (!file.there)
        file.text = grader::read_file(grader::starter_of(space, exercise).files.at(i)).value_or("");
      content.add(file.text);
      taken.texts.push_back(std::move(file.text));
    }
    taken.content = content.hex();
    if (!taken.trouble.empty())
      out.remarks.push_back(fmt::format("{}: {}", exercise.id, display_name(taken.trouble)));
    if (!taken.refused.empty())
      out.remarks.push_back(fmt::format("{}: {}", exercise.id, display_name(taken.refused)));
    out.answers.emplace(exercise.id, std::move(taken));
  }
  return out;
}

grader::Answer laid_out(const Taken& taken, const grader::Exercise& exercise,
                        const grader::Workspace& space) {
  const fs::path folder = space.build / "grade" / "answers" / taken.content.substr(0, 2) /
                          taken.content.substr(2) / exercise.chapter_folder;
  grader::Answer answer;
  for (std::size_t i = 0; i < exercise.files.size(); ++i) {
    answer.files.push_back(folder / exercise.files[i]);
    if (!fs::exists(answer.files.back())) grader::write_file(answer.files.back(), taken.texts[i]);
  }
  answer.name = exercise.chapter_folder + "/" + exercise.files.front();
  return answer;
}

}  // namespace workbook::classroom
