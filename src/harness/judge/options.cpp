#include "harness/judge/options.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "harness/judge/conditions.h"

namespace workbook::judge {

Options& options() {
  static Options instance;
  return instance;
}

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

namespace {

std::uint64_t number(std::string_view flag, std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw std::invalid_argument(fmt::format("{} needs a whole number, not '{}'", flag, text));
  return value;
}

bool device_is_simulated(std::string_view text) {
  if (text == "simulated") return true;
  if (text == "gpu") return false;
  throw std::invalid_argument(fmt::format("--device is 'simulated' or 'gpu', not '{}'", text));
}

// False: not one of our flags.
bool take(std::string_view flag, const std::string& value) {
  Options& o = options();
  if (flag == "--runner")
    o.runner = value;
  else if (flag == "--device")
    o.simulated = device_is_simulated(value);
  else if (flag == "--profile")
    o.profile = value;
  else if (flag == "--record")
    o.record = value;
  else if (flag == "--chapter")
    o.chapter = value;
  else if (flag == "--seed")
    o.seed = number(flag, value);
  else if (flag == "--learner-file")
    o.learner_files.push_back(value);
  else if (flag == "--learner-object")
    o.learner_objects.push_back(value);
  else if (flag == "--compiler-report")
    o.compiler_reports.push_back(value);
  else if (flag == "--cudart-dir")
    o.cudart_dir = value;
  else if (flag == "--keep-trace")
    o.keep_trace = value;
  else if (flag == "--nvtx-library")
    o.nvtx_library = value;
  else if (flag == "--cupti-library")
    o.cupti_library = value;
  else if (flag == "--conditions")
    read_conditions(value);
  else
    return false;
  return true;
}

bool is_ours(std::string_view flag) {
  for (const char* name : {"--runner", "--device", "--profile", "--record", "--chapter", "--seed",
                           "--learner-file", "--learner-object", "--compiler-report", "--cudart-dir",
                           "--nvtx-library", "--cupti-library", "--keep-trace", "--conditions"}) {
    if (flag == name) return true;
  }
  return false;
}

}  // namespace

void parse_options(int& argc, char** argv) {
  if (const char* seed = std::getenv("WORKBOOK_JUDGE_SEED"); seed != nullptr && *seed != '\0')
    take("--seed", seed);
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    std::string flag = argv[i], value;
    const auto equals = flag.find('=');
    const bool joined = equals != std::string::npos;
    if (joined) {
      value = flag.substr(equals + 1);
      flag.resize(equals);
    }
    if (!is_ours(flag)) {
      argv[kept++] = argv[i];
      continue;
    }
    if (!joined) {
      if (++i >= argc) throw std::invalid_argument(flag + " needs a value");
      value = argv[i];
    }
    take(flag, value);
  }
  argc = kept;
  argv[argc] = nullptr;
}

}  // namespace workbook::judge
