// The loop a learner lives in: one screen with the one thing to do; a save checks again. It never goes on to
// the next exercise by itself.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "grader/process.h"
#include "grader/work.h"

namespace workbook::cli {

namespace {

using grader::Exercise;

class Loop {
 public:
  Loop(Context& context, const Exercise* first)
      : context_(context),
        options_(context.check_options("auto")),
        current_(first),
        watcher_(files_of(context)) {
    options_.cancelled = [this] { return saved_meanwhile(); };
  }

  int run() {
    bool look = true;
    while (!grader::interrupted()) {
      if (look) show();
      look = false;
      const auto saved = take_saved();
      if (!saved.empty()) {
        choose(saved);
        look = true;
      } else if (const char key = keys_.next(); key != 0) {
        if (key == 'q') break;
        look = press(key);
      }
    }
    fmt::print("\n");
    return grader::exit_passed;
  }

 private:
  static std::vector<fs::path> files_of(Context& context) {
    std::vector<fs::path> files;
    for (const auto& e : context.exercises()) {
      for (const auto& file : grader::work_of(context.space(), e).files) files.push_back(file);
    }
    return files;
  }

  // While a check runs: a new save makes its result stale, so it is stopped and begun again.
  bool saved_meanwhile() {
    const auto more = watcher_.wait(0, false);
    pending_.insert(pending_.end(), more.begin(), more.end());
    return !pending_.empty();
  }

  std::vector<fs::path> take_saved() {
    if (pending_.empty()) pending_ = watcher_.wait(200, keys_.active());
    return std::exchange(pending_, {});
  }

  void choose(const std::vector<fs::path>& saved) {
    for (const auto& e : context_.exercises()) {
      for (const auto& file : grader::work_of(context_.space(), e).files) {
        if (file != saved.back() || current_ == &e) continue;
        current_ = &e;
        context_.state().set_current(e.id);
        context_.state().save();
      }
    }
  }

  void show() {
    clear_screen();
    if (current_ == nullptr) {
      fmt::print("All exercises are solved. Save any file to check it again.\n");
      say_keys();
      return;
    }
    auto page = context_.page_options();
    if (::isatty(STDOUT_FILENO) != 0) {
      fmt::print("{:<4} {}   checking ...\n", current_->id, current_->title);
      std::fflush(stdout);
    }
    const auto verdict = check_work(context_, *current_, options_, page);
    if (!pending_.empty() || grader::interrupted()) return;
    page.next.clear();  // the key line says how to go on
    clear_screen();
    fmt::print("{}", grader::render(verdict, page));
    passed_ = verdict.kind == grader::VerdictKind::passed;
    say_keys();
  }

  void say_keys() {
    const std::string file =
        current_ == nullptr ? ""
                            : fmt::format("work/{}/{}", current_->chapter_folder, current_->files.front());
    fmt::print("\n{}\n", grader::rule(grader::page_columns));
    if (!file.empty()) fmt::print("{}\n", file);
    if (keys_.active())
      fmt::print("{}h hint   l list   q quit   a save checks again\n", passed_ ? "n next   " : "n skip   ");
    else
      fmt::print("A save checks again; Ctrl-C ends.\n");
    std::fflush(stdout);
  }

  bool press(char key) {
    if (key == 'n') {
      if (const Exercise* next = grader::next_unsolved(context_.exercises(), context_.state(),
                                                       current_ == nullptr ? "" : current_->id)) {
        current_ = next;
        context_.state().set_current(next->id);
        context_.state().save();
      }
      return true;
    }
    if (key == 'h' && current_ != nullptr) {
      fmt::print("\n");
      hint(context_, current_->id, false);
    } else if (key == 'l') {
      clear_screen();
      list(context_);
    } else {
      return key == '\n' || key == ' ';
    }
    say_keys();
    return false;
  }

  Context& context_;
  grader::CheckOptions options_;
  const Exercise* current_;
  Watcher watcher_;
  Keys keys_;
  std::vector<fs::path> pending_;
  bool passed_ = false;
};

}  // namespace

int watch(Context& context, const std::string& name) {
  if (context.options().json) throw UsageError("Watching is for people; for machines there is check --json.");
  if (!context.work_exists()) {
    fmt::print("This is your first visit; making work/ ...\n");
    grader::bring_up_to_date(context.space(), context.exercises(), false);
  }
  return Loop(context, context.named_or_current(name)).run();
}

}  // namespace workbook::cli
