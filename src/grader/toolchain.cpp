#include "grader/toolchain.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "grader/process.h"

namespace workbook::grader {

namespace {

using Json = nlohmann::json;

// Puts paths that were written for another place where the source and build folders are now.
class Mover {
 public:
  Mover(const Json& in, const fs::path& build, const fs::path& root) {
    // The build folder often lies inside the source folder, so it is tried first.
    const std::string source = in.value("source_dir", "");
    moves_.emplace_back(in.value("build_dir", source + "/.build"), build.string());
    moves_.emplace_back(source, root.string());
  }

  std::string operator()(std::string text) const {
    for (const auto& [from, to] : moves_) {
      const std::size_t at = text.find(from);
      if (from.empty() || at == std::string::npos) continue;
      const std::size_t end = at + from.size();
      if (end < text.size() && text[end] != '/') continue;
      return text.replace(at, from.size(), to);
    }
    return text;
  }

 private:
  std::vector<std::pair<std::string, std::string>> moves_;
};

std::string text_of(const Json& in, const char* key, const Mover& move) {
  return in.contains(key) ? move(in.at(key).get<std::string>()) : std::string();
}

std::vector<std::string> texts_of(const Json& in, const char* key, const Mover& move) {
  std::vector<std::string> out;
  if (!in.contains(key)) return out;
  for (const auto& element : in.at(key)) out.push_back(move(element.get<std::string>()));
  return out;
}

Toolchain from_json(const Json& in, const Mover& move) {
  Toolchain t;
  t.nvcc = text_of(in, "nvcc", move);
  t.cxx = text_of(in, "cxx", move);
  t.cuda_include = text_of(in, "cuda_include", move);
  t.real_cudart_dir = text_of(in, "real_cudart_dir", move);
  t.simulated_cudart_dir = text_of(in, "simulated_cudart_dir", move);
  t.nvtx_library = text_of(in, "nvtx_library", move);
  t.cupti_library = text_of(in, "cupti_library", move);
  t.cudart_to_link = text_of(in, "cudart_to_link", move);
  t.flags = texts_of(in, "nvcc_flags", move);
  t.cxx_flags = texts_of(in, "cxx_flags", move);
  t.include_dirs = texts_of(in, "include_dirs", move);
  t.link_options = texts_of(in, "link_options", move);
  t.link_libraries = texts_of(in, "link_libraries", move);
  t.system_libraries = texts_of(in, "system_libraries", move);
  for (const auto& exercise : in.at("exercises")) {
    ExerciseTools tools;
    tools.judge = text_of(exercise, "judge", move);
    tools.drivers = {text_of(exercise, "driver", move)};
    tools.link = texts_of(exercise, "extra_libraries", move);
    t.exercises[exercise.at("chapter").get<std::string>() + "/" + exercise.at("stem").get<std::string>()] =
        tools;
  }
  return t;
}

// nvcc's version, remembered for as long as the program is the same; a carried build on a machine without
// nvcc keeps the version it was made with, so that its cache stays good.
std::string version_of(const std::string& nvcc, const fs::path& build) {
  const fs::path memory = build / "cache" / "nvcc-version";
  std::error_code error;
  const auto changed = fs::last_write_time(nvcc, error);
  const auto known = read_file(memory);
  const std::string mark = fmt::format("{} {}", nvcc, error ? 0 : changed.time_since_epoch().count());
  if (known) {
    const auto lines = split_lines(*known);
    if (lines.size() == 2 && (error || lines[0] == mark)) return lines[1];
  }
  if (error) return "";
  Command command;
  command.arguments = {nvcc, "--version"};
  const Ended ended = run(command);
  if (!ended.ok()) return "";
  const std::size_t at = ended.output.rfind(", V");
  const std::string version =
      at == std::string::npos ? trimmed(ended.output) : split_lines(ended.output.substr(at + 3)).at(0);
  try {
    write_file(memory, mark + "\n" + version + "\n");
  } catch (const std::exception&) {
    // A build folder that cannot be written costs a few milliseconds, no more.
  }
  return version;
}

}  // namespace

Toolchain load_toolchain(const fs::path& build, const fs::path& root) {
  const fs::path path = build / "workbook_toolchain.json";
  const auto text = read_file(path);
  if (!text)
    throw SetupError(
        fmt::format("{} is missing: the workbook is not built. Type: ./workbook start", path.string()));
  try {
    const Json in = Json::parse(*text);
    if (in.at("schema") != "workbook-toolchain/1")
      throw SetupError(fmt::format("{} is of another version of the workbook. Remove {} and call again.",
                                   path.string(), build.string()));
    Toolchain tools = from_json(in, Mover(in, build, root));
    tools.nvcc_version = version_of(tools.nvcc, build);
    return tools;
  } catch (const Json::exception& error) {
    throw SetupError(
        fmt::format("{}: {}. Remove {} and call again.", path.string(), error.what(), build.string()));
  }
}

}  // namespace workbook::grader
