// run: any CUDA program of the user's own, on the chosen device.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

#include "cli/commands.h"
#include "grader/compiler_text.h"
#include "grader/elf.h"
#include "grader/process.h"

namespace workbook::cli {

namespace {

bool is_source(const fs::path& path) {
  return path.extension() == ".cu" || path.extension() == ".cpp" || path.extension() == ".cc";
}

// True when it was built; else what nvcc said is on the screen.
bool build(Context& context, const fs::path& source, const fs::path& program) {
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

// In the foreground, with our terminal; its exit code becomes ours.
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

}  // namespace

int run_program(Context& context, const std::string& name, const std::vector<std::string>& arguments) {
  fs::path program = name;
  if (!fs::exists(program)) {
    program = grader::find_program(name);
    if (program.empty()) throw UsageError(fmt::format("There is no file or program '{}'.", name));
  }
  if (fs::is_directory(program))
    throw UsageError(fmt::format("{} is a folder; run takes a .cu file or a program.", name));
  const auto options = context.check_options("auto");
  const grader::TemporaryFolder folder("run");
  if (is_source(program)) {
    const fs::path built = folder.path() / program.stem();
    if (!build(context, program, built)) return grader::exit_not_passed;
    program = built;
  } else if (options.device == "simulated") {
    if (const std::string problem = grader::redirect_problem(program); !problem.empty())
      throw UsageError(problem);
  }
  program = fs::absolute(program);
  const auto& tools = context.space().tools;
  if (options.device == "simulated") {
    const char* before = std::getenv("LD_LIBRARY_PATH");
    const std::string path = tools.simulated_cudart_dir.string() +
                             (before != nullptr && *before != '\0' ? ":" + std::string(before) : "");
    ::setenv("LD_LIBRARY_PATH", path.c_str(), 1);
    ::setenv("WORKBOOK_PROFILE", options.profile.c_str(), 1);
    ::setenv("WORKBOOK_SEED", std::to_string(options.seed).c_str(), 1);
  } else {
    const char* before = std::getenv("LD_LIBRARY_PATH");
    const std::string path = (before != nullptr && *before != '\0' ? std::string(before) + ":" : "") +
                             tools.real_cudart_dir.string();
    ::setenv("LD_LIBRARY_PATH", path.c_str(), 1);
  }
  // Ctrl-C is the program's to answer; ours would only leave the temporary folder behind.
  return in_foreground(program, arguments);
}

}  // namespace workbook::cli
