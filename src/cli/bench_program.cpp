// bench, for whole programs: from the start of the process to its end, in a process of its own each time.
//
// On a GPU that is the host's clock. On the simulated device it is the virtual time of the last thing in the
// program's trace: from its first CUDA call to the end of its last. A program is warm when its files are in
// memory and its kernels in the compute cache; two runs that are thrown away do that. The statistics are
// those of workbook/statistics.h.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "cli/bench.h"
#include "grader/process.h"
#include "trace/reader.h"
#include "workbook/statistics.h"

namespace workbook::cli {

namespace {

using nlohmann::ordered_json;

constexpr int warm_up_runs = 2;
constexpr int fewest = 11, most = 100;

class Program {
 public:
  Program(fs::path path, const BenchOptions& wish, bool simulated)
      : path_(std::move(path)), wish_(wish), simulated_(simulated) {}

  // Microseconds of one run. Throws when it fails: the time of a failure is no use.
  double run_once() {
    grader::Command command;
    command.arguments = {path_.string()};
    command.arguments.insert(command.arguments.end(), wish_.arguments.begin(), wish_.arguments.end());
    command.seconds = 3600;
    const grader::TemporaryFolder folder("bench-run");
    const fs::path trace = folder.path() / "trace.jsonl";
    int fd = -1;
    if (simulated_) {
      fd = ::open(trace.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
      command.environment.emplace_back("WORKBOOK_TRACE_FD", std::to_string(fd));
    }
    const auto ended = grader::run(command);
    if (fd >= 0) ::close(fd);
    if (!ended.ok())
      throw std::runtime_error(fmt::format("{} {}.\n{}", path_.filename().string(), grader::in_words(ended),
                                           ended.output.substr(0, 2000)));
    return simulated_ ? virtual_us(trace) : ended.wall_seconds * 1e6;
  }
  const std::string& device_name() const { return device_name_; }

 private:
  double virtual_us(const fs::path& file) {
    const auto trace = trace::read_trace(file.string());
    device_name_ = trace.header.device_name;
    std::int64_t first = -1, last = 0;
    for (const auto& event : trace.events) {
      if (event.host_begin_ns >= 0 && (first < 0 || event.host_begin_ns < first)) first = event.host_begin_ns;
      last = std::max({last, event.host_end_ns, event.device_end_ns});
    }
    if (first < 0)
      throw std::runtime_error(
          fmt::format("{} made no CUDA call: there is no modelled time in it.", path_.filename().string()));
    return static_cast<double>(last - first) * 1e-3;
  }
  fs::path path_;
  const BenchOptions& wish_;
  bool simulated_;
  std::string device_name_;
};

ordered_json number(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json();
}

int runs_for(double us, bool simulated, const BenchOptions& wish) {
  // Programs take longer than kernels: ten times what the samples of a kernel may take.
  return simulated ? 1 : std::clamp(static_cast<int>(wish.seconds * 10e6 / us), fewest, most);
}

ordered_json one_program(Program& program, const BenchOptions& wish, bool simulated) {
  double us = program.run_once();
  if (!simulated) {
    for (int i = 1; i < warm_up_runs; ++i) us = program.run_once();
  }
  std::vector<double> times;
  const int runs = runs_for(us, simulated, wish);
  if (simulated) times.push_back(us);
  while (static_cast<int>(times.size()) < runs) times.push_back(program.run_once());
  const Interval interval = simulated ? Interval{us, us} : median_interval(times, 0.99);
  return {{"name", "whole program"},
          {"us", median(times)},
          {"low_us", number(interval.low)},
          {"high_us", number(interval.high)},
          {"noise", noise(times)},
          {"samples", times.size()},
          {"runs_per_sample", 1}};
}

ordered_json two_programs(Program& program, Program& against, const BenchOptions& wish, bool simulated) {
  double us = 0;
  for (int i = 0; i < (simulated ? 1 : warm_up_runs); ++i) us = against.run_once() + program.run_once();
  const int pairs = runs_for(us, simulated, wish);
  std::vector<double> a, b;
  for (int pair = 0; pair < pairs; ++pair) {
    if (pair % 2 == 0) a.push_back(against.run_once());
    b.push_back(program.run_once());
    if (pair % 2 == 1) a.push_back(against.run_once());
  }
  PairedRatio ratio = paired_ratio(a, b, 0.99);
  if (simulated) ratio.interval = {ratio.ratio, ratio.ratio};
  const char* verdict = !ratio.differs(0.005) ? "no difference" : ratio.ratio < 1 ? "faster" : "slower";
  return {{"name", "whole program"},
          {"us", median(b)},
          {"against_us", median(a)},
          {"ratio", ratio.ratio},
          {"low", number(ratio.interval.low)},
          {"high", number(ratio.interval.high)},
          {"verdict", verdict},
          {"pairs", ratio.pairs},
          {"runs_per_sample", 1},
          {"noise", noise(b)},
          {"against_noise", noise(a)}};
}

}  // namespace

ordered_json bench_programs(Context&, const grader::CheckOptions& options, const fs::path& program,
                            const fs::path& against, const BenchOptions& wish) {
  const bool simulated = options.device == "simulated";
  if (wish.cold || wish.hot || wish.trials > 1 || !wish.set.empty() || !wish.only.empty())
    throw UsageError(
        "--cold, --hot, --only, --set and --trials are for files with WORKBOOK_BENCH in them; a whole "
        "program brings its "
        "own cache and its own sizes.");
  ordered_json out;
  out["device"] = options.device;
  out["profile"] = simulated ? options.profile : "";
  out["modelled"] = simulated;
  Program first(program, wish, simulated), second(against, wish, simulated);
  const Progress progress("measuring");
  if (against.empty())
    out["benchmarks"] = ordered_json::array({one_program(first, wish, simulated)});
  else
    out["comparisons"] = ordered_json::array({two_programs(first, second, wish, simulated)});
  out["device_name"] = simulated ? first.device_name() : options.device;
  return out;
}

}  // namespace workbook::cli
