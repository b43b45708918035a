#include "classroom/grading.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "classroom/points.h"
#include "grader/parallel.h"
#include "grader/process.h"

namespace workbook::classroom {

namespace {

using grader::Exercise;

// One answer that has to be looked at, and whose it is.
struct Task {
  const Exercise* exercise = nullptr;
  const Taken* taken = nullptr;
  std::string key;
  ExerciseGrade grade;
};

// Which of the isolation's slots are free. There are as many as threads.
class Slots {
 public:
  explicit Slots(unsigned count) {
    for (unsigned i = count; i > 0; --i) free_.push_back(i - 1);
  }
  unsigned take() {
    const std::lock_guard lock(guard_);
    const unsigned slot = free_.at(free_.size() - 1);
    free_.pop_back();
    return slot;
  }
  void give_back(unsigned slot) {
    const std::lock_guard lock(guard_);
    free_.push_back(slot);
  }

 private:
  std::mutex guard_;
  std::vector<unsigned> free_;
};

ExerciseGrade simple_grade(const Exercise& exercise, const std::string& status, const std::string& code,
                           const std::string& headline) {
  ExerciseGrade grade;
  grade.exercise = exercise.id;
  grade.title = exercise.title;
  grade.chapter = exercise.chapter_folder;
  grade.status = status;
  grade.graded = true;
  grade.code = code;
  grade.headline = headline;
  grade.attention = attention_of(code);
  return grade;
}

// What needs no compiler: nothing there, refused, unchanged. Empty status: it has to be checked.
ExerciseGrade without_check(const Exercise& exercise, const Taken& taken, const grader::Workspace& space) {
  if (!taken.trouble.empty()) {
    ExerciseGrade grade = simple_grade(exercise, "not graded", "", "");
    grade.graded = false;
    grade.why = taken.trouble + ".";
    return grade;
  }
  if (!taken.handed_in)
    return simple_grade(exercise, "not handed in", "", "There is no file for this exercise.");
  if (!taken.refused.empty())
    return simple_grade(exercise, taken.refused_code == "file.refused" ? "did not compile" : "wrong",
                        taken.refused_code, taken.refused + ".");
  const grader::Answer starter = grader::starter_of(space, exercise);
  bool unchanged = true;
  for (std::size_t i = 0; i < taken.texts.size(); ++i)
    unchanged = unchanged && grader::read_file(starter.files[i]).value_or("") == taken.texts[i];
  if (unchanged) return simple_grade(exercise, "not started", "", "The file is the starter's.");
  return {};
}

fs::path file_of(const GradingOptions& options, const std::string& key) {
  return options.store / key.substr(0, 2) / (key.substr(2) + ".json");
}

std::optional<ExerciseGrade> known_grade(const GradingOptions& options, const std::string& key) {
  const auto text = grader::read_file(file_of(options, key));
  if (!text) return std::nullopt;
  try {
    return exercise_from_json(nlohmann::json::parse(*text));
  } catch (const std::exception&) {
    return std::nullopt;  // cut off by a full disk: it is made anew
  }
}

ExerciseGrade checked(const grader::Workspace& space, const Task& task, const GradingOptions& options,
                      const Isolation& isolation, Slots& slots) {
  grader::CheckOptions check = options.check;
  const unsigned slot = slots.take();
  check.confined = isolation.confinement(slot);
  try {
    const grader::Answer answer = laid_out(*task.taken, *task.exercise, space);
    grader::Verdict verdict = grader::check(space, *task.exercise, answer, check);
    slots.give_back(slot);
    ExerciseGrade grade = grade_of(*task.exercise, verdict);
    if (options.secret_seed) grade.output.clear();  // a program may print the inputs that nobody shall know
    for (auto& place : grade.places) {
      if (fs::path(place.file).filename() == answer.files.front().filename()) place.file = answer.name;
    }
    return grade;
  } catch (...) {
    slots.give_back(slot);
    throw;
  }
}

// Names a grade: equal keys have equal grades. Times measured on a GPU are never shared between submissions.
std::string key_of(const std::string& conditions, const Exercise& exercise, const Taken& taken,
                   const Submission& submission, bool measured) {
  grader::Hash hash;
  hash.add("grade/1").add(conditions).add(exercise.path()).add(taken.content);
  if (measured) hash.add(submission.id);
  return hash.hex();
}

}  // namespace

std::string name_of_workbook(const grader::Workspace& space) {
  static std::map<fs::path, std::string> known;  // a hundred megabytes are read for it
  static std::mutex guard;
  const std::lock_guard lock(guard);
  std::string& name = known[space.build];
  if (!name.empty()) return name;
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& [path, tools] : space.tools.exercises) {
    files.push_back(tools.judge);
    files.insert(files.end(), tools.drivers.begin(), tools.drivers.end());
  }
  for (const auto& folder : {space.root / "chapters", space.root / "include"}) {
    for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
      if (entry.path().filename() == "chapter.toml" || entry.path().extension() == ".h")
        files.push_back(entry.path());
    }
  }
  files.push_back(space.tools.simulated_cudart_dir / "libcudart.so.13");
  std::sort(files.begin(), files.end());
  grader::Hash hash;
  for (const auto& file : files) hash.add(file.filename().string()).add(grader::read_file(file).value_or(""));
  hash.add(space.tools.nvcc_version);
  return name = hash.hex().substr(0, 16);
}

