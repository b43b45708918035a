#include "classroom/isolation.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "classroom/system_calls.h"
#include "grader/parallel.h"
#include "grader/process.h"

namespace workbook::classroom {

namespace {

constexpr std::uint64_t memory_bytes = std::uint64_t{6} << 30, file_bytes = std::uint64_t{64} << 20;
constexpr std::uint64_t compile_bytes = std::uint64_t{3} << 30;
constexpr double compile_seconds = 60;
constexpr long first_user = 64800;  // of nobody, and outside what Debian and systemd give out

using Texts = std::vector<std::string>;

void add(Texts& to, std::initializer_list<std::string> more) {
  to.insert(to.end(), more);
}

// The folders that hold the system's programs; on most systems links into /usr.
void add_system_folders(Texts& arguments) {
  add(arguments, {"--ro-bind", "/usr", "/usr"});
  for (const char* name : {"/bin", "/sbin", "/lib", "/lib32", "/lib64"}) {
    std::error_code error;
    if (fs::is_symlink(name, error))
      add(arguments, {"--symlink", fs::read_symlink(name, error).string(), name});
    else if (fs::exists(name, error))
      add(arguments, {"--ro-bind", name, name});
  }
  for (const char* name : {"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives"})
    add(arguments, {"--ro-bind-try", name, name});
}

void add_gpu(Texts& arguments) {
  std::error_code error;
  Texts nodes{"/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidia-caps",
              "/dev/nvidia-modeset"};
  for (const auto& entry : fs::directory_iterator("/dev", error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("nvidia") && name.size() > 6 &&
        std::isdigit(static_cast<unsigned char>(name[6])) != 0)
      nodes.push_back(entry.path().string());
  }
  for (const auto& node : nodes) add(arguments, {"--dev-bind-try", node, node});
  add(arguments, {"--ro-bind", "/sys", "/sys"});
  // The driver's library may lie where only this variable says.
  const char* variable = std::getenv("LD_LIBRARY_PATH");
  std::string folders = variable != nullptr ? variable : "";
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    const std::string folder = folders.substr(0, end);
    if (folder.starts_with('/') && !folder.starts_with("/usr/"))
      add(arguments, {"--ro-bind-try", folder, folder});
    folders.erase(0, end + 1);
  }
}

// Two thirds of what the machine has, at most what an exercise may ever need.
std::uint64_t memory_limit(unsigned slots) {
  const auto all = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                   static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return std::clamp<std::uint64_t>(all / 3 * 2 / std::max(1u, slots), std::uint64_t{1} << 30, memory_bytes);
}

bool is_root() {
  return ::geteuid() == 0;
}

// What tells when a GPU did what, and CUPTI itself, which lies with the runtime or in a folder of its own.
void copy_cupti(const grader::Toolchain& tools, const fs::path& lib) {
  if (tools.cupti_library.empty() || !fs::exists(tools.cupti_library)) return;
  for (const fs::path& folder : {tools.real_cudart_dir, tools.real_cudart_dir / "../extras/CUPTI/lib64"}) {
    if (!fs::exists(folder / "libcupti.so.13")) continue;
    grader::copy_file_whole(fs::canonical(folder / "libcupti.so.13"), lib / "libcupti.so.13");
    grader::copy_file_whole(tools.cupti_library, lib / tools.cupti_library.filename());
    return;
  }
}

}  // namespace

const char* name_of(IsolationKind kind) {
  constexpr const char* names[] = {"bubblewrap", "user", "limits", "none"};
  return names[static_cast<int>(kind)];
}

