#include "grader/audit.h"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "grader/elf.h"
#include "trace/symbolize.h"

namespace workbook::grader {

namespace {

// Other processes, files under other names, and libraries by name.
constexpr std::string_view reaching_out[] = {
    "dlopen",
    "dlmopen",
    "dlsym",
    "dlvsym",
    "recv",
    "recvfrom",
    "recvmsg",
    "send",
    "sendto",
    "sendmsg",
    "socket",
    "connect",
    "syscall",
    "fork",
    "vfork",
    "clone",
    "posix_spawn",
    "posix_spawnp",
    "execl",
    "execle",
    "execlp",
    "execv",
    "execve",
    "execvp",
    "execvpe",
    "fexecve",
    "system",
    "popen",
    "ptrace",
    "kill",
    "killpg",
    "tgkill",
    "process_vm_readv",
    "process_vm_writev",
    "pidfd_open",
    "memfd_create",
    "rename",
    "renameat",
    "unlink",
    "unlinkat",
    "remove",
    "rmdir",
    "chmod",
    "symlink",
    "link",
    "truncate",
    "mkfifo",
    "daemon",
    "setsid",
    "read",
    "write",
    "pread",
    "pwrite",
    "pread64",
    "pwrite64",
    "readv",
    "writev",
    "dup2",
    "dup3",
    "prctl",
};

bool starts_with_upper(std::string_view name, std::string_view prefix) {
  return name.starts_with(prefix) && name.size() > prefix.size() &&
         std::isupper(static_cast<unsigned char>(name[prefix.size()])) != 0;
}

// Whose name it is, when it is not the learner's to define; empty when it is.
std::string owner_of(const ElfSymbol& symbol) {
  const std::string_view name = symbol.name;
  if (starts_with_upper(name, "cuda") || starts_with_upper(name, "__cuda") || starts_with_upper(name, "cu"))
    return "the CUDA runtime";
  if (name.starts_with("__wrap_") || name.starts_with("__real_") || starts_with_upper(name, "wb") ||
      name.starts_with("_ZN8workbook") || name.starts_with("_ZNK8workbook"))
    return "the workbook";
  // A C name that the C library has too. C++ names carry their types and never meet.
  if (symbol.is_function && !name.starts_with("_Z") && dlsym(RTLD_DEFAULT, symbol.name.c_str()) != nullptr)
    return "the C library";
  return {};
}

bool reaches_out(std::string_view name) {
  return std::find(std::begin(reaching_out), std::end(reaching_out), name) != std::end(reaching_out) ||
         name.starts_with("_ZNSt10filesystem") || name.starts_with("_ZNKSt10filesystem");
}

trace::Failure refusal(std::string code, std::string headline, std::string evidence, std::string question) {
  trace::Failure failure;
  failure.outcome = trace::Outcome::wrong;
  failure.kind = "contract";
  failure.code = std::move(code);
  failure.headline = std::move(headline);
  failure.evidence.push_back(std::move(evidence));
  failure.question = std::move(question);
  return failure;
}

}  // namespace

std::optional<trace::Failure> refused_names(const fs::path& object) {
  const auto symbols = global_symbols(object);
  // The headers of NVTX look for the tool that listens; that is theirs to do.
  const bool has_nvtx = std::any_of(symbols.begin(), symbols.end(), [](const ElfSymbol& symbol) {
    return symbol.defined && symbol.weak && symbol.name.starts_with("nvtxGlobals");
  });
  for (const ElfSymbol& symbol : symbols) {
    if (has_nvtx && !symbol.defined && (symbol.name == "dlopen" || symbol.name == "dlsym")) continue;
    if (symbol.defined && symbol.weak) continue;  // an instance of somebody's template
    if (symbol.defined) {
      if (symbol.name == "main")
        return refusal(
            "name.taken", "Your file defines main; the check brings its own.",
            "With yours the program would start there, and the check would never call your function.",
            "What does your main try out that the check does not? Without it the file is complete.");
      const std::string owner = owner_of(symbol);
      if (owner.empty()) continue;
      return refusal("name.taken",
                     fmt::format("The file defines {}, a name of {}.", trace::demangled(symbol.name), owner),
                     "Everything that calls it, the check too, would get this one.",
                     "By which other name can your function go, or should it be static?");
    }
    if (reaches_out(symbol.name))
      return refusal(
          "name.refused", fmt::format("The file uses {}.", trace::demangled(symbol.name)),
          "An exercise is solved with CUDA and C++ alone. Functions that reach other processes, other "
          "files or the libraries by name are refused.",
          "What is it needed for?");
  }
  return std::nullopt;
}

}  // namespace workbook::grader