std::string conditions_in_words(const grader::Workspace& space, const GradingOptions& o) {
  const std::string words = fmt::format("{} {} {} {} {} {}", name_of_workbook(space), o.check.device,
                                        o.check.profile, o.check.seed, o.hidden_sizes, o.run_seconds);
  // A seed may be secret, and these words are written to files that learners may see.
  return grader::Hash().add(words).add(o.isolation).hex();
}

namespace {

// All answers of a class, equal ones once.
struct Plan {
  std::vector<SubmissionFiles> files;          // by submission
  std::map<std::string, Task> tasks;           // by key
  std::vector<std::vector<std::string>> keys;  // by submission, then exercise
};

Plan plan_of(const grader::Workspace& space, const std::vector<Exercise>& exercises,
             const std::vector<Submission>& submissions, const std::string& conditions, bool measured) {
  Plan plan;
  for (const auto& submission : submissions) plan.files.push_back(take_files(submission, exercises, space));
  plan.keys.resize(submissions.size());
  for (std::size_t s = 0; s < submissions.size(); ++s) {
    for (const auto& exercise : exercises) {
      const Taken& taken = plan.files[s].answers.at(exercise.id);
      // What was not handed in says nothing of its content, and two files may be refused for two reasons.
      std::string key = key_of(conditions, exercise, taken, submissions[s], measured);
      if (!taken.handed_in || !taken.refused.empty() || !taken.trouble.empty())
        key += "-" + std::to_string(s);
      plan.keys[s].push_back(key);
      plan.tasks.try_emplace(key, Task{&exercise, &taken, key, {}});
    }
  }
  return plan;
}

// The tasks that nothing is known of, in the order of the class, so that the first submissions are done
// first.
std::vector<Task*> open_tasks(Plan& plan, const grader::Workspace& space, const GradingOptions& options,
                              Progress& progress) {
  std::vector<Task*> open;
  std::set<std::string> seen;
  for (const auto& row : plan.keys) {
    for (const auto& key : row) {
      if (!seen.insert(key).second) continue;
      Task& task = plan.tasks.at(key);
      task.grade = without_check(*task.exercise, *task.taken, space);
      if (task.grade.status.empty()) {
        if (const auto known = known_grade(options, key)) task.grade = *known, ++progress.known;
      }
      if (task.grade.status.empty()) open.push_back(&task);
    }
  }
  progress.all = plan.tasks.size();
  progress.done = plan.tasks.size() - open.size();
  return open;
}

SubmissionGrade put_together(const Plan& plan, std::size_t s, const Submission& submission,
                             const std::vector<Exercise>& exercises) {
  SubmissionGrade one;
  one.name = submission.name;
  one.id = submission.id;
  one.remarks = plan.files[s].remarks;
  for (std::size_t e = 0; e < exercises.size(); ++e) {
    ExerciseGrade grade = plan.tasks.at(plan.keys[s][e]).grade;
    grade.answer = plan.files[s].answers.at(exercises[e].id).content;
    give_points(exercises[e], grade);
    one.exercises.push_back(std::move(grade));
  }
  add_up(one);
  return one;
}

}  // namespace

bool grade(const grader::Workspace& space, const std::vector<Exercise>& exercises,
           const std::vector<Submission>& submissions, const GradingOptions& options,
           const std::function<void(const Progress&)>& tell, Grades& grades) {
  const unsigned jobs = std::max(1u, options.jobs);
  const Isolation isolation(space, {.kind = options.isolation,
                                    .device = options.check.device,
                                    .slots = jobs,
                                    .hidden_sizes = options.hidden_sizes,
                                    .secret_seed = options.secret_seed,
                                    .run_seconds = options.run_seconds});
  grades.isolation = name_of(isolation.kind());
  grades.isolation_why = isolation.why();
  grades.filter = isolation.filter();
  const std::string conditions = conditions_in_words(space, options) + name_of(isolation.kind());
  Plan plan = plan_of(space, exercises, submissions, conditions, options.check.device == "gpu");
  Progress progress;
  const std::vector<Task*> open = open_tasks(plan, space, options, progress);
  tell(progress);
  Slots slots(jobs);
  const auto job = [&](std::size_t i) {
    open[i]->grade = checked(space, *open[i], options, isolation, slots);
    if (open[i]->grade.graded && !grader::interrupted())
      grader::write_file(file_of(options, open[i]->key), to_json(open[i]->grade).dump(1) + "\n");
  };
  const auto done = [&](std::size_t) {
    ++progress.done;
    tell(progress);
  };
  if (!grader::in_parallel(open.size(), jobs, job, done) || grader::interrupted()) return false;
  for (std::size_t s = 0; s < submissions.size(); ++s)
    grades.submissions.push_back(put_together(plan, s, submissions[s], exercises));
  return true;
}

}  // namespace workbook::classroom