Isolation::Isolation(const grader::Workspace& space, const IsolationWish& wish) : space_(space), wish_(wish) {
  stage_ = std::make_unique<grader::TemporaryFolder>("grade");
  fs::permissions(stage_->path(), fs::perms{0755});
  if (wish.kind != "none") {
    filter_ = stage_->path() / "system-calls.bpf";
    write_system_call_filter(filter_, wish.device == "gpu");
  }
  const fs::path lib = stage_->path() / "lib";
  fs::create_directories(lib);
  const fs::path cudart =
      (wish.device == "gpu" ? space.tools.real_cudart_dir : space.tools.simulated_cudart_dir) /
      "libcudart.so.13";
  if (fs::exists(cudart)) grader::copy_file_whole(fs::canonical(cudart), lib / "libcudart.so.13");
  if (!space.tools.nvtx_library.empty() && fs::exists(space.tools.nvtx_library))
    grader::copy_file_whole(space.tools.nvtx_library, lib / space.tools.nvtx_library.filename());
  if (wish.device == "gpu") copy_cupti(space.tools, lib);
  for (const auto& entry : fs::directory_iterator(lib)) fs::permissions(entry.path(), fs::perms{0755});
  settle(wish.kind);
  for (unsigned slot = 0; slot < wish.slots; ++slot) prepare_slot(slot);
}

Isolation::~Isolation() = default;

void Isolation::settle(const std::string& wish) {
  if (wish != "auto" && wish != "bubblewrap" && wish != "user" && wish != "limits" && wish != "none")
    throw std::runtime_error(
        fmt::format("--isolation takes auto, bubblewrap, user, limits or none; '{}' is none of them.", wish));
  if (wish == "auto" || wish == "bubblewrap") {
    bwrap_ = grader::find_program("bwrap");
    const std::string trouble = bwrap_.empty() ? "bubblewrap is not installed (apt-get install bubblewrap)"
                                               : trouble_with_bubblewrap();
    if (trouble.empty()) {
      kind_ = IsolationKind::bubblewrap;
      return;
    }
    if (wish == "bubblewrap") throw std::runtime_error("bubblewrap cannot be used here: " + trouble);
    why_ = trouble;
  }
  if (wish == "user" && !is_root())
    throw std::runtime_error("--isolation user needs root: only root may change the user.");
  if (wish == "user" || (wish == "auto" && is_root())) {
    kind_ = IsolationKind::user;
  } else {
    kind_ = wish == "none" ? IsolationKind::none : IsolationKind::limits;
  }
}

// A program of ours, confined as a runner is, must come to its end.
std::string Isolation::trouble_with_bubblewrap() const {
  grader::Command command;
  command.arguments = common_arguments();
  command.arguments.insert(command.arguments.end(), {"--", "/usr/bin/env", "true"});
  if (is_root()) {
    // As the user that will run it: root may do what others may not.
    const std::string user = std::to_string(user_of(0));
    command.arguments.insert(command.arguments.begin(),
                             {"setpriv", "--reuid", user, "--regid", user, "--clear-groups"});
  }
  command.seconds = 20;
  const grader::Ended ended = grader::run(command);
  if (ended.ok()) return {};
  const std::string said = grader::trimmed(ended.output);
  return said.empty() ? grader::in_words(ended) : grader::split_lines(said).front();
}

std::vector<std::string> Isolation::common_arguments() const {
  Texts arguments{bwrap_.string(), "--unshare-all", "--die-with-parent", "--new-session",
                  "--hostname",    "workbook",      "--cap-drop",        "ALL"};
  add_system_folders(arguments);
  add(arguments, {"--proc", "/proc", "--dev", "/dev", "--size", "16777216", "--tmpfs", "/dev/shm", "--size",
                  std::to_string(file_bytes), "--tmpfs", "/tmp"});
  if (fs::exists(space_.root / ".deps"))
    add(arguments, {"--ro-bind", (space_.root / ".deps").string(), (space_.root / ".deps").string()});
  return arguments;
}

