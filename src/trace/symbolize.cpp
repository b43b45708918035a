#include "trace/symbolize.h"

#include <cxxabi.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

extern char** environ;

namespace workbook::trace {

namespace {

constexpr std::string_view stub_prefix = "__device_stub__";
constexpr std::string_view wrapper_mark = "__wrapper__device_stub_";

std::string_view last_component(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  const auto line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return line;
}

// "file.cu:31 (discriminator 2)", "??:0", "??:?".
void read_place(std::string_view text, Frame& frame) {
  if (const auto extra = text.find(" (discriminator"); extra != std::string_view::npos)
    text = text.substr(0, extra);
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return;
  const auto file = text.substr(0, colon);
  if (file == "??") return;
  frame.file = file;
  const auto digits = text.substr(colon + 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), frame.line);
}

// Runs a program and gives its standard output. The addresses go in as arguments in chunks, so that neither a
// pipe can fill up in both directions nor the argument list grow too long.
std::string run(const std::vector<std::string>& words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error(fmt::format("pipe: {}", std::strerror(errno)));
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (failed != 0) {
    ::close(ends[0]);
    throw std::runtime_error(
        fmt::format("cannot run '{}' (it belongs to binutils): {}", words[0], std::strerror(failed)));
  }

  std::string output;
  char buffer[4096];
  for (;;) {
    const ssize_t got = ::read(ends[0], buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    output.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return output;
}

bool is_launch_stub(const Frame& frame) {
  return frame.function.find(stub_prefix) != std::string::npos ||
         frame.function.find(wrapper_mark) != std::string::npos;
}

// "__device_stub__ZN1a5saxpyEif(int, float)" names its kernel in mangled form.
std::string kernel_of_stub(std::string_view function) {
  const auto at = function.find(stub_prefix);
  if (at == std::string_view::npos) return {};
  // The stub's name is "__device_stub_" before the mangled name: the last underscore belongs to "_Z".
  std::string mangled(function.substr(at + stub_prefix.size() - 1));
  mangled = mangled.substr(0, mangled.find('('));
  return function_name(demangled(mangled));
}

std::string_view unqualified(std::string_view name) {
  const auto colons = name.rfind("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

}  // namespace

std::string demangled(const std::string& name) {
  int status = 0;
  char* const plain = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string out = status == 0 && plain != nullptr ? plain : name;
  std::free(plain);
  return out;
}

std::string function_name(std::string_view text) {
  // Parameters and template arguments may nest; names themselves hold neither brackets nor spaces.
  std::string out;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' && depth == 0 && text.substr(i).starts_with("(anonymous namespace)")) {
      out += "(anonymous namespace)";
      i += std::strlen("(anonymous namespace)") - 1;
    } else if (c == '(' && depth == 0) {
      break;
    } else if (c == '<') {
      ++depth;
    } else if (c == '>') {
      --depth;
    } else if (depth == 0) {
      out += c;
    }
  }
  // "void a::saxpy": the return type of a template instance stands before the last space.
  if (const auto space = out.rfind(' ');
      space != std::string::npos && out.find("(anonymous") == std::string::npos) {
    out = out.substr(space + 1);
  }
  return out;
}

Places parse_addr2line(std::string_view text) {
  Places places;
  std::vector<Frame>* current = nullptr;
  std::uint64_t address = 0;
  while (!text.empty()) {
    const auto line = take_line(text);
    if (line.starts_with("0x")) {
      const auto [end, error] = std::from_chars(line.data() + 2, line.data() + line.size(), address, 16);
      if (error == std::errc() && end == line.data() + line.size()) {
        current = &places[address];
        current->clear();
        continue;
      }
    }
    if (current == nullptr) continue;
    if (!current->empty()) current->back().inlined = true;
    Frame frame;
    frame.address = address;
    if (line != "??") frame.function = line;
    read_place(take_line(text), frame);
    current->push_back(std::move(frame));
  }
  return places;
}

Places symbolize(const std::string& executable, const std::vector<std::uint64_t>& addresses) {
  std::vector<std::uint64_t> wanted(addresses);
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  const char* chosen = std::getenv("WORKBOOK_ADDR2LINE");
  const std::string program = chosen != nullptr && *chosen != '\0' ? chosen : "addr2line";

  // Resolved here: addr2line would take /proc/self/exe for itself.
  std::error_code unresolved;
  const auto resolved = std::filesystem::canonical(executable, unresolved);
  const std::string file = unresolved ? executable : resolved.string();
  Places places;
  constexpr std::size_t chunk = 4096;
  for (std::size_t from = 0; from < wanted.size(); from += chunk) {
    std::vector<std::string> words{program, "-e", file, "-a", "-f", "-C", "-i"};
    for (std::size_t i = from; i < std::min(wanted.size(), from + chunk); ++i) {
      words.push_back(fmt::format("{:#x}", wanted[i]));
    }
    places.merge(parse_addr2line(run(words)));
  }
  return places;
}

std::vector<Frame> frames_of(const std::vector<std::uint64_t>& addresses, const Places& places) {
  std::vector<Frame> frames;
  for (const std::uint64_t address : addresses) {
    const auto found = places.find(address);
    if (found == places.end()) {
      frames.push_back({.function = {}, .file = {}, .line = 0, .address = address, .inlined = false});
    } else {
      frames.insert(frames.end(), found->second.begin(), found->second.end());
    }
  }
  return frames;
}

const Frame* first_frame_in(const std::vector<std::string>& files, const std::vector<Frame>& frames,
                            std::string_view kernel) {
  std::string launched(kernel);
  for (const Frame& frame : frames) {
    if (is_launch_stub(frame)) {
      if (auto name = kernel_of_stub(frame.function); !name.empty()) launched = std::move(name);
      continue;
    }
    if (!launched.empty() && unqualified(function_name(frame.function)) == unqualified(launched)) continue;
    if (frame.line == 0) continue;
    for (const auto& file : files) {
      if (last_component(file) == last_component(frame.file)) return &frame;
    }
  }
  return nullptr;
}

}  // namespace workbook::trace
