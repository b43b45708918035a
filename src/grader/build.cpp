#include "grader/build.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "grader/architectures.h"
#include "grader/audit.h"
#include "grader/process.h"

namespace workbook::grader {

namespace {

// An exercise's object has some 100 KiB; an array of gigabytes that is written into it would fill the disk.
constexpr std::uint64_t largest_object = std::uint64_t{256} << 20;

fs::path report_of(const fs::path& object) {
  return object.string() + ".report";
}

// What is being written gets a name of its own: several threads may make the same file at once.
std::string unfinished_suffix() {
  return fmt::format(".{}-{}.part", ::getpid(), std::hash<std::thread::id>{}(std::this_thread::get_id()));
}

bool is_source(const fs::path& path) {
  const std::string end = path.extension().string();
  return end == ".cu" || end == ".cpp" || end == ".cc";
}

// The headers that an exercise may include besides its own: their content is part of every key.
std::string hash_of_public_headers(const Workspace& space) {
  static std::mutex guard;
  static std::string known;
  const std::lock_guard lock(guard);
  if (!known.empty()) return known;
  std::vector<fs::path> headers;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(space.root / "include", error)) {
    if (entry.is_regular_file()) headers.push_back(entry.path());
  }
  std::sort(headers.begin(), headers.end());
  Hash hash;
  for (const auto& header : headers)
    hash.add(shown_path(header, space.root)).add(read_file(header).value_or(""));
  return known = hash.hex();
}

// A path as it enters a key: without the place where the checkout or the build lies, so that a carried cache
// is good.
std::string portable(const Workspace& space, const std::string& text) {
  std::string out = text;
  for (const auto& [place, name] :
       {std::pair{space.build.string(), "${build}"}, std::pair{space.root.string(), "${source}"}}) {
    const std::size_t at = out.find(place);
    if (at != std::string::npos) out.replace(at, place.size(), name);
  }
  return out;
}

// What is compiled for one answer, and how.
struct Plan {
  std::vector<fs::path> sources;  // the learner's first, then what is given
  std::size_t learners = 0;
  std::vector<std::string> nvcc_flags, cxx_flags;
  bool report = false;
};

// The options of nvcc that say for which architectures; `refused` when the learner's own are no such options.
std::vector<std::string> flags_of_nvcc(const Workspace& space, const Exercise& exercise, const Answer& answer,
                                       std::optional<trace::Failure>& refused) {
  std::vector<std::string> flags = space.tools.flags;
  if (!exercise.build.machine_code) {
    flags = without_architectures(flags);
    flags.insert(flags.end(), {"-gencode", "arch=compute_75,code=compute_75"});
  }
  for (const auto& code : exercise.build.code) {
    flags.emplace_back("-gencode");
    flags.push_back(fmt::format("arch=compute_{},code={}", code.substr(3), code));
  }
  if (exercise.build.ptxas_report) flags.insert(flags.end(), {"-Xptxas", "-v"});
  for (std::size_t i = 0; i < exercise.files.size(); ++i) {
    if (exercise.files[i] != exercise.build.architectures_from) continue;
    const auto own = read_architectures(read_file(answer.files[i]).value_or(""));
    if (!own.problem.empty()) {
      refused =
          trace::Failure{.outcome = trace::Outcome::wrong,
                         .kind = "contract",
                         .code = "options.refused",
                         .headline = own.problem,
                         .evidence = {"This file goes to nvcc as it stands, but only -gencode, -arch and "
                                      "-code may stand in it."},
                         .places = {{answer.files[i].string(), own.line, 0, ""}},
                         .question = "What does the line look like that the lesson shows?"};
    }
    flags = without_architectures(flags);
    flags.insert(flags.end(), own.options.begin(), own.options.end());
  }
  return flags;
}

Plan plan_of(const Workspace& space, const Exercise& exercise, const Answer& answer,
             std::optional<trace::Failure>& refused) {
  Plan plan;
  plan.report = exercise.build.ptxas_report;
  for (const auto& file : answer.files) {
    if (is_source(file)) plan.sources.push_back(file);
  }
  plan.learners = plan.sources.size();
  for (const auto& name : exercise.build.given)
    plan.sources.push_back(space.root / "chapters" / exercise.chapter_folder / name);
  // Headers: the answer's own before the solution's, for what is given too.
  std::vector<std::string> folders;
  const auto look_in = [&](const fs::path& folder) {
    const std::string option = "-I" + folder.string();
    if (std::find(folders.begin(), folders.end(), option) == folders.end()) folders.push_back(option);
  };
  for (const auto& file : answer.files) {
    if (answer.files.size() > 1 && !is_source(file)) look_in(file.parent_path());
  }
  for (const auto& folder : answer.further) look_in(folder);
  for (const auto& folder : space.tools.include_dirs) look_in(folder);
  plan.nvcc_flags = flags_of_nvcc(space, exercise, answer, refused);
  plan.cxx_flags = space.tools.cxx_flags;
  for (auto* flags : {&plan.nvcc_flags, &plan.cxx_flags})
    flags->insert(flags->end(), folders.begin(), folders.end());
  plan.cxx_flags.insert(plan.cxx_flags.end(), {"-isystem", space.tools.cuda_include.string()});
  return plan;
}

std::string key_of_sources(const Workspace& space, const Answer& answer, const Plan& plan) {
  Hash hash;
  hash.add("object/2").add(space.tools.nvcc_version).add(hash_of_public_headers(space));
  for (const auto& flag : plan.nvcc_flags) hash.add(portable(space, flag));
  for (const auto& flag : plan.cxx_flags) hash.add(portable(space, flag));
  for (const auto* files : {&answer.files, &plan.sources}) {
    for (const auto& file : *files)
      hash.add(portable(space, file.string())).add(read_file(file).value_or(""));
  }
  for (const auto& folder : answer.further) {
    for (const auto& file : answer.files) hash.add(read_file(folder / file.filename()).value_or(""));
  }
  return hash.hex();
}

// What a confined compiler may read besides the system: the file's folder, what an exercise may include, and
// the headers of this answer.
std::vector<fs::path> folders_to_see(const Workspace& space, const fs::path& file, const Plan& plan) {
  std::vector<fs::path> folders{file.parent_path(), space.root / "include"};
  for (const auto& source : plan.sources) folders.push_back(source.parent_path());
  for (const auto& flag : plan.nvcc_flags) {
    if (flag.starts_with("-I" + (space.build / "grade").string())) folders.emplace_back(flag.substr(2));
  }
  return folders;
}

// Compiles one file to `object`, by way of a temporary name. The checkout is the working folder, so that
// messages and line information carry short paths. A .cu goes to nvcc, all else to the host compiler alone.
Ended compile_one(const Workspace& space, const fs::path& file, const fs::path& object, const Plan& plan,
                  const CheckOptions& options) {
  fs::path partial = object;
  const bool device_code = file.extension() == ".cu";
  const auto& flags = device_code ? plan.nvcc_flags : plan.cxx_flags;
  partial += unfinished_suffix() + ".o";
  Command command;
  std::optional<TemporaryFolder> out;  // where a confined compiler may write
  if (options.confined && !options.confined->compiler.empty()) {
    out.emplace("compile");
    partial = out->path() / "answer.o";
    command.arguments = options.confined->compiler;
    for (const fs::path& folder : folders_to_see(space, file, plan))
      command.arguments.insert(command.arguments.end(), {"--ro-bind", folder.string(), folder.string()});
    command.arguments.insert(command.arguments.end(), {"--bind", out->path().string(), out->path().string(),
                                                       "--chdir", space.root.string()});
  }
  command.arguments.insert(command.arguments.end(), {device_code ? space.tools.nvcc : space.tools.cxx, "-c",
                                                     shown_path(file, space.root), "-o", partial.string()});
  command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
  command.folder = space.root;
  command.cancelled = options.cancelled;
  command.file_bytes = largest_object;
  if (options.confined) {
    command.seconds = options.confined->compile_seconds;
    command.data_bytes = options.confined->compile_bytes;
  }
  Ended ended = run(command);
  std::error_code error;
  // The report first: an object that is there has one.
  if (ended.ok() && plan.report) write_file(report_of(object), ended.output);
  if (ended.ok() && out)
    copy_file_whole(partial, object);
  else if (ended.ok())
    fs::rename(partial, object, error);
  if (!ended.ok() || error) fs::remove(partial, error);
  return ended;
}

std::string key_of_link(const Workspace& space, const std::string& sources,
                        const std::vector<std::string>& arguments) {
  Hash hash;
  hash.add("runner/1").add(sources);
  for (const auto& argument : arguments) {
    hash.add(portable(space, argument));
    std::error_code error;
    // The libraries and objects of our own build count by content; the machine's do not change under us.
    if (argument.starts_with(space.build.string()) && fs::is_regular_file(argument, error))
      hash.add(read_file(argument).value_or(""));
  }
  return hash.hex();
}

// A shared library outside the system's folders (.deps/) must be found again when the runner starts.
void add_library(const std::string& library, std::vector<std::string>& arguments) {
  arguments.push_back(library);
  const fs::path path(library);
  if (path.is_absolute() && path.extension() == ".so" && !library.starts_with("/usr/lib"))
    arguments.push_back("-Wl,--enable-new-dtags,-rpath," + path.parent_path().string());
}

std::vector<std::string> link_arguments(const Workspace& space, const Exercise& exercise,
                                        const std::vector<std::string>& objects) {
  std::vector<std::string> arguments = objects;
  auto add = [&](const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
  };
  const auto& tools = space.tools.exercises.at(exercise.path());
  add(tools.drivers);
  add(space.tools.link_options);
  arguments.push_back("-Wl,-z,noexecstack");
  for (const auto& library : space.tools.link_libraries) add_library(library, arguments);
  add(tools.link);
  arguments.push_back(space.tools.cudart_to_link);
  add(space.tools.system_libraries);
  return arguments;
}

// True when it was there already, or every file compiled.
bool make_objects(const Workspace& space, const Answer& answer, const Plan& plan, const CheckOptions& options,
                  Built& built, std::string& key, std::vector<std::string>& objects) {
  key = key_of_sources(space, answer, plan);
  built.cached = true;
  for (std::size_t i = 0; i < plan.sources.size(); ++i) {
    const fs::path object =
        space.build / "cache" / key.substr(0, 2) / fmt::format("{}-{}.o", key.substr(2), i);
    std::error_code error;
    fs::create_directories(object.parent_path(), error);
    objects.push_back(object.string());
    if (i < plan.learners) built.objects.push_back(object);
    if (i < plan.learners && plan.report) built.reports.push_back(report_of(object));
    if (fs::exists(object, error)) continue;
    built.cached = false;
    const Ended ended = compile_one(space, plan.sources[i], object, plan, options);
    built.compile_seconds += ended.wall_seconds;
    if (ended.ok()) continue;
    built.machines_fault = !ended.started || ended.cancelled;
    built.host_only = plan.sources[i].extension() != ".cu";
    const char* compiler = built.host_only ? "g++" : "nvcc";
    built.endless = ended.timed_out;
    built.text = ended.started && !ended.timed_out && !ended.cancelled
                     ? ended.output
                     : fmt::format("{} {}\n{}", compiler, in_words(ended), ended.started ? ended.output : "");
    return false;
  }
  return true;
}

}  // namespace

