#include "cli/program.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

#include "grader/compiler_text.h"
#include "grader/elf.h"
#include "grader/process.h"

namespace workbook::cli {

bool is_source(const fs::path& path) {
  return path.extension() == ".cu" || path.extension() == ".cpp" || path.extension() == ".cc";
}

bool build_program(Context& context, const fs::path& source, const fs::path& program) {
  const auto& tools = context.space().tools;
  grader::Command command;
  command.arguments = {tools.nvcc, source.string(), "-o", program.string()};
  command.arguments.insert(command.arguments.end(), tools.flags.begin(), tools.flags.end());
  for (const auto& folder : tools.include_dirs) command.arguments.push_back("-I" + folder);
  command.arguments.push_back("-L" + tools.real_cudart_dir.string());
  grader::Ended ended;
  {
    const Progress progress(fmt::format("building {}", source.filename().string()));
    ended = grader::run(command);
  }
  if (ended.ok()) {
    if (context.options().verbose) fmt::print(stderr, "{}", ended.output);
    return true;
  }
  if (!ended.started || ended.signal != 0)
    throw grader::SetupError(fmt::format("nvcc {}", grader::in_words(ended)));
  fmt::print(stderr, "{} did not compile:\n\n{}", source.string(),
             grader::tidy_compiler_output(ended.output, {source}, context.root()));
  return false;
}

int in_foreground(const fs::path& program, const std::vector<std::string>& arguments) {
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGPIPE, SIG_DFL);
    ::execvp(argv[0], argv.data());
    fmt::print(stderr, "cannot run {}: {}\n", program.string(), std::strerror(errno));
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    fmt::print(stderr, "{} was ended by signal {} ({})\n", program.filename().string(), WTERMSIG(status),
               ::strsignal(WTERMSIG(status)));
    return 128 + WTERMSIG(status);
  }
  return WEXITSTATUS(status);
}

fs::path ready_program(Context& context, const std::string& name, const std::string& command,
                       const grader::CheckOptions& options, const fs::path& folder) {
  fs::path program = name;
  if (!fs::exists(program)) {
    program = grader::find_program(name);
    if (program.empty()) throw UsageError(fmt::format("There is no file or program '{}'.", name));
  }
  if (fs::is_directory(program))
    throw UsageError(fmt::format("{} is a folder; {} takes a .cu file or a program.", name, command));
  if (is_source(program)) {
    const fs::path built = folder / program.stem();
    return build_program(context, program, built) ? fs::absolute(built) : fs::path();
  }
  if (options.device == "simulated") {
    if (const std::string problem = grader::redirect_problem(program); !problem.empty())
      throw UsageError(problem);
  }
  return fs::absolute(program);
}

void meet_device(Context& context, const grader::CheckOptions& options) {
  const auto& tools = context.space().tools;
  const char* before = std::getenv("LD_LIBRARY_PATH");
  const std::string inherited = before == nullptr ? "" : before;
  if (options.device == "simulated") {
    const std::string path = tools.simulated_cudart_dir.string() + (inherited.empty() ? "" : ":" + inherited);
    ::setenv("LD_LIBRARY_PATH", path.c_str(), 1);
    ::setenv("WORKBOOK_PROFILE", options.profile.c_str(), 1);
    ::setenv("WORKBOOK_SEED", std::to_string(options.seed).c_str(), 1);
  } else {
    const std::string path = (inherited.empty() ? "" : inherited + ":") + tools.real_cudart_dir.string();
    ::setenv("LD_LIBRARY_PATH", path.c_str(), 1);
  }
}

}  // namespace workbook::cli
