#include "grader/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <optional>

#include "grader/build.h"
#include "grader/compiler_text.h"
#include "grader/gpu_turn.h"
#include "grader/process.h"

namespace workbook::grader {

namespace {

Answer answer_in(const fs::path& folder, const Workspace& space, const Exercise& exercise) {
  Answer answer;
  for (const auto& file : exercise.files) answer.files.push_back(folder / file);
  answer.name = shown_path(answer.files.front(), space.root);
  return answer;
}

std::string last_lines(const std::string& text, std::size_t count) {
  auto lines = split_lines(text);
  if (lines.size() > count) lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(count));
  std::string out;
  for (const auto& line : lines) out += "\n  " + line;
  return out;
}

Command judge_command(const Workspace& space, const Exercise& exercise, const Answer& answer,
                      const CheckOptions& options, const Built& built, const fs::path& record) {
  const bool simulated = options.device == "simulated";
  fs::path cudart = simulated ? space.tools.simulated_cudart_dir : space.tools.real_cudart_dir;
  fs::path nvtx = space.tools.nvtx_library, cupti = space.tools.cupti_library;
  if (options.confined) {
    cudart = options.confined->cudart_dir;
    nvtx = options.confined->nvtx_library;
    cupti = options.confined->cupti_library;
  }
  Command command;
  command.arguments = {space.tools.exercises.at(exercise.path()).judge.string(),
                       "--runner",
                       built.runner.string(),
                       "--device",
                       options.device,
                       "--profile",
                       options.profile,
                       "--record",
                       record.string(),
                       "--chapter",
                       (space.root / "chapters" / exercise.chapter_folder / "chapter.toml").string(),
                       "--cudart-dir",
                       cudart.string()};
  if (!nvtx.empty()) command.arguments.insert(command.arguments.end(), {"--nvtx-library", nvtx.string()});
  if (!simulated && !cupti.empty())
    command.arguments.insert(command.arguments.end(), {"--cupti-library", cupti.string()});
  if (options.confined)
    command.arguments.insert(command.arguments.end(),
                             {"--conditions", options.confined->conditions.string()});
  if (!options.keep_trace.empty())
    command.arguments.insert(command.arguments.end(), {"--keep-trace", options.keep_trace.string()});
  for (const auto& file : answer.files)
    command.arguments.insert(command.arguments.end(), {"--learner-file", file.string()});
  for (const auto& object : built.objects)
    command.arguments.insert(command.arguments.end(), {"--learner-object", object.string()});
  for (const auto& report : built.reports)
    command.arguments.insert(command.arguments.end(), {"--compiler-report", report.string()});
  // Not among the arguments, which every process of the machine may read: it may be a secret one.
  command.environment.emplace_back("WORKBOOK_JUDGE_SEED", std::to_string(options.seed));
  command.folder = space.root;
  command.seconds = exercise.time_limit_seconds;
  command.cancelled = options.cancelled;
  // GoogleTest's own switches must not come from outside: a filter could leave cases out.
  for (const char* name :
       {"GTEST_FILTER", "GTEST_OUTPUT", "GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS", "GTEST_SHARD_STATUS_FILE",
        "GTEST_REPEAT", "GTEST_SHUFFLE", "GTEST_FAIL_FAST", "TESTBRIDGE_TEST_ONLY", "LD_PRELOAD"})
    command.environment.emplace_back(name, "");
  if (options.confined)
    command.environment.insert(command.environment.end(), options.confined->environment.begin(),
                               options.confined->environment.end());
  return command;
}

constexpr std::uintmax_t largest_source = 1 << 20;

// Why the file can't be an answer; empty when it can.
std::string trouble_with(const fs::path& file, const std::string& name) {
  std::error_code error;
  if (!fs::exists(file, error))
    return fmt::format("{} is not there. What is missing in work/, ./workbook start makes.", name);
  if (fs::is_directory(file, error)) return fmt::format("{} is a folder; name the .cu file in it.", name);
  if (!fs::is_regular_file(file, error)) return fmt::format("{} is no regular file.", name);
  if (fs::file_size(file, error) > largest_source)
    return fmt::format("{} has more than {} KiB; an answer is a text that a person wrote.", name,
                       largest_source >> 10);
  return {};
}

void run_judge(const Workspace& space, const Exercise& exercise, const Answer& answer,
               const CheckOptions& options, const Built& built, Verdict& verdict) {
  const TemporaryFolder folder("check");
  const fs::path record = folder.path() / "record.jsonl";
  Built there = built;
  if (options.confined && !options.confined->stage.empty()) {
    there.runner = options.confined->stage / "runner";
    copy_file_whole(built.runner, there.runner);
    fs::permissions(there.runner, fs::perms{0755});
  }
  Command command = judge_command(space, exercise, answer, options, there, record);
  std::optional<GpuTurn> alone;
  if (options.device == "gpu") {
    alone.emplace(options.gpus);
    if (!alone->uuid().empty()) command.environment.emplace_back("CUDA_VISIBLE_DEVICES", alone->uuid());
  }
  const Ended ended = run(command);
  alone.reset();
  verdict.run_seconds = ended.wall_seconds;
  verdict.judge_output = ended.output;
  verdict.kind = VerdictKind::grader_error;
  if (ended.started && ended.signal == SIGKILL && !ended.timed_out && !ended.cancelled) {
    verdict.why =
        "The check was ended from outside while the program ran (SIGKILL). Either the machine's memory ran "
        "out, or "
        "the program ended the check.";
    return;
  }
  if (!ended.started || ended.cancelled) {
    verdict.why = ended.started ? "the check was stopped" : ended.output;
    return;
  }
  try {
    judge_record(trace::read_record(record.string()), verdict);
    // The record counts only when its writer came to its own end.
    if (verdict.kind == VerdictKind::passed && !ended.ok()) {
      verdict.kind = VerdictKind::grader_error;
      verdict.why = "the record says passed, and its writer did not";
    }
  } catch (const std::exception& error) {
    verdict.kind = VerdictKind::grader_error;
    verdict.why = fmt::format("the judge left no readable record ({})", error.what());
  }
  if (verdict.kind == VerdictKind::grader_error)
    verdict.why += fmt::format("; the judge {}{}", in_words(ended), last_lines(ended.output, 12));
}

void say_build_failed(const Workspace& space, const Answer& answer, const Built& built, Verdict& verdict) {
  if (built.refused) {
    verdict.kind = VerdictKind::wrong;
    verdict.failure = built.refused;
    return;
  }
  if (built.endless) {
    verdict.kind = VerdictKind::did_not_compile;
    verdict.failure =
        trace::Failure{.outcome = trace::Outcome::wrong,
                       .kind = "contract",
                       .code = "compile.endless",
                       .headline = "The compiler did not come to an end.",
                       .evidence = {split_lines(built.text).at(0)},
                       .places = {},
                       .question = "Which template, or which constant, is larger than it need be?"};
    return;
  }
  const auto failure =
      compile_failure(built.linking ? built.text : tidy_compiler_output(built.text, answer.files, space.root),
                      built.linking, built.host_only);
  // A linker that misses no name and finds none twice misses something of ours.
  const bool full = built.text.find("No space left on device") != std::string::npos;
  if (built.machines_fault || full || failure.code == "link.error") {
    verdict.kind = VerdictKind::grader_error;
    verdict.why = (full ? "The disk is full: free some space, then check again.\n" : "") + built.text;
    return;
  }
  verdict.kind = VerdictKind::did_not_compile;
  verdict.compiler_text = tidy_compiler_output(built.text, answer.files, space.root);
  verdict.failure = failure;
}

}  // namespace

