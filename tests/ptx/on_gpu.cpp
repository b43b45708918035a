// Runs the .ptx files of this folder on a GPU: the same text that the simulated device reads goes to the
// driver's own compiler, and what comes out is compared with the same `//!` lines (case.h).
//
//   ptx_on_gpu FOLDER [--jobs 8] [--seconds 10] [NAME ...]     files whose path contains one of the names
//
// On stdout one line a file as it is done, separated by tabs: file, status, digest (case.h), detail. The
// status is one of
//   passed     it did what the file says
//   failed     it did not; the detail says what came instead
//   simulated  what the file expects exists on the simulated device only (a race or an overrun that is
//   reported,
//              a counter, an opcode that is refused); the detail says what the GPU did where it was run
//   not run    the driver or the GPU could not be asked
// Several processes share the files; one in which an error stuck to the GPU's context ends, and another goes
// on.
//
// It needs no header of the toolkit: the few functions of the driver are declared here and taken from
// libcuda.so.1.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "case.h"

using namespace workbook::ptx_tests;

namespace {

using Status = int;  // CUresult

struct Driver {
  Status (*init)(unsigned);
  Status (*version)(int*);
  Status (*device_get)(int*, int);
  Status (*device_name)(char*, int, int);
  Status (*retain)(void**, int);
  Status (*set_current)(void*);
  Status (*load)(void**, const void*, unsigned, int*, void**);
  Status (*unload)(void*);
  Status (*get_function)(void**, void*, const char*);
  Status (*set_attribute)(void*, int, int);
  Status (*allocate)(std::uint64_t*, std::size_t);
  Status (*release)(std::uint64_t);
  Status (*to_device)(std::uint64_t, const void*, std::size_t);
  Status (*to_host)(void*, std::uint64_t, std::size_t);
  Status (*fill)(std::uint64_t, unsigned char, std::size_t);
  Status (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                   void**);
  Status (*launch_cooperative)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                               void*, void**);
  Status (*synchronize)();
  Status (*error_name)(Status, const char**);
};

constexpr int jit_error_log = 5, jit_error_log_bytes = 6;
constexpr int max_dynamic_shared = 8;                    // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
void* const launch_buffer = reinterpret_cast<void*>(1);  // CU_LAUNCH_PARAM_BUFFER_POINTER
void* const launch_buffer_size = reinterpret_cast<void*>(2);
constexpr unsigned char never_written = 0xa5;

template <typename F>
void take(void* library, const char* name, F& f) {
  f = reinterpret_cast<F>(dlsym(library, name));
  if (f == nullptr) throw std::runtime_error(std::string("libcuda.so.1 has no ") + name);
}

Driver open_driver() {
  void* const so = dlopen("libcuda.so.1", RTLD_NOW);
  if (so == nullptr) throw std::runtime_error("no NVIDIA driver here (libcuda.so.1 was not found)");
  Driver d;
  take(so, "cuInit", d.init);
  take(so, "cuDriverGetVersion", d.version);
  take(so, "cuDeviceGet", d.device_get);
  take(so, "cuDeviceGetName", d.device_name);
  take(so, "cuDevicePrimaryCtxRetain", d.retain);
  take(so, "cuCtxSetCurrent", d.set_current);
  take(so, "cuModuleLoadDataEx", d.load);
  take(so, "cuModuleUnload", d.unload);
  take(so, "cuModuleGetFunction", d.get_function);
  take(so, "cuFuncSetAttribute", d.set_attribute);
  take(so, "cuMemAlloc_v2", d.allocate);
  take(so, "cuMemFree_v2", d.release);
  take(so, "cuMemcpyHtoD_v2", d.to_device);
  take(so, "cuMemcpyDtoH_v2", d.to_host);
  take(so, "cuMemsetD8_v2", d.fill);
  take(so, "cuLaunchKernel", d.launch);
  take(so, "cuLaunchCooperativeKernel", d.launch_cooperative);
  take(so, "cuCtxSynchronize", d.synchronize);
  take(so, "cuGetErrorName", d.error_name);
  return d;
}

// What became of a file.
struct Verdict {
  std::string status, detail;
};

class OneCase {
 public:
  OneCase(const Driver& d, Case c, bool& spoilt) : d_(d), c_(std::move(c)), spoilt_(spoilt) {}
  OneCase(const OneCase&) = delete;
  OneCase& operator=(const OneCase&) = delete;
  ~OneCase() {
    for (const Buffer& b : c_.buffers)
      if (b.address != 0 && !spoilt_) d_.release(b.address);
    if (module_ != nullptr && !spoilt_) d_.unload(module_);
  }

