#include "grader/compiler_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>

namespace workbook::grader {

namespace {

struct Message {
  std::string file;
  std::uint32_t line = 0;
  bool is_error = false;
  std::string text;  // with its following lines
};

// "file.cu(14): error: ..." of nvcc's front end, "file.cu:14:5: error: ..." of g++, and ptxas's "ptxas error
// : ...".
bool starts_message(const std::string& line, Message& out) {
  static const std::regex front(R"(^(.+?)\((\d+)\): (error|warning|catastrophic error|remark)\b.*)");
  static const std::regex host(R"(^(.+?):(\d+)(?::\d+)?: (fatal error|error|warning|note)\b.*)");
  static const std::regex other(R"(^(ptxas|nvcc|nvlink|cicc)\s+(fatal|error|warning|info)\s*:.*)");
  std::smatch m;
  if (std::regex_match(line, m, front) || std::regex_match(line, m, host)) {
    out = {m[1], static_cast<std::uint32_t>(std::stoul(m[2])), m[3].str().find("error") != std::string::npos,
           line};
    return true;
  }
  if (std::regex_match(line, m, other)) {
    out = {"", 0, m[2] == "error" || m[2] == "fatal", line};
    return true;
  }
  return false;
}

bool is_noise(const std::string& line) {
  static const std::regex count(R"(^\s*\d+ errors? detected in the compilation of .*)");
  static const std::regex remark(R"(^Remark: The warnings can be suppressed.*)");
  return line.empty() || std::regex_match(line, count) || std::regex_match(line, remark);
}

std::string without_root(std::string text, const fs::path& root) {
  const std::string prefix = root.string() + "/";
  for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at))
    text.erase(at, prefix.size());
  return text;
}

std::vector<Message> messages_of(const std::string& output, const fs::path& root, std::string& loose) {
  std::vector<Message> messages;
  for (const auto& raw : split_lines(output)) {
    const std::string line = without_root(raw, root);
    Message next;
    if (is_noise(line)) continue;
    if (starts_message(line, next)) {
      if (line.find(": note:") != std::string::npos && !messages.empty())
        messages.back().text += "\n" + line;
      else
        messages.push_back(next);
    } else if (!messages.empty()) {
      messages.back().text += "\n" + line;
    } else {
      loose += line + "\n";
    }
  }
  return messages;
}

// The linker's sentence about a name, without the address and the template noise around it.
std::string quoted(const std::string& line) {
  const std::size_t from = line.find_first_of("`'");
  const std::size_t to = line.find('\'', from + 1);
  return from == std::string::npos || to == std::string::npos ? "" : line.substr(from + 1, to - from - 1);
}

// What g++ says when it meets a launch, or what nvcc alone brings along.
bool is_for_nvcc_only(const std::string& text) {
  for (const char* sign :
       {"<<<", "before '<' token", "threadIdx", "blockIdx", "blockDim", "__global__", "__device__"}) {
    if (text.find(sign) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

std::string tidy_compiler_output(const std::string& output, const std::vector<fs::path>& learner_files,
                                 const fs::path& root) {
  std::string loose;
  std::vector<Message> messages = messages_of(output, root, loose);
  const bool any_error =
      std::any_of(messages.begin(), messages.end(), [](const Message& m) { return m.is_error; });
  if (any_error) std::erase_if(messages, [](const Message& m) { return !m.is_error; });
  std::set<std::string> learners, seen;
  for (const auto& file : learner_files) learners.insert(shown_path(file, root));
  std::stable_partition(messages.begin(), messages.end(),
                        [&](const Message& m) { return learners.contains(m.file); });
  std::string text;
  std::size_t shown = 0, left = 0;
  for (const auto& message : messages) {
    if (!seen.insert(message.text).second) continue;
    if (shown == 3)
      ++left;
    else
      text += message.text + "\n", ++shown;
  }
  if (left != 0)
    text += fmt::format("({} more {}: mend the first, then look again)\n", left,
                        left == 1 ? "message" : "messages");
  // Lines before the first message are the way into an include, or all that there is.
  return messages.empty() ? loose : text;
}

trace::Failure compile_failure(const std::string& tidy, bool linking, bool host_only) {
  trace::Failure failure;
  failure.outcome = trace::Outcome::wrong;
  failure.kind = "compile";
  failure.code = linking ? "link.error" : "compile.error";
  failure.headline = linking ? "It compiles, but the pieces do not fit together."
                             : fmt::format("{} could not compile it.", host_only ? "g++" : "nvcc");
  if (host_only && is_for_nvcc_only(tidy)) {
    failure.code = "compile.host_only";
    failure.question = "What in this file is for nvcc only, and in which file would nvcc read it?";
  }
  for (const auto& line : split_lines(tidy)) {
    if (linking && line.find("undefined reference to") != std::string::npos) {
      failure.code = "link.undefined";
      const std::string name = quoted(line);
      failure.headline = fmt::format("The check calls {}, and your file does not define it.", name);
      failure.question =
          "Compare the name, each parameter's type and the order with the declaration at the top of the "
          "file.";
      if (name.substr(0, name.find('(')).find('<') != std::string::npos) {
        failure.headline = fmt::format("Somebody calls {}, and no file defines it.", name);
        failure.question =
            "It is an instance of a template. Which file holds the template's body, and who told that file "
            "to "
            "make it for these types?";
      }
      return failure;
    }
    if (linking && line.find("multiple definition of") != std::string::npos) {
      failure.code = "link.multiple";
      const std::string name = quoted(line);
      failure.headline = name == "main" ? "Your file defines main; the check brings its own."
                                        : fmt::format("Your file defines {}, which exists already.", name);
      failure.question = "Give the function another name, or make it static.";
      return failure;
    }
    Message message;
    if (!linking && starts_message(line, message) && message.line != 0) {
      if (line.find("__host__ function") != std::string::npos &&
          line.find("is not allowed") != std::string::npos) {
        failure.headline = "Device code calls a function that is there for the host only.";
        failure.question = "Which function does the same and may be called on the device?";
      }
      failure.places.push_back({message.file, message.line, 0, ""});
      return failure;
    }
  }
  return failure;
}

}  // namespace workbook::grader