Answer starter_of(const Workspace& space, const Exercise& exercise) {
  return answer_in(space.root / "chapters" / exercise.chapter_folder, space, exercise);
}
Answer solution_of(const Workspace& space, const Exercise& exercise) {
  return answer_in(space.root / "solutions" / exercise.chapter_folder, space, exercise);
}
Answer work_of(const Workspace& space, const Exercise& exercise) {
  return answer_in(space.root / "work" / exercise.chapter_folder, space, exercise);
}

bool is_untouched(const Workspace& space, const Exercise& exercise, const Answer& answer) {
  const Answer starter = starter_of(space, exercise);
  for (std::size_t i = 0; i < answer.files.size(); ++i) {
    const auto mine = read_file(answer.files[i]), theirs = read_file(starter.files.at(i));
    if (!mine || !theirs || *mine != *theirs) return false;
  }
  return true;
}

Verdict check(const Workspace& space, const Exercise& exercise, const Answer& answer,
              const CheckOptions& options) {
  Verdict verdict;
  verdict.exercise = exercise.id;
  verdict.title = exercise.title;
  verdict.asked = exercise.asked;
  verdict.file = answer.name;
  verdict.device = options.device;
  verdict.profile = options.device == "simulated" ? options.profile : "";
  verdict.seed = options.seed;
  for (const auto& file : answer.files) {
    const std::string trouble = trouble_with(file, shown_path(file, space.root));
    if (trouble.empty()) continue;
    verdict.kind = VerdictKind::did_not_compile;
    verdict.failure = trace::Failure{.outcome = trace::Outcome::wrong,
                                     .kind = "contract",
                                     .code = "file",
                                     .headline = trouble,
                                     .evidence = {},
                                     .places = {},
                                     .question = ""};
    return verdict;
  }
  verdict.unchanged = is_untouched(space, exercise, answer);
  const auto tools = space.tools.exercises.find(exercise.path());
  if (tools == space.tools.exercises.end()) {
    verdict.why = fmt::format("no check is built for {}", exercise.path());
    return verdict;
  }
  if (options.device != "gpu" &&
      std::find(exercise.needs.begin(), exercise.needs.end(), "gpu") != exercise.needs.end()) {
    verdict.kind = VerdictKind::not_run;
    verdict.why = "needs a GPU";
    return verdict;
  }
  const Built built = build_runner(space, exercise, answer, options);
  verdict.compile_seconds = built.compile_seconds;
  verdict.link_seconds = built.link_seconds;
  verdict.compiled_from_cache = built.cached;
  if (!built.ok)
    say_build_failed(space, answer, built, verdict);
  else
    run_judge(space, exercise, answer, options, built, verdict);
  make_printable(verdict);
  return verdict;
}

}  // namespace workbook::grader