  Verdict run() {
    if (const std::string why = load(); !why.empty()) return {"failed", why};
    if (!c_.unsupported.empty()) return {"simulated", "the driver's compiler takes it; it was not launched"};
    place_buffers();
    Status s = launch();
    if (s == 0) s = d_.synchronize();
    spoilt_ = s != 0;
    if (c_.on_gpu == OnGpu::error) return error_expected(s);
    return s == 0 ? compare() : Verdict{"failed", "the GPU: " + name(s)};
  }

 private:
  std::string name(Status s) const {
    const char* text = nullptr;
    d_.error_name(s, &text);
    return text != nullptr ? text : "error " + std::to_string(s);
  }

  void must(Status s, const char* what) const {
    if (s != 0) throw std::runtime_error(std::string(what) + ": " + name(s));
  }

  std::string load() {
    char log[4096] = "";
    int options[] = {jit_error_log, jit_error_log_bytes};
    void* values[] = {log, reinterpret_cast<void*>(std::uintptr_t{sizeof log})};
    const Status s = d_.load(&module_, c_.text.c_str(), 2, options, values);
    if (s != 0) return "cuModuleLoadDataEx: " + name(s) + ": " + log;
    must(d_.get_function(&function_, module_, c_.kernel.c_str()), "cuModuleGetFunction");
    if (c_.shared > 48 * 1024)
      must(d_.set_attribute(function_, max_dynamic_shared, static_cast<int>(c_.shared)),
           "cuFuncSetAttribute");
    return {};
  }

  void place_buffers() {
    for (Buffer& b : c_.buffers) {
      must(d_.allocate(&b.address, std::max<std::size_t>(b.bytes(), 1)), "cuMemAlloc");
      must(d_.fill(b.address, never_written, b.bytes()), "cuMemsetD8");
      std::vector<std::byte> bytes(b.bytes());
      for (std::size_t k = 0; k < b.values.size(); ++k)
        std::memcpy(bytes.data() + k * b.element_bytes(), &b.values[k], b.element_bytes());
      if (b.initialised) must(d_.to_device(b.address, bytes.data(), bytes.size()), "cuMemcpyHtoD");
    }
  }

  // The parameters go as one block of bytes, so that a file may fill a structure piece by piece; only a
  // cooperative launch wants a pointer to each.
  Status launch() {
    const auto [gx, gy, gz] = c_.grid;
    const auto [bx, by, bz] = c_.block;
    if (c_.cooperative) {
      std::vector<std::uint64_t> values;
      for (const Parameter& p : c_.parameters)
        values.push_back(p.is_buffer ? c_.buffers[p.value].address : p.value);
      std::vector<void*> pointers;
      for (std::uint64_t& v : values) pointers.push_back(&v);
      return d_.launch_cooperative(function_, gx, gy, gz, bx, by, bz, c_.shared, nullptr, pointers.data());
    }
    std::vector<std::byte> block = c_.parameter_block();
    std::size_t size = block.size();
    void* extra[] = {launch_buffer, block.data(), launch_buffer_size, &size, nullptr};
    return d_.launch(function_, gx, gy, gz, bx, by, bz, c_.shared, nullptr, nullptr, extra);
  }

  Verdict error_expected(Status s) const {
    return {s == 0 ? "failed" : "passed",
            "the GPU: " + (s == 0 ? "no error, and one was expected" : name(s))};
  }

  Verdict compare() {
    std::string wrong;
    bool compared = !c_.prints.empty();
    for (std::size_t k = 0; k < c_.buffers.size(); ++k) {
      const Buffer& b = c_.buffers[k];
      std::vector<std::byte> got(b.bytes());
      must(d_.to_host(got.data(), b.address, got.size()), "cuMemcpyDtoH");
      compared |= !b.expected.empty();
      if (const std::string d = b.difference(got); !d.empty())
        wrong += "buffer " + std::to_string(k) + ": " + d + "; ";
    }
    if (!wrong.empty()) return {"failed", wrong};
    if (!compared) return {"simulated", "the GPU ran it; counters belong to the simulated device"};
    return {"passed", c_.counters.empty() ? "" : "but for the counters: simulated only"};
  }

