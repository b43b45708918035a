// workbook-bench: loads one file of benchmarks or two, measures them, and writes what it found as JSON.
//
//   workbook-bench --out FILE [--cold] [--hot] [--seconds S] [--only NAME] [--set NAME=VALUE]
//                         [--trials N] LIBRARY [LIBRARY]
//
// `workbook bench` builds the libraries, starts this beside the runtime that stands for the device, and shows
// the result. The JSON is that of docs/cli-json.md, without what the command adds.
#include <cuda_runtime_api.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>

#include "bench/cases.h"

namespace workbook::bench {

namespace {

using nlohmann::ordered_json;

struct Wish {
  std::string out;
  std::vector<std::string> libraries;
  bool cold = false, hot = false;
  double seconds = 0.5;
  std::string only;
  Values values;
  int trials = 1;
};

Wish read_wish(int argc, char** argv) {
  Wish wish;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 >= argc) throw std::runtime_error(word + " needs a value");
      return argv[++i];
    };
    if (word == "--out") {
      wish.out = value();
    } else if (word == "--cold") {
      wish.cold = true;
    } else if (word == "--hot") {
      wish.hot = true;
    } else if (word == "--seconds") {
      wish.seconds = std::atof(value().c_str());
    } else if (word == "--only") {
      wish.only = value();
    } else if (word == "--trials") {
      wish.trials = std::atoi(value().c_str());
    } else if (word == "--set") {
      const std::string pair = value();
      const auto equals = pair.find('=');
      wish.values[pair.substr(0, equals)] = std::atoll(pair.c_str() + equals + 1);
    } else {
      wish.libraries.push_back(word);
    }
  }
  return wish;
}

ordered_json words_of(const std::vector<std::pair<std::string, long long>>& parameters) {
  ordered_json out = ordered_json::object();
  for (const auto& [name, value] : parameters) out[name] = value;
  return out;
}

const char* word(Cache cache) {
  return cache == Cache::cold ? "cold" : "hot";
}

// JSON has no infinity: an end that is not known is null.
ordered_json number(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json();
}

// Device memory that nobody uses, up to 16 MiB of it.
class Padding {
 public:
  explicit Padding(std::minstd_rand& lot) {
    if (simulated() == nullptr) cudaMalloc(&data_, (std::size_t{1} + lot() % 256) << 16);
    cudaGetLastError();
  }
  ~Padding() { cudaFree(data_); }
  Padding(const Padding&) = delete;
  Padding& operator=(const Padding&) = delete;

 private:
  void* data_ = nullptr;
};

