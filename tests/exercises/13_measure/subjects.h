// What 13.2 has timed: kernels of which the check knows how long each of their runs takes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace measure {

// "large": 512 KiB read by one block, so that it matters whether the bytes come from L2 or from DRAM.
// "short": 128 KiB in the same way, a few microseconds.
// "stream": many bytes read as fast as the memory gives them.
// "slow": computes; each of its first runs takes less time than the one before, then all take the same.
// "varied": computes; no two runs are alike, and some take four times as long.
inline std::size_t bytes_of(const std::string& kind, bool simulated) {
  return kind == "stream"  ? std::size_t{simulated ? 4u : 32u} << 20
         : kind == "large" ? std::size_t{512} << 10
         : kind == "short" ? std::size_t{128} << 10
                           : std::size_t{64};
}

constexpr int rounds = 20000;  // of the computing ones, where the factor is 1: some 40 us

constexpr int slow_runs = 30;
// 2 at the first run, and 1 from run 30 on.
inline double settling(int run) {
  return run < slow_runs ? 2 - static_cast<double>(run) / slow_runs : 1.0;
}

// More than a warm-up of 100 and samples need.
constexpr int most_uneven_runs = 250;

// Seven values around 1 around 1, in an order that looks like none; every eleventh run has bad luck.
inline double varied(int run, int phase) {
  constexpr double factors[] = {1.05, 0.70, 1.20, 0.95, 1.45, 0.85, 1.00};
  const double unlucky = (run + phase) % 11 == 0 ? 4 : 1;
  return unlucky * factors[(3 * run + phase) % 7];
}

inline double middle(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace measure