Built build_runner(const Workspace& space, const Exercise& exercise, const Answer& answer,
                   const CheckOptions& options) {
  Built built;
  std::string key;
  std::vector<std::string> objects;
  const Plan plan = plan_of(space, exercise, answer, built.refused);
  if (built.refused || !make_objects(space, answer, plan, options, built, key, objects)) return built;
  for (const auto& object : objects) {
    built.refused = refused_names(object);
    if (built.refused) return built;
  }

  const auto arguments = link_arguments(space, exercise, objects);
  const std::string link_key = key_of_link(space, key, arguments);
  built.runner = space.build / "cache" / link_key.substr(0, 2) / (link_key.substr(2) + ".runner");
  std::error_code error;
  built.ok = fs::exists(built.runner, error);
  if (built.ok) return built;

  fs::create_directories(built.runner.parent_path(), error);
  fs::path partial = built.runner;
  partial += unfinished_suffix();
  Command command;
  command.arguments = {space.tools.cxx, "-o", partial.string()};
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  command.folder = space.root;
  command.cancelled = options.cancelled;
  const Ended ended = run(command);
  built.link_seconds = ended.wall_seconds;
  built.linking = true;
  built.machines_fault = !ended.started || ended.cancelled;
  built.text = ended.output;
  built.ok = ended.ok();
  if (built.ok) fs::rename(partial, built.runner, error);
  if (!built.ok || error) fs::remove(partial, error);
  return built;
}

void prune_cache(const fs::path& build, std::uintmax_t most_bytes) {
  using std::chrono::hours;
  const auto now = fs::file_time_type::clock::now();
  const fs::path mark = build / "cache" / "pruned";
  std::error_code error;
  const auto last = fs::last_write_time(mark, error);
  if (!error && now - last < hours(24)) return;
  struct Entry {
    fs::file_time_type when;
    std::uintmax_t bytes;
    fs::path path;
  };
  std::vector<Entry> entries;
  std::uintmax_t total = 0;
  for (const auto& file : fs::recursive_directory_iterator(build / "cache", error)) {
    const std::string end = file.path().extension().string();
    if (end != ".o" && end != ".report" && end != ".runner" && end != ".part") continue;
    entries.push_back({file.last_write_time(error), file.file_size(error), file.path()});
    total += entries.back().bytes;
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.when < b.when; });
  for (const auto& entry : entries) {
    if (total <= most_bytes || now - entry.when < hours(1)) break;
    if (fs::remove(entry.path, error)) total -= entry.bytes;
  }
  try {
    write_file(mark, "");
  } catch (const std::exception&) {
    // A cache that cannot be written does not grow either.
  }
}

}  // namespace workbook::grader