class Session {
 public:
  explicit Session(const Wish& wish) : wish_(wish), sampler_(watcher_) {
    out_["device"] = simulated() != nullptr ? "simulated" : "gpu";
    cudaDeviceProp properties{};
    need(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    out_["device_name"] = properties.name;
    out_["profile"] = simulated() != nullptr ? simulated()->name() : "";
    out_["modelled"] = simulated() != nullptr;
    roof_ = measure_roof();
    out_["roof"] = {{"gigabytes_per_second", roof_.bytes_per_us * 1e-3},
                    {"gigaflops", roof_.flops_per_us * 1e-3}};
    if (wish.cold || !wish.hot) caches_.push_back(Cache::cold);
    if (wish.hot) caches_.push_back(Cache::hot);
  }

  void run() {
    const File first(wish_.libraries.at(0));
    if (wish_.libraries.size() > 1) {
      const File second(wish_.libraries[1]);
      compare_files(first, second);
    } else {
      measure_file(first);
    }
    out_["machine"] = {{"clocks_seen", watcher_.sees()},
                       {"lowest_mhz", watcher_.lowest_mhz()},
                       {"highest_mhz", watcher_.highest_mhz()},
                       {"most_mhz", watcher_.most_mhz()},
                       {"throttled", watcher_.throttled()},
                       {"other_processes", watcher_.other_processes()},
                       {"driver", watcher_.driver()}};
  }
  const ordered_json& result() const { return out_; }

 private:
  bool wanted(const BenchEntry& entry) const { return wish_.only.empty() || wish_.only == entry.name; }

  // Goes through all combinations of one benchmark; what goes wrong in one is told, and the next has its
  // turn.
  template <class Body>
  void each_combination(const BenchEntry& entry, const char* list, const Body& body) {
    Combinations combinations(wish_.values);
    do {
      ordered_json row;
      row["name"] = entry.name;
      try {
        body(combinations, row);
        continue;
      } catch (const std::exception& error) {
        row["error"] = error.what();
      }
      row["parameters"] = words_of(combinations.now());
      out_[list].push_back(row);
      if (cudaDeviceSynchronize() != cudaSuccess) throw std::runtime_error(row["error"].get<std::string>());
    } while (combinations.next());
  }

  void measure_file(const File& file) {
    out_["benchmarks"] = ordered_json::array();
    for (const BenchEntry* entry : file.entries()) {
      if (!wanted(*entry)) continue;
      each_combination(*entry, "benchmarks", [&](Combinations& combinations, ordered_json row) {
        const Case subject(*entry, combinations);
        row["parameters"] = words_of(combinations.now());
        if (!subject.skipped().empty()) {
          row["skipped"] = subject.skipped();
          out_["benchmarks"].push_back(row);
          return;
        }
        for (const Cache cache : caches_) out_["benchmarks"].push_back(measured(subject, cache, row));
      });
    }
  }

  ordered_json measured(const Case& subject, Cache cache, ordered_json row) {
    const Measured m = measure(sampler_, subject.work(), cache, wish_.seconds);
    row["cache"] = word(cache);
    row["us"] = m.us;
    row["low_us"] = number(m.interval.low);
    row["high_us"] = number(m.interval.high);
    row["noise"] = m.noise;
    row["drift"] = m.drift;
    row["samples"] = m.samples;
    row["runs_per_sample"] = m.runs;
    row["host_us"] = m.host_us;
    row["warm_up"] = {{"runs", m.warmth.runs}, {"settled", m.warmth.settled}};
    if (const double bytes = subject.has_bytes(); bytes > 0) {
      row["gigabytes_per_second"] = bytes / m.us * 1e-3;
      row["share_of_memory_roof"] = bytes / m.us / roof_.bytes_per_us;
    }
    if (const double flops = subject.has_flops(); flops > 0) {
      row["gigaflops"] = flops / m.us * 1e-3;
      row["share_of_compute_roof"] = flops / m.us / roof_.flops_per_us;
    }
    return row;
  }

  // The benchmark of the second file that belongs to one of the first: the same name, or the only one of
  // each.
  const BenchEntry* partner(const BenchEntry& entry, const File& first, const File& second) const {
    if (const BenchEntry* same = second.find(entry.name)) return same;
    return first.entries().size() == 1 && second.entries().size() == 1 ? second.entries().front() : nullptr;
  }

  void compare_files(const File& first, const File& second) {
    out_["comparisons"] = ordered_json::array();
    for (const BenchEntry* entry : first.entries()) {
      if (!wanted(*entry)) continue;
      const BenchEntry* other = partner(*entry, first, second);
      if (other == nullptr) {
        out_["comparisons"].push_back(
            {{"name", entry->name}, {"skipped", "the other file has none of that name"}});
        continue;
      }
      each_combination(*entry, "comparisons", [&](Combinations& combinations, ordered_json row) {
        for (const Cache cache : caches_) {
          if (wish_.trials > 1)
            out_["comparisons"].push_back(many(*entry, *other, combinations, cache, row));
          else
            out_["comparisons"].push_back(once(*entry, *other, combinations, cache, row));
        }
      });
    }
  }

  static double told(const Compared& c) {
    return told_from(c.a_us, least_difference, simulated() != nullptr ? 0 : least_difference_us);
  }
  static const char* verdict_of(const Compared& c) {
    if (!c.ratio.differs(told(c))) return "no difference";
    return c.ratio.ratio < 1 ? "faster" : "slower";
  }

  // The first file's time over the second's: what is new over what was there.
  ordered_json once(const BenchEntry& entry, const BenchEntry& other, Combinations& combinations, Cache cache,
                    ordered_json row) {
    std::unique_ptr<Case> subject, base;
    // In other places each time: what lies between moves what comes behind it.
    const auto set_up = [&]() -> Sides {
      subject.reset();
      base.reset();
      const Padding before(lot_);
      base = std::make_unique<Case>(other, combinations);
      const Padding between(lot_);
      subject = std::make_unique<Case>(entry, combinations);
      return {&base->work(), &subject->work()};
    };
    set_up();
    row["parameters"] = words_of(combinations.now());
    if (!subject->skipped().empty() || !base->skipped().empty()) {
      row["skipped"] = subject->skipped().empty() ? base->skipped() : subject->skipped();
      return row;
    }
    const Compared c = compare(sampler_, set_up, cache, wish_.seconds);
    row["cache"] = word(cache);
    row["us"] = c.b_us;
    row["against_us"] = c.a_us;
    row["ratio"] = c.ratio.ratio;
    row["low"] = number(c.ratio.interval.low);
    row["high"] = number(c.ratio.interval.high);
    row["verdict"] = verdict_of(c);
    row["told_from"] = told(c);
    row["pairs"] = c.ratio.pairs;
    row["set_ups"] = c.set_ups;
    row["runs_per_sample"] = c.runs;
    row["noise"] = c.b_noise;
    row["against_noise"] = c.a_noise;
    row["drift"] = c.drift;
    row["warm_up"] = {{"runs", c.warmth.runs}, {"settled", c.warmth.settled}};
    return row;
  }

  // The whole comparison again and again, set up anew each time: how far its verdicts can be relied on, here
  // and now.
  ordered_json many(const BenchEntry& entry, const BenchEntry& other, Combinations& combinations, Cache cache,
                    ordered_json row) {
    std::vector<double> ratios;
    int faster = 0, slower = 0, none = 0;
    for (int i = 0; i < wish_.trials; ++i) {
      const ordered_json one = once(entry, other, combinations, cache, row);
      if (one.contains("skipped")) return one;
      const std::string verdict = one["verdict"];
      ++(verdict == "faster" ? faster : verdict == "slower" ? slower : none);
      ratios.push_back(one["ratio"]);
    }
    row["parameters"] = words_of(combinations.now());
    row["cache"] = word(cache);
    row["trials"] = wish_.trials;
    row["faster"] = faster;
    row["slower"] = slower;
    row["no_difference"] = none;
    row["ratio"] = median(ratios);
    row["lowest_ratio"] = quantile(ratios, 0);
    row["highest_ratio"] = quantile(ratios, 1);
    return row;
  }

  const Wish& wish_;
  Watcher watcher_;
  Sampler sampler_;
  Roof roof_;
  std::vector<Cache> caches_;
  std::minstd_rand lot_{7};
  ordered_json out_;
};

int run(int argc, char** argv) {
  const Wish wish = read_wish(argc, argv);
  ordered_json result;
  try {
    Session session(wish);
    session.run();
    result = session.result();
  } catch (const std::exception& error) {
    result["error"] = error.what();
  }
  std::ofstream(wish.out) << result.dump();
  return result.contains("error") ? 1 : 0;
}

}  // namespace

}  // namespace workbook::bench

int main(int argc, char** argv) {
  try {
    return workbook::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "workbook-bench: %s\n", error.what());
    return 3;
  }
}
