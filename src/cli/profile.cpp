// profile: what a program did, as a timeline. The program runs as with `run`; its trace is read when it has
// ended.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/program.h"
#include "cli/timeline_page.h"
#include "grader/process.h"
#include "timeline/chrome.h"
#include "timeline/html.h"
#include "timeline/summary.h"
#include "trace/reader.h"
#include "trace/symbolize.h"

namespace workbook::cli {

namespace {

using timeline::Summary;
using timeline::Timeline;

// A trace, read and understood. Stays where it is: its parts point into each other.
struct Profiled {
  std::string name;
  trace::TraceFile file;
  std::unique_ptr<Timeline> timeline;
  Summary summary;
};

// Where the program's own code made a call, for words: "saxpy.cu:31".
std::string place_of(const trace::Header& header, const trace::Event& event) {
  if (event.frames.empty() || !fs::exists(header.executable)) return {};
  try {
    const auto frames = trace::frames_of(event.frames, trace::symbolize(header.executable, event.frames));
    for (const auto& frame : frames) {
      const bool foreign = frame.file.find("/include/") != std::string::npos ||
                           frame.file.starts_with("/usr/") ||
                           frame.file.find("/src/harness/") != std::string::npos;
      if (frame.line > 0 && !foreign)
        return fmt::format("{}:{}", fs::path(frame.file).filename().string(), frame.line);
    }
  } catch (const std::runtime_error&) {
    // Without addr2line the sentence has no line; that is no reason to have no sentence.
  }
  return {};
}

// The learner regions of a check's run; all of a program of its own, which has none.
std::vector<const trace::Event*> of_the_user(const std::vector<trace::Event>& events) {
  std::vector<const trace::Event*> all, inside;
  int open = 0;
  for (const auto& event : events) {
    if (event.kind == trace::EventKind::note && event.name == "region") {
      open += event.detail_json.find("true") != std::string::npos ? 1 : -1;
    } else {
      all.push_back(&event);
      if (open > 0) inside.push_back(&event);
    }
  }
  return inside.empty() ? all : inside;
}

std::unique_ptr<Profiled> understand(const fs::path& trace, const std::string& name) {
  auto out = std::make_unique<Profiled>();
  out->name = name;
  out->file = trace::read_trace(trace.string());
  std::stable_sort(out->file.events.begin(), out->file.events.end(),
                   [](const trace::Event& a, const trace::Event& b) { return a.id < b.id; });
  out->timeline = std::make_unique<Timeline>(of_the_user(out->file.events));
  const trace::Header& header = out->file.header;
  out->summary = timeline::summarize(*out->timeline, header,
                                     [&](const trace::Event& event) { return place_of(header, event); });
  return out;
}

// `recorder` is the library that a GPU's driver was to load, if any. The recorder's own complaints, and the
// signs of a program that was cut off.
std::string trouble_of(const Profiled& run, const std::string& recorder) {
  bool ended = false;
  for (const auto& event : run.file.events) {
    if (event.kind != trace::EventKind::note) continue;
    if (event.name == "trouble") return event.text;
    ended = ended || event.name == "totals";
  }
  if (!run.file.has_header && !recorder.empty())
    return fmt::format(
        "Nothing was recorded: the program made no CUDA call, or the driver could not load {} (is CUPTI's "
        "library where it was when this was built?).",
        recorder);
  if (!run.file.has_header)
    return "The program made no CUDA call and named no NVTX range: there is nothing to show.";
  if (!ended && run.file.header.device == "gpu")
    return "The program did not end by itself, so what the GPU did is lost; on the simulated device it is "
           "kept.";
  return {};
}

void set_recorder(Context& context, const std::string& device) {
  const auto& tools = context.space().tools;
  if (device == "simulated") {
    if (!tools.nvtx_library.empty()) ::setenv("NVTX_INJECTION64_PATH", tools.nvtx_library.c_str(), 1);
    return;
  }
  if (tools.cupti_library.empty())
    throw grader::SetupError(
        "This build cannot record a GPU: CUPTI was not found when it was built (it comes with the CUDA "
        "Toolkit, or "
        "as nvidia-cuda-cupti). With --device simulated the profile works here too.");
  ::setenv("CUDA_INJECTION64_PATH", tools.cupti_library.c_str(), 1);
  ::setenv("NVTX_INJECTION64_PATH", tools.cupti_library.c_str(), 1);
}

// Runs it and leaves the trace in the file; its exit code.
int record(Context& context, const grader::CheckOptions& options, const fs::path& program,
           const std::vector<std::string>& arguments, const fs::path& trace) {
  meet_device(context, options);
  set_recorder(context, options.device);
  const int fd = ::open(trace.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
  if (fd < 0) throw grader::SetupError(fmt::format("{} cannot be written.", trace.string()));
  ::setenv("WORKBOOK_TRACE_FD", std::to_string(fd).c_str(), 1);
  const int code = in_foreground(program, arguments);
  ::unsetenv("WORKBOOK_TRACE_FD");
  ::close(fd);
  return code;
}

// The learner's own copy of an exercise, through its check; the run with most work for the device is kept.
int record_exercise(Context& context, const std::string& name, const fs::path& trace) {
  const grader::Exercise& exercise = context.need_exercise(name);
  auto options = context.check_options("simulated");
  if (options.device != "simulated")
    throw UsageError(
        "The profile of an exercise is made on the simulated device. For a GPU give a program of your "
        "own: profile FILE.cu");
  options.keep_trace = trace;
  const Progress progress(fmt::format("checking {}", exercise.id));
  const auto verdict =
      grader::check(context.space(), exercise, grader::work_of(context.space(), exercise), options);
  if (verdict.kind == grader::VerdictKind::did_not_compile || !fs::exists(trace)) {
    fmt::print("{}", grader::render(verdict, context.page_options()));
    return grader::exit_not_passed;
  }
  return grader::exit_passed;
}

void write(const std::string& path, const std::string& text, const char* what) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw grader::SetupError(fmt::format("{} cannot be written.", path));
  fmt::print("{}: {}\n", what, path);
}

// One line a launch: a table for "-", else JSON Lines. Only the simulated device counts.
void show_counters(const std::string& where, const Profiled& now) {
  std::string lines;
  int launches = 0;
  for (const trace::Event* event : now.timeline->events()) {
    if (event->kind != trace::EventKind::kernel || event->counter_names.empty()) continue;
    ++launches;
    if (where == "-") {
      lines += fmt::format("{}, launch {}: {} x {} x {} blocks of {} x {} x {} threads\n", event->name,
                           launches, event->grid[0], event->grid[1], event->grid[2], event->block[0],
                           event->block[1], event->block[2]);
      for (std::size_t k = 0; k < event->counter_names.size(); ++k)
        lines += fmt::format("  {:<55} {:>15}\n", event->counter_names[k], event->counter_values[k]);
      continue;
    }
    nlohmann::ordered_json counters;
    for (std::size_t k = 0; k < event->counter_names.size(); ++k)
      counters[event->counter_names[k]] = event->counter_values[k];
    lines += nlohmann::ordered_json{{"kernel", event->name}, {"counters", counters}}.dump() + "\n";
  }
  if (launches == 0)
    throw grader::SetupError(
        "No kernel's counters were recorded. The simulated device counts (--device simulated); on a GPU ncu "
        "does.");
  if (where == "-")
    fmt::print("{}\n", lines);
  else
    write(where, lines, "counters");
}

void show(const Context& context, const ProfileOptions& wish, const Profiled& now, const Profiled* before) {
  std::fflush(stdout);
  fmt::print("\n{}", timeline_page(*now.timeline, now.summary, {now.name, context.options().color}));
  if (before != nullptr) fmt::print("\n{}", comparison(before->summary, now.summary));
  fmt::print("\n");
  if (!wish.html.empty()) {
    std::vector<timeline::Shown> runs;
    if (before != nullptr) runs.push_back({"Before", before->timeline.get(), &before->summary});
    runs.push_back({before != nullptr ? "Now" : "", now.timeline.get(), &now.summary});
    write(wish.html, timeline::html_page("Profile of " + now.name, runs), "page");
  }
  if (!wish.json.empty())
    write(wish.json, timeline::chrome_json(*now.timeline, now.file.header), "for Perfetto");
}

bool names_exercise(Context& context, const std::string& name) {
  if (fs::exists(name)) return false;
  return grader::find_exercise(context.exercises(), name) != nullptr;
}

}  // namespace

int profile(Context& context, const std::string& name, const std::vector<std::string>& arguments,
            const ProfileOptions& wish) {
  const grader::TemporaryFolder folder("profile");
  const fs::path trace = wish.trace.empty() ? folder.path() / "trace.jsonl" : fs::absolute(wish.trace);
  std::unique_ptr<Profiled> before;
  if (!wish.before.empty()) {
    if (!fs::exists(wish.before))
      throw UsageError(fmt::format("There is no trace {}. profile --trace {} PROGRAM makes one.", wish.before,
                                   wish.before));
    before = understand(wish.before, wish.before);
  }
  int code = grader::exit_passed;
  std::string recorder;
  std::unique_ptr<Profiled> now;
  if (name.ends_with(".jsonl") && fs::exists(name)) {
    now = understand(name, fs::path(name).filename().string());
  } else if (names_exercise(context, name)) {
    code = record_exercise(context, name, trace);
    if (code != grader::exit_passed) return code;
    now = understand(trace, name);
  } else {
    const auto options = context.check_options("auto");
    const fs::path program = ready_program(context, name, "profile", options, folder.path());
    if (program.empty()) return grader::exit_not_passed;
    if (options.device == "gpu") recorder = context.space().tools.cupti_library.string();
    code = record(context, options, program, arguments, trace);
    now = understand(trace, fs::path(name).filename().string());
  }
  if (const std::string trouble = trouble_of(*now, recorder); !trouble.empty()) {
    fmt::print(stderr, "{}\n", grader::wrapped(trouble, grader::page_columns));
    if (now->timeline->events().empty()) return code != 0 ? code : grader::exit_inconclusive;
  }
  show(context, wish, *now, before.get());
  if (!wish.counters.empty()) show_counters(wish.counters, *now);
  return code;
}

}  // namespace workbook::cli
