#include "cli/context.h"

#include <fmt/format.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <thread>

#include "grader/build.h"
#include "grader/machine.h"
#include "model/model.h"

namespace workbook::cli {

namespace {

fs::path from_environment(const char* name, const fs::path& otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? fs::path(value) : otherwise;
}

// The checkout, when nobody said where: the first folder above the program that has chapters/.
fs::path root_above(const fs::path& self) {
  for (fs::path folder = self.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    if (fs::exists(folder / "chapters") && fs::exists(folder / "CMakeLists.txt")) return folder;
  }
  return fs::current_path();
}

std::uint64_t seed_from(const std::string& text) {
  if (text == "random") return std::random_device{}();
  try {
    std::size_t used = 0;
    const std::uint64_t seed = std::stoull(text, &used);
    if (used == text.size()) return seed;
  } catch (const std::exception&) {
    // told below
  }
  throw UsageError(fmt::format("--seed takes a number, or 'random'; '{}' is neither.", text));
}

std::string known_profile(const std::string& wish) {
  try {
    return model::name_of(model::find_profile(wish));
  } catch (const std::invalid_argument&) {
    throw UsageError(fmt::format("--profile takes one of {}; '{}' is none of them.",
                                 fmt::join(model::profile_names(), ", "), wish));
  }
}

}  // namespace

Context::Context(fs::path self, Options options) : self_(std::move(self)), options_(std::move(options)) {
  root_ = from_environment("WORKBOOK_ROOT", root_above(self_));
  build_ = from_environment("WORKBOOK_BUILD_DIR", self_.parent_path().parent_path());
  command_ = from_environment("WORKBOOK_CALLED_AS", "./workbook").string();
  if (command_.find('/') == std::string::npos) command_ = "./workbook";  // called as "bash workbook"
}

const std::vector<grader::Chapter>& Context::chapters() {
  if (chapters_.empty()) chapters_ = grader::load_chapters(root_);
  return chapters_;
}

const std::vector<grader::Exercise>& Context::exercises() {
  if (exercises_.empty()) exercises_ = grader::all_exercises(chapters());
  return exercises_;
}

const grader::Workspace& Context::space() {
  if (!space_) {
    space_ = std::make_unique<grader::Workspace>(
        grader::Workspace{root_, build_, grader::load_toolchain(build_, root_)});
    grader::prune_cache(build_);
  }
  return *space_;
}

grader::State& Context::state() {
  if (!state_) {
    state_ = std::make_unique<grader::State>(root_ / "work");
    if (!state_->trouble().empty())
      fmt::print(stderr, "{}\n", grader::wrapped(state_->trouble(), grader::page_columns));
  }
  return *state_;
}

const grader::Exercise& Context::need_exercise(const std::string& name) {
  if (const auto* found = grader::find_exercise(exercises(), name)) return *found;
  std::vector<std::string> known;
  for (const auto& e : exercises()) {
    known.push_back(e.id);
    known.push_back(e.stem.substr(e.stem.find('_') + 1));
  }
  const std::string close =
      grader::nearest(name.find('/') == std::string::npos ? name : fs::path(name).stem().string(), known);
  throw UsageError(fmt::format("There is no exercise '{}'.{} {} list shows all.", name,
                               close.empty() ? "" : fmt::format(" Did you mean {}?", close), command_));
}

const grader::Chapter* Context::chapter_named(const std::string& name) {
  for (const auto& chapter : chapters()) {
    if (name == chapter.folder || name == fmt::format("{}", chapter.number) ||
        name == fmt::format("{:02}", chapter.number))
      return &chapter;
  }
  return nullptr;
}

std::vector<grader::Exercise> Context::chosen(const std::vector<std::string>& names) {
  if (names.empty()) return exercises();
  std::vector<grader::Exercise> all;
  for (const auto& name : names) {
    if (const auto* chapter = chapter_named(name))
      all.insert(all.end(), chapter->exercises.begin(), chapter->exercises.end());
    else
      all.push_back(need_exercise(name));
  }
  return all;
}

const grader::Exercise* Context::named_or_current(const std::string& name) {
  return name.empty() ? grader::current_exercise(exercises(), state()) : &need_exercise(name);
}

grader::CheckOptions Context::check_options(const std::string& otherwise) {
  grader::CheckOptions out;
  const std::string wish = options_.device.empty() ? otherwise : options_.device;
  if (wish != "auto" && wish != "gpu" && wish != "simulated")
    throw UsageError(fmt::format("--device takes auto, gpu or simulated; '{}' is none of them.", wish));
  out.device = grader::settle_device(wish, self_);
  out.profile = known_profile(options_.profile);
  out.seed = seed_from(options_.seed);
  return out;
}

grader::PageOptions Context::page_options() {
  grader::PageOptions page;
  page.color = options_.color;
  page.verbose = options_.verbose;
  page.root = root_;
  page.command = command_;
  return page;
}

struct Progress::Inner {
  std::mutex guard;
  std::condition_variable ended;
  bool over = false, shown = false;
  std::thread thread;
};

Progress::Progress(std::string what) {
  if (::isatty(STDERR_FILENO) == 0) return;
  inner_ = std::make_unique<Inner>();
  inner_->thread = std::thread([in = inner_.get(), what = std::move(what)] {
    std::unique_lock lock(in->guard);
    for (int seconds = 1; !in->ended.wait_for(lock, std::chrono::seconds(1), [&] { return in->over; });
         ++seconds) {
      in->shown = true;
      fmt::print(stderr, "\r  {} ({} s) ", what, seconds);
    }
  });
}

Progress::~Progress() {
  if (!inner_) return;
  {
    const std::lock_guard lock(inner_->guard);
    inner_->over = true;
  }
  inner_->ended.notify_all();
  inner_->thread.join();
  if (inner_->shown) fmt::print(stderr, "\r{:76}\r", "");
}

}  // namespace workbook::cli
