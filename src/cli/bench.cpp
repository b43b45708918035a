// bench: how long the user's own kernels and programs take, and which of two is faster.
#include "cli/bench.h"

#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <regex>
#include <sstream>

#include "cli/program.h"
#include "grader/compiler_text.h"
#include "grader/process.h"

namespace workbook::cli {

namespace {

using nlohmann::ordered_json;

bool registers_benchmarks(const fs::path& source) {
  std::ifstream in(source);
  std::stringstream text;
  text << in.rdbuf();
  return is_source(source) &&
         std::regex_search(
             text.str(),
             std::regex(R"((^|\n)[ \t]*(WORKBOOK_BENCH\s*\(|#\s*include\s*[<\"]workbook/bench\.h))"));
}

// A library that the runner can load beside another one with the same names in it. Empty when it did not
// compile.
fs::path build_library(Context& context, const fs::path& source, const fs::path& library) {
  const auto& tools = context.space().tools;
  grader::Command command;
  command.arguments = {tools.nvcc, source.string(), "-o", library.string(), "-shared"};
  command.arguments.insert(command.arguments.end(), tools.flags.begin(), tools.flags.end());
  command.arguments.insert(command.arguments.end(),
                           {"-Xcompiler", "-fPIC,-fno-gnu-unique", "-Xlinker", "-Bsymbolic"});
  for (const auto& folder : tools.include_dirs) command.arguments.push_back("-I" + folder);
  command.arguments.push_back("-L" + tools.real_cudart_dir.string());
  grader::Ended ended;
  {
    const Progress progress(fmt::format("building {}", source.filename().string()));
    ended = grader::run(command);
  }
  if (ended.ok()) return library;
  if (!ended.started || ended.signal != 0)
    throw grader::SetupError(fmt::format("nvcc {}", grader::in_words(ended)));
  fmt::print(stderr, "{} did not compile:\n\n{}", source.string(),
             grader::tidy_compiler_output(ended.output, {source}, context.root()));
  return {};
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::localtime(&now));
  return text;
}

void expect_values(const BenchOptions& wish) {
  for (const auto& pair : wish.set) {
    if (!std::regex_match(pair, std::regex(R"([A-Za-z_][A-Za-z0-9_]*=-?[0-9]+)")))
      throw UsageError(
          fmt::format("--set takes NAME=NUMBER, for example --set n=4096; '{}' is not that.", pair));
  }
  if (wish.against.empty() && wish.trials > 1)
    throw UsageError("--trials repeats a comparison; it needs --against FILE2.");
  if (wish.against.empty() && wish.at_most > 0)
    throw UsageError("--at-most judges a comparison; it needs --against FILE2.");
}

// Starts the program beside this one that loads the libraries and measures; what it wrote.
ordered_json run_runner(Context& context, const std::vector<fs::path>& libraries, const BenchOptions& wish,
                        const fs::path& folder) {
  const fs::path runner = context.build() / "bin" / "workbook-bench", out = folder / "found.json";
  if (!fs::exists(runner))
    throw grader::SetupError(
        fmt::format("{} is not built; {} builds what is missing.", runner.string(), context.command()));
  grader::Command command;
  command.arguments = {runner.string(),
                       "--out",
                       out.string(),
                       "--seconds",
                       fmt::format("{}", wish.seconds),
                       "--trials",
                       fmt::format("{}", wish.trials)};
  if (wish.cold) command.arguments.emplace_back("--cold");
  if (wish.hot) command.arguments.emplace_back("--hot");
  if (!wish.only.empty()) command.arguments.insert(command.arguments.end(), {"--only", wish.only});
  for (const auto& pair : wish.set) command.arguments.insert(command.arguments.end(), {"--set", pair});
  for (const auto& library : libraries) command.arguments.push_back(library.string());
  command.seconds = 24 * 3600;
  // What the program prints is not ours; with --json standard output holds one object alone.
  command.on_output = [](const std::string& text) { fmt::print(stderr, "{}", text); };
  grader::Ended ended;
  {
    const Progress progress("measuring");
    ended = grader::run(command);
  }
  const auto text = grader::read_file(out);
  ordered_json found = text ? ordered_json::parse(*text, nullptr, false) : ordered_json();
  if (!found.is_object())
    throw grader::SetupError(fmt::format("The measuring program {}.", grader::in_words(ended)));
  return found;
}

// 1 when something in it failed, or a comparison is above --at-most; else 0.
int exit_code_of(const ordered_json& found, const BenchOptions& wish) {
  bool bad = found.contains("error");
  for (const char* list : {"benchmarks", "comparisons"}) {
    if (!found.contains(list)) continue;
    bool any = false;
    for (const auto& row : found[list]) {
      bad = bad || row.contains("error");
      any = any || row.contains("cache") || row.contains("us");
      if (wish.at_most > 0 && row.contains("low") && row["low"].is_number() &&
          row["low"].get<double>() > wish.at_most)
        bad = true;
    }
    if (!any && !bad) return grader::exit_inconclusive;
  }
  return bad ? grader::exit_not_passed : grader::exit_passed;
}

ordered_json head_of(const std::string& name, const BenchOptions& wish) {
  ordered_json head;
  head["schema"] = "workbook-bench/1";
  head["file"] = name;
  if (!wish.against.empty()) head["against"] = wish.against;
  head["date"] = today();
  return head;
}

// The parts found, behind what the command knows.
int show(const Context& context, ordered_json object, const ordered_json& found, const BenchOptions& wish) {
  object.update(found);
  if (context.options().json)
    fmt::print("{}\n", object.dump(2));
  else
    fmt::print("{}", bench_page(object));
  return exit_code_of(found, wish);
}

fs::path existing(const std::string& name) {
  if (!fs::exists(name)) throw UsageError(fmt::format("There is no file '{}'.", name));
  return name;
}

}  // namespace

int bench(Context& context, const std::string& name, const BenchOptions& wish) {
  expect_values(wish);
  const auto options = context.check_options("auto");
  const grader::TemporaryFolder folder("bench");
  const ordered_json head = head_of(name, wish);
  if (!fs::exists(name) || !registers_benchmarks(name)) {
    const fs::path program = ready_program(context, name, "bench", options, folder.path());
    fs::create_directory(folder.path() / "against");
    const fs::path other = wish.against.empty() ? fs::path()
                                                : ready_program(context, wish.against, "bench", options,
                                                                folder.path() / "against");
    if (program.empty() || (other.empty() && !wish.against.empty())) return grader::exit_not_passed;
    meet_device(context, options);
    return show(context, head, bench_programs(context, options, program, other, wish), wish);
  }
  std::vector<fs::path> libraries = {build_library(context, name, folder.path() / "first.so")};
  if (!libraries[0].empty() && !wish.against.empty()) {
    if (!registers_benchmarks(existing(wish.against)))
      throw UsageError(fmt::format("{} has WORKBOOK_BENCH in it and {} has not; both need it to be compared.",
                                   name, wish.against));
    libraries.push_back(build_library(context, wish.against, folder.path() / "second.so"));
  }
  if (libraries.back().empty()) return grader::exit_not_passed;
  meet_device(context, options);
  return show(context, head, run_runner(context, libraries, wish, folder.path()), wish);
}

}  // namespace workbook::cli