  const Driver& d_;
  Case c_;
  bool& spoilt_;
  void *module_ = nullptr, *function_ = nullptr;
};

Driver start_driver(int& device) {
  Driver d = open_driver();
  if (const Status s = d.init(0); s != 0)
    throw std::runtime_error("cuInit gave " + std::to_string(s) + ": no GPU that can be used");
  if (d.device_get(&device, 0) != 0) throw std::runtime_error("no GPU here");
  return d;
}

// The GPU of one process. An error that a kernel made sticks to it: then the process has to end.
struct Gpu {
  std::optional<Driver> driver;
  bool spoilt = false;

  // Empty, or why there is none.
  std::string start() {
    if (driver) return {};
    int device = 0;
    void* context = nullptr;
    driver = start_driver(device);
    const bool ready = driver->retain(&context, device) == 0 && driver->set_current(context) == 0;
    return ready ? "" : "no context on the GPU";
  }
};

Verdict ask_gpu(const std::filesystem::path& path, Gpu& gpu) {
  try {
    Case c = read_case(path);
    if (c.on_gpu == OnGpu::skip) return {"simulated", c.why_not_on_gpu};
    if (!c.fault.empty() && c.on_gpu != OnGpu::error)
      return {"simulated", "the fault " + c.fault + " is reported by the simulated device only"};
    if (const std::string why = gpu.start(); !why.empty()) return {"not run", why};
    return OneCase(*gpu.driver, std::move(c), gpu.spoilt).run();
  } catch (const std::exception& e) {
    gpu.spoilt = true;
    return {"failed", e.what()};
  }
}

std::string contents(std::FILE* file, off_t from = 0) {
  std::string text;
  char part[4096];
  for (ssize_t n; (n = pread(fileno(file), part, sizeof part, from)) > 0; from += n)
    text.append(part, static_cast<std::size_t>(n));
  return text;
}

std::string on_one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
  while (!text.empty() && (text.back() == ' ' || text.back() == ';')) text.pop_back();
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// What device printf gave: the order of the warps' lines is open.
void check_printed(const std::filesystem::path& path, const std::string& got, Verdict& v) {
  if (v.status != "passed") return;
  std::vector<std::string> wanted = lines_of(read_case(path).prints), lines = lines_of(got);
  std::sort(wanted.begin(), wanted.end());
  std::sort(lines.begin(), lines.end());
  if (wanted != lines) v = {"failed", "printed: " + got};
}

using Paths = std::vector<std::filesystem::path>;

// A process and the files that it was given. What it finds it writes to `verdicts`, a line each.
struct Child {
  Paths paths;
  std::FILE *verdicts, *printed, *errors;
};

[[noreturn]] void work(const Child& c, unsigned seconds) {
  dup2(fileno(c.printed), 1);
  dup2(fileno(c.errors), 2);
  Gpu gpu;
  for (const auto& path : c.paths) {
    alarm(seconds);  // its default action ends the process, whatever the driver is waiting for
    const off_t printed = lseek(1, 0, SEEK_CUR), errors = lseek(2, 0, SEEK_CUR);
    Verdict v = ask_gpu(path, gpu);
    std::fflush(stdout);
    check_printed(path, contents(c.printed, printed), v);
    if (v.status == "failed") v.detail.append(" ").append(contents(c.errors, errors), 0, 300);
    std::fprintf(c.verdicts, "%s\t%s\n", v.status.c_str(), on_one_line(v.detail).c_str());
    std::fflush(c.verdicts);
    if (gpu.spoilt) break;
  }
  _exit(0);
}

// Shares the files among processes, some at a time: a context on a GPU takes seconds to make, and a file some
// milliseconds. When a process ends before its last file, because an error stuck to its context or because
// it hung, another one takes the rest.
class Runner {
 public:
  Runner(std::filesystem::path root, unsigned seconds) : root_(std::move(root)), seconds_(seconds) {}

  void run(const Paths& files, std::size_t jobs) {
    const std::size_t share = (files.size() + 2 * jobs - 1) / (2 * jobs);
    for (std::size_t k = 0; k < files.size(); k += share)
      waiting_.emplace_back(files.begin() + static_cast<std::ptrdiff_t>(k),
                            files.begin() + static_cast<std::ptrdiff_t>(std::min(k + share, files.size())));
    while (!waiting_.empty() || !children_.empty()) {
      if (waiting_.empty() || children_.size() == jobs) {
        collect();
      } else {
        start(waiting_.front());
        waiting_.pop_front();
      }
    }
  }

