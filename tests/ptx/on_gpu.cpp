// Runs the .ptx files of this folder on a GPU: the same text that the simulated device reads goes to the
// driver's own compiler, and what comes out is compared with the same `//!` lines (case.h).
//
//   ptx_on_gpu FOLDER [--jobs 8] [--seconds 10] [NAME ...]     files whose path contains one of the names
//
// On stdout one line a file as it is done, separated by tabs: file, status, detail. The status is one of
//   passed     it did what the file says
//   failed     it did not; the detail says what came instead
//   simulated  what the file expects exists on the simulated device only (a race or an overrun that is
//   reported,
//              a counter, an opcode that is refused); the detail says what the GPU did where it was run
//   not run    the driver or the GPU could not be asked
// Each file has its own process, so that an error that sticks to one ends with it.
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
#include <map>
#include <memory>
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
  Status (*get_function)(void**, void*, const char*);
  Status (*set_attribute)(void*, int, int);
  Status (*allocate)(std::uint64_t*, std::size_t);
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
  take(so, "cuModuleGetFunction", d.get_function);
  take(so, "cuFuncSetAttribute", d.set_attribute);
  take(so, "cuMemAlloc_v2", d.allocate);
  take(so, "cuMemcpyHtoD_v2", d.to_device);
  take(so, "cuMemcpyDtoH_v2", d.to_host);
  take(so, "cuMemsetD8_v2", d.fill);
  take(so, "cuLaunchKernel", d.launch);
  take(so, "cuLaunchCooperativeKernel", d.launch_cooperative);
  take(so, "cuCtxSynchronize", d.synchronize);
  take(so, "cuGetErrorName", d.error_name);
  return d;
}

// What a file's own process found; it prints this and ends.
struct Verdict {
  std::string status, detail;
};

class OneCase {
 public:
  OneCase(const Driver& d, Case c) : d_(d), c_(std::move(c)) {}

  Verdict run() {
    if (const std::string why = load(); !why.empty()) return {"failed", why};
    if (!c_.unsupported.empty()) return {"simulated", "the driver's compiler takes it; it was not launched"};
    place_buffers();
    Status s = launch();
    if (s == 0) s = d_.synchronize();
    std::fflush(stdout);
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
    void* module = nullptr;
    const Status s = d_.load(&module, c_.text.c_str(), 2, options, values);
    if (s != 0) return "cuModuleLoadDataEx: " + name(s) + ": " + log;
    must(d_.get_function(&function_, module, c_.kernel.c_str()), "cuModuleGetFunction");
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
  void* function_ = nullptr;
};

Driver start_driver(int& device) {
  Driver d = open_driver();
  if (const Status s = d.init(0); s != 0)
    throw std::runtime_error("cuInit gave " + std::to_string(s) + ": no GPU that can be used");
  if (d.device_get(&device, 0) != 0) throw std::runtime_error("no GPU here");
  return d;
}

// What runs in a file's own process.
Verdict ask_gpu(const std::filesystem::path& path) {
  try {
    Case c = read_case(path);
    if (c.on_gpu == OnGpu::skip) return {"simulated", c.why_not_on_gpu};
    if (!c.fault.empty() && c.on_gpu != OnGpu::error)
      return {"simulated", "the fault " + c.fault + " is reported by the simulated device only"};
    int device = 0;
    const Driver d = start_driver(device);
    void* context = nullptr;
    if (d.retain(&context, device) != 0 || d.set_current(context) != 0)
      return {"not run", "no context on the GPU"};
    return OneCase(d, std::move(c)).run();
  } catch (const std::exception& e) {
    return {"failed", e.what()};
  }
}

std::string contents(std::FILE* file) {
  std::string text;
  std::rewind(file);
  for (int c; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
  return text;
}

std::string on_one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
  while (!text.empty() && (text.back() == ' ' || text.back() == ';')) text.pop_back();
  return text;
}

struct Child {
  std::filesystem::path path;
  std::FILE *verdict, *printed, *errors;
};

class Runner {
 public:
  Runner(std::filesystem::path root, unsigned seconds) : root_(std::move(root)), seconds_(seconds) {}

  void start(const std::filesystem::path& path) {
    Child c{path, std::tmpfile(), std::tmpfile(), std::tmpfile()};
    if (c.verdict == nullptr || c.printed == nullptr || c.errors == nullptr)
      throw std::runtime_error("no temporary file could be made");
    std::fflush(stdout);
    const pid_t pid = fork();
    if (pid < 0) throw std::runtime_error("no further process could be started");
    if (pid == 0) {
      dup2(fileno(c.printed), 1);
      dup2(fileno(c.errors), 2);
      alarm(seconds_);  // its default action ends the process, whatever the driver is waiting for
      const Verdict v = ask_gpu(path);
      std::fprintf(c.verdict, "%s\t%s", v.status.c_str(), on_one_line(v.detail).c_str());
      std::fflush(nullptr);
      _exit(0);
    }
    children_.emplace(pid, c);
  }

  std::size_t running() const { return children_.size(); }

  void collect() {
    int state = 0;
    const pid_t pid = waitpid(-1, &state, 0);
    const auto it = children_.find(pid);
    if (it == children_.end()) throw std::runtime_error("a process was lost");
    Child c = it->second;
    children_.erase(it);
    const std::string said = contents(c.verdict);
    std::string status = said.substr(0, said.find('\t'));
    std::string detail = said.empty() ? "" : said.substr(said.find('\t') + 1);
    if (WIFSIGNALED(state)) {
      status = "failed";
      detail = WTERMSIG(state) == SIGALRM ? "not done after " + std::to_string(seconds_) + " s"
                                          : "signal " + std::to_string(WTERMSIG(state));
    }
    check_printed(c, status, detail);
    if (status == "failed") detail += " " + on_one_line(contents(c.errors).substr(0, 300));
    for (std::FILE* f : {c.verdict, c.printed, c.errors}) std::fclose(f);
    ++counts_[status];
    // At once: what is known so far survives if somebody ends the run.
    std::printf("%s\t%s\t%s\n", c.path.lexically_relative(root_).c_str(), status.c_str(), detail.c_str());
    std::fflush(stdout);
  }

  int finish() const {
    const auto count = [&](const char* status) { return counts_.contains(status) ? counts_.at(status) : 0; };
    std::fprintf(stderr, "%d passed, %d failed, %d seen on the simulated device only, %d not run\n",
                 count("passed"), count("failed"), count("simulated"), count("not run"));
    return count("failed") + count("not run") == 0 && count("passed") > 0 ? 0 : 1;
  }

 private:
  // What device printf gave arrives with the process's end. The order of the warps' lines is open.
  static void check_printed(const Child& child, std::string& status, std::string& detail) {
    if (status != "passed") return;
    const std::string expected = read_case(child.path).prints, got = contents(child.printed);
    const auto sorted = [](const std::string& text) {
      std::istringstream stream(text);
      std::vector<std::string> lines;
      for (std::string line; std::getline(stream, line);) lines.push_back(line);
      std::sort(lines.begin(), lines.end());
      return lines;
    };
    if (sorted(expected) == sorted(got)) return;
    status = "failed";
    detail = "printed: " + on_one_line(got);
  }

  std::filesystem::path root_;
  unsigned seconds_;
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
    Runner runner(folder, seconds);
    for (const auto& path : find_cases(folder)) {
      if (!chosen(path.string(), names)) continue;
      if (runner.running() == jobs) runner.collect();
      runner.start(path);
    }
    while (runner.running() > 0) runner.collect();
    return runner.finish();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 3;
  }
}
