// doctor: what this machine has, what will run, what will not and why.
#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "grader/machine.h"
#include "grader/parallel.h"
#include "grader/process.h"

namespace workbook::cli {

namespace {

struct Line {
  std::string name, found, meaning;
  bool ok = true;
};

std::string first_line_of(const std::vector<std::string>& arguments) {
  grader::Command command;
  command.arguments = arguments;
  command.seconds = 20;
  const auto ended = grader::run(command);
  const auto lines = grader::split_lines(ended.output);
  return ended.ok() && !lines.empty() ? lines.front() : "";
}

Line compiler_line(const grader::Toolchain& tools) {
  const std::string version = first_line_of({tools.cxx.empty() ? "g++" : tools.cxx, "-dumpfullversion"});
  if (version.empty()) return {"g++", "not found", "nothing can be built: sudo apt-get install g++", false};
  return {"g++", version, "ok", true};
}

Line nvcc_line(const grader::Toolchain& tools) {
  if (tools.nvcc.empty() || grader::find_program(tools.nvcc).empty())
    return {"nvcc", "not found", "no exercise can be compiled; call the workbook again and it fetches one",
            false};
  const bool tested = tools.nvcc_version.starts_with("13.");
  return {"nvcc", tools.nvcc_version, tested ? "ok" : "not one of the tested versions (13.x)",
          !tools.nvcc_version.empty()};
}

Line gpu_line(const grader::Gpu& gpu) {
  const std::string here = "checks run on the simulated device";
  if (gpu.usable)
    return {"GPU", gpu.count > 1 ? fmt::format("{} x {}", gpu.count, gpu.name) : gpu.name,
            "checks run on it; --device simulated chooses the other"};
  if (gpu.problem.empty()) return {"GPU", "none found", here};
  return {"GPU", "not usable", gpu.problem + "; " + here};
}

std::vector<Line> lines_of(Context& context) {
  const auto& tools = context.space().tools;
  const grader::Gpu gpu = grader::find_gpu(context.self());
  std::vector<Line> lines{compiler_line(tools), nvcc_line(tools), gpu_line(gpu)};
  const bool simulated = fs::exists(tools.simulated_cudart_dir / "libcudart.so.13");
  lines.push_back({"simulated", simulated ? context.options().profile : "not built",
                   simulated ? "ok" : "call the workbook again and it is built", simulated});
  if (!fs::exists(tools.real_cudart_dir / "libcudart.so.13"))
    lines.push_back({"CUDA runtime", "not found", "needed on a GPU only", !gpu.usable});
  const bool cupti = fs::exists(tools.real_cudart_dir / "libcupti.so.13") ||
                     fs::exists(tools.real_cudart_dir / "../extras/CUPTI/lib64/libcupti.so.13");
  lines.push_back({"profiler", cupti ? "CUPTI" : "no CUPTI", "used on a GPU only"});
  lines.push_back({"git", grader::find_program("git").empty() ? "not found" : "found",
                   grader::find_program("git").empty()
                       ? "update cannot merge; it puts new starters beside yours"
                       : "ok"});
  std::error_code error;
  const auto room = fs::space(context.build(), error);
  const bool full = !error && room.available < (200u << 20);
  lines.push_back({"disk", fmt::format("{} MB free", error ? 0 : room.available >> 20),
                   full ? "little: builds may fail" : "ok", !full});
  const fs::path place = context.work_exists() ? context.root() / "work" : context.root();
  const bool writable = ::access(place.c_str(), W_OK) == 0;
  lines.push_back({"work/", context.work_exists() ? "there" : "not made yet",
                   writable ? "ok" : "this folder cannot be written: work in a copy of your own", writable});
  lines.push_back({"cores", fmt::format("{}", grader::cores()), "ok"});
  std::string not_run, missing;
  for (const auto& e : context.exercises()) {
    if (!gpu.usable && (!e.needs.empty() || !e.partly_needs.empty()))
      not_run += (not_run.empty() ? "" : ", ") + e.id + (e.needs.empty() ? " (in part)" : "");
    if (!tools.exercises.contains(e.path())) missing += (missing.empty() ? "" : ", ") + e.id;
  }
  lines.push_back({"not run here", not_run.empty() ? "none" : not_run,
                   not_run.empty() ? "every exercise can be checked" : "needs a GPU"});
  if (!missing.empty())
    lines.push_back({"no check", missing, "not built: a bug in the workbook, please report it", false});
  return lines;
}

}  // namespace

int doctor(Context& context) {
  const auto lines = lines_of(context);
  bool ok = true;
  for (const auto& line : lines) ok = ok && line.ok;
  if (context.options().json) {
    nlohmann::json out = {{"schema", "workbook-doctor/1"},
                          {"ok", ok},
                          {"root", context.root().string()},
                          {"build", context.build().string()}};
    for (const auto& line : lines)
      out["facts"].push_back(
          {{"name", line.name}, {"found", line.found}, {"meaning", line.meaning}, {"ok", line.ok}});
    fmt::print("{}\n", out.dump(2));
  } else {
    for (const auto& line : lines) {
      const std::string left = grader::spread(fmt::format("{:<14} {}", line.name, line.found), "", 42);
      std::string text = grader::wrapped(line.meaning, grader::page_columns, left, std::string(42, ' '));
      fmt::print("{}\n", line.ok ? text : grader::colored(text, grader::Color::red, context.options().color));
    }
  }
  return ok ? grader::exit_passed : grader::exit_machine;
}

}  // namespace workbook::cli