  int finish() const {
    const auto count = [&](const char* status) { return counts_.contains(status) ? counts_.at(status) : 0; };
    std::fprintf(stderr, "%d passed, %d failed, %d seen on the simulated device only, %d not run\n",
                 count("passed"), count("failed"), count("simulated"), count("not run"));
    return count("failed") + count("not run") == 0 && count("passed") > 0 ? 0 : 1;
  }

 private:
  void start(const Paths& paths) {
    const Child c{paths, std::tmpfile(), std::tmpfile(), std::tmpfile()};
    if (c.verdicts == nullptr || c.printed == nullptr || c.errors == nullptr)
      throw std::runtime_error("no temporary file could be made");
    std::fflush(stdout);
    const pid_t pid = fork();
    if (pid < 0) throw std::runtime_error("no further process could be started");
    if (pid == 0) work(c, seconds_);
    children_.emplace(pid, c);
  }

  void collect() {
    int state = 0;
    const auto it = children_.find(waitpid(-1, &state, 0));
    if (it == children_.end()) throw std::runtime_error("a process was lost");
    const Child c = it->second;
    children_.erase(it);
    std::size_t done = 0;
    for (const std::string& line : lines_of(contents(c.verdicts)))
      tell(c.paths[done++], line.substr(0, line.find('\t')), line.substr(line.find('\t') + 1));
    if (done < c.paths.size() && (WIFSIGNALED(state) || done == 0))
      tell(c.paths[done++], "failed",
           WIFSIGNALED(state) && WTERMSIG(state) == SIGALRM
               ? "not done after " + std::to_string(seconds_) + " s"
               : "its process ended: " + on_one_line(contents(c.errors).substr(0, 300)));
    if (done < c.paths.size())
      waiting_.emplace_front(c.paths.begin() + static_cast<std::ptrdiff_t>(done), c.paths.end());
    for (std::FILE* f : {c.verdicts, c.printed, c.errors}) std::fclose(f);
  }

  // At once: what is known so far survives if somebody ends the run.
  void tell(const std::filesystem::path& path, const std::string& status, const std::string& detail) {
    ++counts_[status];
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    std::printf("%s\t%s\t%s\t%s\n", path.lexically_relative(root_).c_str(), status.c_str(),
                digest_of(text.str()).c_str(), detail.c_str());
    std::fflush(stdout);
  }

  std::filesystem::path root_;
  unsigned seconds_;
  std::deque<Paths> waiting_;
  std::map<pid_t, Child> children_;
  std::map<std::string, int> counts_;
};

// Says on stderr which GPU it is; in a process of its own, since a forked one may not use its parent's
// driver.
bool introduce() {
  const pid_t pid = fork();
  if (pid == 0) {
    try {
      int device = 0, version = 0;
      const Driver d = start_driver(device);
      char name[128] = "";
      d.device_name(name, sizeof name, device);
      d.version(&version);
      std::fprintf(stderr, "%s, driver for CUDA %d.%d\n", name, version / 1000, version % 1000 / 10);
      _exit(0);
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s\n", e.what());
      _exit(3);
    }
  }
  int state = 0;
  return pid > 0 && waitpid(pid, &state, 0) == pid && WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

bool chosen(const std::string& path, const std::vector<std::string>& names) {
  for (const std::string& n : names)
    if (path.find(n) != std::string::npos) return true;
  return names.empty();
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t jobs = 8;
  unsigned seconds = 10;
  std::filesystem::path folder;
  std::vector<std::string> names;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if ((word == "--jobs" || word == "--seconds") && k + 1 < argc)
      (word == "--jobs" ? jobs = std::strtoul(argv[++k], nullptr, 10)
                        : seconds = static_cast<unsigned>(std::strtoul(argv[++k], nullptr, 10)));
    else if (folder.empty())
      folder = word;
    else
      names.push_back(word);
  }
  if (jobs == 0 || seconds == 0 || !std::filesystem::is_directory(folder)) {
    std::fprintf(stderr, "ptx_on_gpu FOLDER [--jobs 8] [--seconds 10] [NAME ...]\n");
    return 2;
  }
  if (!introduce()) return 3;
  try {
    Paths files;
    for (const auto& path : find_cases(folder))
      if (chosen(path.string(), names)) files.push_back(path);
    Runner runner(folder, seconds);
    runner.run(files, jobs);
    return runner.finish();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 3;
  }
}
