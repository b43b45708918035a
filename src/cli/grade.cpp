// grade and handout.
#include "cli/grade.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "classroom/formats.h"
#include "classroom/grading.h"
#include "classroom/handout.h"
#include "classroom/similarity.h"
#include "classroom/slurm.h"
#include "classroom/summary.h"
#include "grader/machine.h"
#include "grader/parallel.h"
#include "grader/process.h"

namespace workbook::cli {

namespace {

using namespace classroom;
using grader::Exercise;
using Clock = std::chrono::steady_clock;

std::string now_in_words() {
  const std::time_t now = std::time(nullptr);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

// A line that is renewed on a terminal; in a log, a line every half minute.
class Bar {
 public:
  explicit Bar(std::string what) : what_(std::move(what)), terminal_(::isatty(STDERR_FILENO) != 0) {}
  ~Bar() { clear(); }
  void show(std::size_t done, std::size_t all, std::size_t known) {
    const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    if (seconds - told_ < (terminal_ ? 0.2 : 30) && done < all) return;
    told_ = seconds;
    if (done == all && known == all) return;
    const std::string rest =
        done > known && done < all
            ? ", " + in_words(seconds / static_cast<double>(done - known) * static_cast<double>(all - done)) +
                  " left"
            : "";
    const std::string picture =
        terminal_
            ? grader::bar(static_cast<double>(done), static_cast<double>(std::max<std::size_t>(1, all)), 24) +
                  " "
            : "";
    fmt::print(stderr, "{}  {} {}{} of {}{}{}{}", terminal_ ? "\r" : "", what_, picture, done, all,
               known > 0 ? fmt::format(", {} known", known) : "", rest, terminal_ ? "      " : "\n");
    shown_ = terminal_;
  }
  void clear() {
    if (shown_) fmt::print(stderr, "\r{:78}\r", "");
    shown_ = false;
  }

 private:
  static std::string in_words(double seconds) {
    return seconds < 90 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / 60);
  }
  std::string what_;
  bool terminal_, shown_ = false;
  double told_ = -1e9;
  Clock::time_point began_ = Clock::now();
};

// The seed of a file that the class does not know. Any content will do; a few random words are enough.
std::uint64_t seed_of_file(const std::string& path, std::string& fingerprint) {
  const auto text = grader::read_file(path);
  if (!text) throw UsageError(fmt::format("--seed-file: {} cannot be read.", path));
  if (grader::trimmed(*text).size() < 8)
    throw UsageError(fmt::format("--seed-file: {} holds less than 8 characters; that can be guessed.", path));
  fingerprint = grader::Hash().add("fingerprint").add(*text).hex().substr(0, 12);
  return std::stoull(grader::Hash().add("seed").add(*text).hex().substr(0, 16), nullptr, 16) >> 1;
}

// On a cluster the GPUs are on the nodes, not where the job is submitted.
GradingOptions grading_options(Context& context, const GradeOptions& typed, bool here = true) {
  GradingOptions options;
  options.check = context.check_options("simulated");
  if (options.check.device == "gpu" && here) {
    const grader::Gpu gpu = grader::find_gpu(context.self());
    if (!gpu.usable)
      throw std::runtime_error(gpu.problem.empty() ? "There is no GPU here."
                                                   : "No GPU can be used: " + gpu.problem + ".");
    options.check.gpus = gpu.uuids;
  }
  options.isolation = typed.isolation;
  options.run_seconds = typed.run_seconds;
  options.jobs = typed.jobs > 0 ? typed.jobs : grader::cores();
  options.store = fs::absolute(typed.out) / "store";
  if (!typed.seed_file.empty()) {
    options.check.seed = seed_of_file(typed.seed_file, options.seed_fingerprint);
    options.secret_seed = true;
  }
  options.hidden_sizes = typed.hidden_sizes >= 0 ? typed.hidden_sizes : options.secret_seed ? 3 : 0;
  return options;
}

Grades facts_of(Context& context, const GradingOptions& options, const std::vector<Exercise>& exercises) {
  Grades grades;
  grades.workbook = name_of_workbook(context.space());
  grades.device = options.check.device;
  grades.profile = options.check.device == "simulated" ? options.check.profile : "";
  grades.secret_seed = options.secret_seed;
  grades.seed = options.check.seed;
  grades.seed_fingerprint = options.seed_fingerprint;
  grades.hidden_sizes = options.hidden_sizes;
  grades.started = now_in_words();
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  grades.host = host;
  for (const auto& e : exercises)
    grades.exercises.push_back({e.id, e.title, e.chapter_folder, static_cast<double>(e.points), e.optional});
  if (options.check.device == "gpu") {
    grader::Command ask;
    ask.arguments = {
        "nvidia-smi", "--format=csv,noheader",
        "--query-gpu=name,uuid,driver_version,clocks.sm,clocks_throttle_reasons.active,ecc.mode.current,"
        "mig.mode.current,compute_mode"};
    ask.seconds = 20;
    if (const auto said = grader::run(ask); said.ok()) grades.machine = grader::split_lines(said.output);
  }
  return grades;
}

void find_similar(Context& context, const std::vector<Exercise>& exercises,
                  const std::vector<Submission>& submissions, Grades& grades) {
  if (submissions.size() < 2) return;
  std::vector<SubmissionFiles> files;
  for (const auto& s : submissions) files.push_back(take_files(s, exercises, context.space()));
  for (std::size_t e = 0; e < exercises.size(); ++e) {
    std::vector<Written> answers;
    for (std::size_t s = 0; s < submissions.size(); ++s) {
      const Taken& taken = files[s].answers.at(exercises[e].id);
      const std::string& status = grades.submissions[s].exercises[e].status;
      if (!taken.handed_in || !taken.refused.empty() || status == "not started") continue;
      answers.push_back({submissions[s].name, fmt::format("{}", fmt::join(taken.texts, "\n"))});
    }
    std::string starter;
    for (const auto& file : grader::starter_of(context.space(), exercises[e]).files)
      starter += grader::read_file(file).value_or("") + "\n";
    for (const auto& pair : alike_answers(starter, answers))
      grades.similar.push_back(
          {exercises[e].id, answers[pair.first].who, answers[pair.second].who, pair.share, pair.tokens});
  }
}

void write_results(const GradeOptions& typed, const Grades& grades) {
  const fs::path out = typed.out;
  const auto dump = [](const nlohmann::json& json) {
    return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  };
  if (typed.from.empty()) grader::write_file(out / "grades.json", dump(to_json(grades)));
  grader::write_file(out / "summary.txt", summary_of(grades, false));
  for (const auto& s : grades.submissions)
    grader::write_file(out / "feedback" / (s.id + ".txt"), feedback_of(grades, s));
  for (const auto& format : typed.formats) {
    for (const auto& file : in_format(format, grades)) grader::write_file(out / file.name, file.content);
  }
}

// One submission: as a check. A class: whether everything could be graded.
int exit_code_of(const Grades& grades) {
  bool machine = false, open = false, failed = false;
  for (const auto& s : grades.submissions) {
    for (const auto& e : s.exercises) {
      machine = machine || e.status == "grader error";
      open = open || !e.graded;
      failed = failed || (e.graded && e.status != "passed");
    }
  }
  if (machine) return grader::exit_machine;
  if (open) return grader::exit_inconclusive;
  return failed && grades.submissions.size() == 1 ? grader::exit_not_passed : grader::exit_passed;
}

void tell_results(Context& context, const GradeOptions& typed, const Grades& grades) {
  if (context.options().json) {
    fmt::print("{}\n", to_json(grades).dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    return;
  }
  if (grades.submissions.size() == 1)
    fmt::print("{}", feedback_of(grades, grades.submissions.front()));
  else
    fmt::print("{}", summary_of(grades, context.options().color));
  fmt::print("\nEverything is in {}/: grades.json, summary.txt, feedback/{}{}\n", typed.out,
             typed.formats.empty() ? "" : ", ", fmt::join(typed.formats, ", "));
}

// One task of a Slurm array.
int grade_task(Context& context, const GradeOptions& typed, const std::vector<Exercise>& exercises) {
  if (context.options().device == "gpu" && std::getenv("CUDA_VISIBLE_DEVICES") == nullptr)
    throw std::runtime_error(
        "Slurm gave this task no GPU of its own (CUDA_VISIBLE_DEVICES is not set), and measuring on one that "
        "others "
        "use is no grade. Ask for one: --gres gpu:1.");
  const SlurmTask task = read_task(typed.task, static_cast<std::size_t>(typed.index));
  const GradingOptions options = grading_options(context, typed);
  Grades grades = facts_of(context, options, exercises);
  if (!classroom::grade(
          context.space(), exercises, {task.submission}, options, [](const classroom::Progress&) {}, grades))
    return 130;
  grades.finished = now_in_words();
  write_part(task, conditions_in_words(context.space(), options), grades);
  fmt::print("{}", feedback_of(grades, grades.submissions.front()));
  return grader::exit_passed;
}

SlurmOptions slurm_options(Context& context, const GradeOptions& typed, const GradingOptions& options,
                           const std::vector<std::string>& words) {
  SlurmOptions slurm;
  slurm.out = fs::absolute(typed.out);
  slurm.command = {"env", "WORKBOOK_ROOT=" + context.root().string(),
                   "WORKBOOK_BUILD_DIR=" + context.build().string(), context.self().string()};
  slurm.command.insert(slurm.command.end(), words.begin(), words.end());
  if (typed.jobs == 0) slurm.command.insert(slurm.command.end(), {"--jobs", "2"});
  slurm.command.insert(slurm.command.end(), {"--out", slurm.out.string()});
  slurm.partition = typed.partition;
  slurm.gres = typed.gres.empty() && options.check.device == "gpu" ? "gpu:1" : typed.gres;
  slurm.time = typed.time;
  slurm.throttle = typed.throttle;
  slurm.further = typed.sbatch;
  slurm.conditions = conditions_in_words(context.space(), options);
  return slurm;
}

}  // namespace

int grade(Context& context, const GradeOptions& typed, const std::vector<std::string>& words) {
  for (const auto& format : typed.formats) {
    const auto& known = format_names();
    if (std::find(known.begin(), known.end(), format) == known.end())
      throw UsageError(
          fmt::format("--format takes one of {}; '{}' is none of them.", fmt::join(known, ", "), format));
  }
  if (!typed.from.empty()) {
    const auto text = grader::read_file(typed.from);
    if (!text) throw UsageError(fmt::format("--from: {} cannot be read.", typed.from));
    const Grades grades = grades_from_json(nlohmann::json::parse(*text));
    write_results(typed, grades);
    tell_results(context, typed, grades);
    return exit_code_of(grades);
  }
  const std::vector<Exercise> exercises = context.chosen(typed.only);
  if (!typed.task.empty()) return grade_task(context, typed, exercises);
  if (typed.path.empty())
    throw UsageError(fmt::format("What should be graded? {} grade FOLDER", context.command()));
  if (typed.one && typed.as_class) throw UsageError("--one and --class exclude each other.");
  const auto submissions = find_submissions(typed.path, exercises,
                                            typed.one        ? std::optional(false)
                                            : typed.as_class ? std::optional(true)
                                                             : std::nullopt);
  const bool slurm = typed.engine == "slurm";
  if (!slurm && typed.engine != "local")
    throw UsageError(fmt::format("--engine takes local or slurm; '{}' is neither.", typed.engine));
  const GradingOptions options = grading_options(context, typed, !slurm);
  Grades grades = facts_of(context, options, exercises);
  bool done = false;
  {
    Bar bar(slurm ? "on the cluster" : "grading");
    if (slurm) {
      grades.engine = "slurm";
      const auto tell = [&](std::size_t there, std::size_t all) { bar.show(there, all, 0); };
      done = grade_with_slurm(slurm_options(context, typed, options, words), submissions, exercises, tell,
                              grades);
    } else {
      const auto tell = [&](const classroom::Progress& p) { bar.show(p.done, p.all, p.known); };
      done = classroom::grade(context.space(), exercises, submissions, options, tell, grades);
    }
  }
  if (!done) {
    fmt::print(stderr, "Stopped. The same command goes on where it stopped.\n");
    return 130;
  }
  find_similar(context, exercises, submissions, grades);
  grades.finished = now_in_words();
  write_results(typed, grades);
  tell_results(context, typed, grades);
  return exit_code_of(grades);
}

int handout(Context& context, const std::string& to, const std::vector<std::string>& ci) {
  if (to.empty()) throw UsageError(fmt::format("Where should it go? {} handout FOLDER", context.command()));
  const auto made = make_handout(context.root(), to, context.exercises(), ci);
  fmt::print(
      "{} holds {} files and {} exercises; learners work in its work/, which git tracks.\n"
      "Solutions, wrong answers and tests stayed here. Next: cd {} && git init && git add -A\n",
      to, made.files, made.exercises, to);
  return grader::exit_passed;
}

}  // namespace workbook::cli