// nvcc sees the system, its toolkit and what an exercise may include; source and object are added by who
// calls it.
std::vector<std::string> Isolation::compiler_arguments() const {
  Texts arguments = common_arguments();
  std::error_code error;
  const fs::path nvcc = fs::canonical(grader::find_program(space_.tools.nvcc), error);
  const fs::path toolkit = nvcc.parent_path().parent_path();
  if (!error && !toolkit.string().starts_with("/usr/"))
    add(arguments, {"--ro-bind", toolkit.string(), toolkit.string()});
  if (const fs::path named = space_.tools.nvcc;
      named.is_absolute() && named != nvcc && !named.string().starts_with("/usr/"))
    add(arguments, {"--ro-bind-try", named.parent_path().string(), named.parent_path().string()});
  if (!space_.tools.cuda_include.empty() && !space_.tools.cuda_include.string().starts_with("/usr/"))
    add(arguments, {"--ro-bind-try", space_.tools.cuda_include.string(), space_.tools.cuda_include.string()});
  add(arguments, {"--clearenv", "--setenv", "HOME", "/tmp", "--setenv", "PATH"});
  const char* path = std::getenv("PATH");
  arguments.push_back(path != nullptr ? path : "/usr/bin:/bin");
  return arguments;
}

std::vector<std::string> Isolation::runner_arguments(unsigned slot) const {
  Texts arguments = common_arguments();
  if (wish_.device == "gpu") add_gpu(arguments);
  for (const fs::path& folder : {stage_->path() / "lib", slot_folder(slot)})
    add(arguments, {"--ro-bind", folder.string(), folder.string()});
  add(arguments, {"--chdir", "/tmp", "--remount-ro", "/dev", "--remount-ro", "/"});
  if (!filter_.empty()) add(arguments, {"--seccomp", "5"});  // the judge opens it there
  arguments.push_back("--");
  return arguments;
}

fs::path Isolation::slot_folder(unsigned slot) const {
  return stage_->path() / fmt::format("slot-{}", slot);
}

long Isolation::user_of(unsigned slot) const {
  return first_user + static_cast<long>(slot);
}

void Isolation::prepare_slot(unsigned slot) const {
  fs::create_directories(slot_folder(slot));
  fs::permissions(slot_folder(slot), fs::perms{0755});
  nlohmann::json conditions{{"hidden_sizes", wish_.hidden_sizes},
                            {"secret_seed", wish_.secret_seed},
                            {"go_on_when_slow", true},
                            {"run_seconds", wish_.run_seconds},
                            {"file_bytes", file_bytes},
                            {"memory_bytes", memory_limit(wish_.slots)}};
  if (!filter_.empty()) conditions["seccomp"] = filter_.string();
  if (kind_ == IsolationKind::bubblewrap) conditions["launcher"] = runner_arguments(slot);
  if (is_root() && (kind_ == IsolationKind::bubblewrap || kind_ == IsolationKind::user)) {
    conditions["uid"] = conditions["gid"] = user_of(slot);
    conditions["processes"] = 256 + 8 * grader::cores();
  }
  grader::write_file(stage_->path() / fmt::format("conditions-{}.json", slot), conditions.dump(1) + "\n");
}

grader::Confinement Isolation::confinement(unsigned slot) const {
  grader::Confinement out;
  if (kind_ == IsolationKind::bubblewrap) out.compiler = compiler_arguments();
  out.conditions = stage_->path() / fmt::format("conditions-{}.json", slot);
  out.stage = slot_folder(slot);
  out.cudart_dir = stage_->path() / "lib";
  if (!space_.tools.nvtx_library.empty())
    out.nvtx_library = stage_->path() / "lib" / space_.tools.nvtx_library.filename();
  if (const auto cupti = stage_->path() / "lib" / space_.tools.cupti_library.filename();
      !space_.tools.cupti_library.empty() && fs::exists(cupti))
    out.cupti_library = cupti;
  out.compile_seconds = compile_seconds;
  out.compile_bytes = compile_bytes;
  // Several checks at a time: each stays on one core. Results do not depend on it.
  if (wish_.slots > 1) out.environment.emplace_back("WORKBOOK_SIM_THREADS", "1");
  return out;
}

}  // namespace workbook::classroom
