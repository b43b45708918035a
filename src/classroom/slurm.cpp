#include "classroom/slurm.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <thread>

#include "grader/process.h"

namespace workbook::classroom {

namespace {

using nlohmann::json;

std::optional<Grades> read_part(const fs::path& path, const std::string& conditions) {
  const auto text = grader::read_file(path);
  if (!text) return std::nullopt;
  try {
    const json in = json::parse(*text);
    if (in.at("conditions") != conditions) return std::nullopt;
    Grades one = grades_from_json(in.at("grades"));
    if (one.submissions.size() != 1) return std::nullopt;
    return one;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

fs::path part_of(const fs::path& out, const Submission& submission) {
  return out / "slurm" / "parts" / (submission.id + ".json");
}

// For a shell: in apostrophes.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string script_of(const SlurmOptions& o, const fs::path& plan) {
  std::string line;
  for (const auto& word : o.command) line += quoted(word) + " ";
  return fmt::format(
      "#!/bin/sh\n# One submission of a class; the plan names it.\nexec {}--task {} --index "
      "\"$SLURM_ARRAY_TASK_ID\"\n",
      line, quoted(plan.string()));
}

std::string ranges(const std::vector<std::size_t>& indices) {
  std::string out;
  for (std::size_t i = 0; i < indices.size();) {
    std::size_t last = i;
    while (last + 1 < indices.size() && indices[last + 1] == indices[last] + 1) ++last;
    out += fmt::format("{}{}", out.empty() ? "" : ",", indices[i]);
    if (last > i) out += fmt::format("-{}", indices[last]);
    i = last + 1;
  }
  return out;
}

std::string submit(const SlurmOptions& o, const std::vector<std::size_t>& missing, const fs::path& script) {
  grader::Command command;
  command.arguments = {
      "sbatch",
      "--parsable",
      "--job-name=workbook-grade",
      fmt::format("--array={}{}", ranges(missing), o.throttle > 0 ? fmt::format("%{}", o.throttle) : ""),
      "--output=" + (o.out / "slurm" / "logs" / "%a.txt").string(),
      "--time=" + o.time,
      "--signal=TERM@30"};
  if (!o.partition.empty()) command.arguments.push_back("--partition=" + o.partition);
  if (!o.gres.empty()) command.arguments.push_back("--gres=" + o.gres);
  command.arguments.insert(command.arguments.end(), o.further.begin(), o.further.end());
  command.arguments.push_back(script.string());
  const grader::Ended ended = grader::run(command);
  if (!ended.ok())
    throw std::runtime_error(
        fmt::format("sbatch {}: {}", grader::in_words(ended), grader::trimmed(ended.output)));
  const std::string id = grader::split_lines(ended.output).back();
  return id.substr(0, id.find(';'));
}

// Whether tasks of the job wait or run. When Slurm cannot be asked for a moment, they do.
bool is_going_on(const std::string& job) {
  grader::Command command;
  command.arguments = {"squeue", "--noheader", "--jobs=" + job, "--format=%T"};
  command.seconds = 30;
  const grader::Ended ended = grader::run(command);
  // A job that is over for long is no longer known.
  if (!ended.ok()) return ended.output.find("Invalid job id") == std::string::npos;
  return !grader::trimmed(ended.output).empty();
}

SubmissionGrade not_graded(const Submission& submission, const std::vector<grader::Exercise>& exercises,
                           const std::string& why) {
  SubmissionGrade out;
  out.name = submission.name;
  out.id = submission.id;
  for (const auto& exercise : exercises) {
    ExerciseGrade e;
    e.exercise = exercise.id;
    e.title = exercise.title;
    e.chapter = exercise.chapter_folder;
    e.status = "not graded";
    e.why = why;
    e.max_points = exercise.points;
    out.exercises.push_back(std::move(e));
  }
  add_up(out);
  return out;
}

// A folder's name may be any bytes; JSON holds text alone.
std::string as_hex(const std::string& bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}
std::string from_hex(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    out += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  return out;
}

fs::path write_plan(const SlurmOptions& o, const std::vector<Submission>& submissions) {
  json tasks = json::array();
  for (const auto& s : submissions)
    tasks.push_back({{"folder", fs::absolute(s.folder).string()},
                     {"folder_bytes", as_hex(fs::absolute(s.folder).string())},
                     {"name", s.name},
                     {"id", s.id},
                     {"part", part_of(o.out, s).string()}});
  const fs::path plan = o.out / "slurm" / "plan.json";
  fs::create_directories(o.out / "slurm" / "parts");
  fs::create_directories(o.out / "slurm" / "logs");
  grader::write_file(plan, json{{"schema", "workbook-plan/1"}, {"tasks", tasks}}.dump(
                               1, ' ', false, json::error_handler_t::replace) +
                               "\n");
  return plan;
}

}  // namespace

SlurmTask read_task(const fs::path& plan, std::size_t index) {
  const auto text = grader::read_file(plan);
  if (!text) throw std::runtime_error(fmt::format("{} cannot be read.", plan.string()));
  const json task = json::parse(*text).at("tasks").at(index);
  SlurmTask out;
  out.submission = {fs::path(from_hex(task.at("folder_bytes").get<std::string>())),
                    task.at("name").get<std::string>(), task.at("id").get<std::string>()};
  out.part = task.at("part").get<std::string>();
  return out;
}

void write_part(const SlurmTask& task, const std::string& conditions, const Grades& grades) {
  const json out{{"conditions", conditions}, {"grades", to_json(grades)}};
  grader::write_file(task.part, out.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

bool grade_with_slurm(const SlurmOptions& o, const std::vector<Submission>& submissions,
                      const std::vector<grader::Exercise>& exercises,
                      const std::function<void(std::size_t, std::size_t)>& tell, Grades& grades) {
  const fs::path plan = write_plan(o, submissions);
  const fs::path script = o.out / "slurm" / "task.sh";
  grader::write_file(script, script_of(o, plan));
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < submissions.size(); ++i) {
    const auto part = read_part(part_of(o.out, submissions[i]), o.conditions);
    if (!part || part->submissions.front().state != "graded") missing.push_back(i);
  }
  const auto count = [&] {
    std::size_t there = 0;
    for (const auto& s : submissions) there += fs::exists(part_of(o.out, s)) ? 1 : 0;
    return there;
  };
  if (!missing.empty()) {
    for (const std::size_t i : missing) fs::remove(part_of(o.out, submissions[i]));
    const std::string job = submit(o, missing, script);
    for (tell(count(), submissions.size()); is_going_on(job); tell(count(), submissions.size())) {
      for (int i = 0; i < 20; ++i) {
        if (grader::interrupted()) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      }
    }
  }
  for (std::size_t i = 0; i < submissions.size(); ++i) {
    const auto part = read_part(part_of(o.out, submissions[i]), o.conditions);
    if (part && grades.isolation.empty()) {
      grades.isolation = part->isolation;
      grades.isolation_why = part->isolation_why;
      grades.filter = part->filter;
      grades.machine = part->machine;
    }
    grades.submissions.push_back(
        part ? part->submissions.front()
             : not_graded(submissions[i], exercises,
                          fmt::format("Slurm's task {} left no result (a node's failure, its time "
                                      "limit, or memory); see {}",
                                      i, (o.out / "slurm" / "logs").string())));
  }
  return true;
}

}  // namespace workbook::classroom
