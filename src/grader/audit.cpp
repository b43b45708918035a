#include "grader/audit.h"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "grader/elf.h"
#include "grader/process.h"
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
    "mmap",
    "mmap64",
    "mremap",
    "mprotect",
    "pkey_mprotect",
    "fdopen",
    "dprintf",
    "vdprintf",
    "dup",
    "fcntl",
    "fcntl64",
    "close",
    "closefrom",
    "close_range",
    "shutdown",
    "socketpair",
    "setrlimit",
    "setrlimit64",
    "prlimit",
    "prlimit64",
    "sigqueue",
    "pthread_sigqueue",
    "dl_iterate_phdr",
    "dladdr",
    "dladdr1",
    "dlinfo",
    "unshare",
    "setns",
    "mount",
    "iopl",
    "ioperm",
};

bool starts_with_upper(std::string_view name, std::string_view prefix) {
  return name.starts_with(prefix) && name.size() > prefix.size() &&
         std::isupper(static_cast<unsigned char>(name[prefix.size()])) != 0;
}

// A function, or the type of an exception: who throws one of the workbook's own is taken for it.
bool is_of_workbook(std::string_view name) {
  for (const char* start :
       {"_ZN8workbook", "_ZNK8workbook", "_ZTIN8workbook", "_ZTSN8workbook", "_ZTVN8workbook"}) {
    if (name.starts_with(start)) return true;
  }
  return false;
}

// What include/workbook/loader.h hands to the learner: his object holds its instances and inline
// functions.
bool is_given(std::string_view name) {
  const std::string_view rest = name.substr(name.find("8workbook") + std::string_view("8workbook").size());
  return rest.starts_with("12BoundedQueueI") || rest.starts_with("15QueueStatistics") ||
         rest.starts_with("4Feed") || rest.starts_with("9host_copyE");
}

// Whose name it is, when it is not the learner's to define; empty when it is.
std::string owner_of(const ElfSymbol& symbol) {
  const std::string_view name = symbol.name;
  if (starts_with_upper(name, "cuda") || starts_with_upper(name, "__cuda") || starts_with_upper(name, "cu"))
    return "the CUDA runtime";
  const bool of_workbook = is_of_workbook(name);
  if (of_workbook && symbol.weak && is_given(name)) return {};
  if (name.starts_with("__wrap_") || name.starts_with("__real_") || starts_with_upper(name, "wb") ||
      of_workbook)
    return "the workbook";
  if (name.starts_with("_ZNSt6chrono") && name.ends_with("3nowEv")) return "the C++ library";
  // operator new, new[], delete and delete[] may be replaced, by the language's own rules.
  for (const char* start : {"_Znw", "_Zna", "_Zdl", "_Zda"}) {
    if (name.starts_with(start)) return {};
  }
  // A name that a library has too. An instance of a template is weak, and anybody may have his own.
  const bool cpp = name.starts_with("_Z");
  if (symbol.is_function && !(cpp && symbol.weak) && dlsym(RTLD_DEFAULT, symbol.name.c_str()) != nullptr)
    return cpp ? "the C++ library" : "the C library";
  return {};
}

// Drivers, the clock and whatever else the runner and the simulated device are made of: who calls them can
// answer, or tell the time, in their place. What an exercise gives comes in headers, save is_given's.
bool is_insides_of_workbook(std::string_view name) {
  return (is_of_workbook(name) && !is_given(name)) || starts_with_upper(name, "wb") ||
         name.starts_with("__wrap_") || name.starts_with("__real_");
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

// The instructions that call the system: syscall, sysenter, int 0x80.
constexpr std::string_view system_calls[] = {"\x0f\x05", "\x0f\x34", "\xcd\x80"};

// The same bytes may be part of a number inside another instruction: objdump tells.
bool calls_the_system(const fs::path& object) {
  Command command;
  command.arguments = {"objdump", "-d", "--no-show-raw-insn", object.string()};
  command.seconds = 20;
  command.output_limit = std::size_t{64} << 20;
  const Ended ended = run(command);
  for (const std::string& line : split_lines(ended.output)) {
    const std::size_t tab = line.find('\t');
    const std::string_view words = tab == std::string::npos ? "" : std::string_view(line).substr(tab + 1);
    if (words.starts_with("syscall") || words.starts_with("sysenter") || words.starts_with("int    $0x80"))
      return true;
  }
  return false;
}

std::optional<trace::Failure> refused_code(const fs::path& object) {
  for (const ElfSection& section : sections_of(object)) {
    if (section.name.starts_with(".init_array.") || section.name.starts_with(".preinit_array") ||
        section.name.starts_with(".ctors"))
      return refusal("constructor.refused", "The file has a constructor with a priority of its own.",
                     "It would run before the workbook's own preparations.",
                     "What has to be done before everything else?");
    if (section.executable && (section.writable || section.name == ".note.GNU-stack"))
      return refusal("code.refused", fmt::format("The file has code that can be written ({}).", section.name),
                     "Data that is run as code has no use in an exercise.", "What is it needed for?");
    const auto has = [&](std::string_view bytes) { return section.bytes.find(bytes) != std::string::npos; };
    if (section.executable && std::any_of(std::begin(system_calls), std::end(system_calls), has) &&
        calls_the_system(object))
      return refusal("system_call.refused", "The file calls the system by itself, in assembler.",
                     "An exercise is solved with CUDA and C++ alone.", "What is it needed for?");
  }
  return std::nullopt;
}

}  // namespace

std::optional<trace::Failure> refused_names(const fs::path& object) {
  if (auto failure = refused_code(object)) return failure;
  const auto symbols = global_symbols(object);
  // The headers of NVTX look for the tool that listens; that is theirs to do.
  const bool has_nvtx = std::any_of(symbols.begin(), symbols.end(), [](const ElfSymbol& symbol) {
    return symbol.defined && symbol.weak && symbol.name.starts_with("nvtxGlobals");
  });
  for (const ElfSymbol& symbol : symbols) {
    if (has_nvtx && !symbol.defined && (symbol.name == "dlopen" || symbol.name == "dlsym")) continue;
    if (symbol.is_chosen_at_start)
      return refusal(
          "constructor.refused",
          fmt::format("The function {} is chosen when the program starts.", trace::demangled(symbol.name)),
          "The code that chooses would run before the workbook's own preparations.",
          "What is it needed for?");
    if (symbol.defined && symbol.name.starts_with("nvtx")) continue;  // NVTX's headers define their own
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
    if (is_insides_of_workbook(symbol.name))
      return refusal("name.refused",
                     fmt::format("The file uses {}, a part of the check.", trace::demangled(symbol.name)),
                     "An answer is called by the check, and knows nothing of it.", "What is it needed for?");
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
