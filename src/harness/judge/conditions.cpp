#include "harness/judge/conditions.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace workbook::judge {

Conditions& conditions() {
  static Conditions instance;
  return instance;
}

void read_conditions(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::invalid_argument(fmt::format("--conditions: {} cannot be read", path));
  Conditions& c = conditions();
  try {
    const auto json = nlohmann::json::parse(in);
    c.launcher = json.value("launcher", c.launcher);
    c.uid = json.value("uid", c.uid);
    c.gid = json.value("gid", c.gid);
    c.seccomp = json.value("seccomp", c.seccomp);
    c.memory_bytes = json.value("memory_bytes", c.memory_bytes);
    c.processes = json.value("processes", c.processes);
    c.file_bytes = json.value("file_bytes", c.file_bytes);
    c.run_seconds = json.value("run_seconds", c.run_seconds);
    c.hidden_sizes = json.value("hidden_sizes", c.hidden_sizes);
    c.secret_seed = json.value("secret_seed", c.secret_seed);
    c.go_on_when_slow = json.value("go_on_when_slow", c.go_on_when_slow);
  } catch (const nlohmann::json::exception& error) {
    throw std::invalid_argument(fmt::format("--conditions: {}: {}", path, error.what()));
  }
}

}  // namespace workbook::judge
