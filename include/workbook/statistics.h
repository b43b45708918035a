// The statistics of measuring: what a set of times is worth. C++17, header only, no CUDA.
//
// Times of a computer are no bell curve. They have a floor, a crowd just above it, and a tail of bad luck. So
// nothing here takes a mean. All of it rests on the order of the values:
//
//   typical value     the median
//   noise             (q3 - q1) / median, where q1 and q3 are the quartiles
//   A or B            per pair of samples r = time of B / time of A, taken next to each other. A machine that
//   becomes
//                     slower by 30 % does so for both halves of a pair, and the ratio stays. The ratio of the
//                     two is the median of all r; `median_interval` says how far off it may be.
//   warm              the median of the last `window` times differs from that of the window before by less
//   than 1 %,
//                     and from that of two windows before too: times that fall slowly are not warm
//
// The interval of a median needs no assumption about how the values scatter, only that they don't depend on
// one another. Each value lies above the true median with probability 1/2, so the number that does is
// binomial, B(n, 1/2). Of the sorted values x(1) .. x(n), the interval [x(k), x(n + 1 - k)] misses the true
// median with probability 2 P(B <= k - 1). We take the largest k for which that is at most 1 - confidence.
// (The sign test, turned around; any book on nonparametric statistics.) For 99 % it takes at least 8 values;
// fewer give [0, infinity].
//
// Used by `workbook bench`, and by checks. It is not for answers: an exercise asks for parts of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace workbook {

// The value below which the share q of the values lies, between two of them by straight lines; 0.5: the
// median.
inline double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double place = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

// The one in the middle.
inline double median(const std::vector<double>& values) {
  return quantile(values, 0.5);
}

// (q3 - q1) / median; 0 when there is no median.
inline double noise(const std::vector<double>& values) {
  const double middle = median(values);
  return middle > 0 ? (quantile(values, 0.75) - quantile(values, 0.25)) / middle : 0;
}

// From low to high; all there is, where nothing is known.
struct Interval {
  double low = 0;                                         // belongs to it
  double high = std::numeric_limits<double>::infinity();  // too
};

// Where the true median lies, in `confidence` of all cases (0.99).
inline Interval median_interval(std::vector<double> values, double confidence) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  double term = std::pow(0.5, static_cast<double>(n)), sum = 0;  // P(B = 0)
  std::size_t k = 0;  // how many values may be left out on each side
  for (std::size_t i = 0; 2 * (i + 1) <= n; ++i) {
    sum += term;  // P(B <= i)
    if (2 * sum > 1 - confidence) break;
    k = i + 1;
    term *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  }
  if (k == 0) return {};
  return {values[k - 1], values[n - k]};
}

// B compared with A: the ratio of their times, below 1 when B is faster.
struct PairedRatio {
  double ratio = 1;   // the median of the pairs' ratios
  Interval interval;  // where the true one lies
  int pairs = 0;      // how many were used
  // Whether the times differ, and by more than the share `least`: 0.005 is half a percent.
  bool differs(double least = 0) const { return interval.low > 1 + least || interval.high < 1 - least; }
};

// The smallest share of a time of `us` that is told as a difference: `share`, or `least_us` where that is
// more.
inline double told_from(double us, double share, double least_us) {
  return us > 0 ? std::max(share, least_us / us) : share;
}

// a[i] and b[i] were taken next to each other, and which of the two came first changed from pair to pair.
inline PairedRatio paired_ratio(const std::vector<double>& a, const std::vector<double>& b,
                                double confidence = 0.99) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (a[i] > 0 && b[i] > 0) ratios.push_back(b[i] / a[i]);
  }
  PairedRatio out;
  out.pairs = static_cast<int>(ratios.size());
  if (ratios.empty()) return out;
  out.ratio = median(ratios);
  out.interval = median_interval(ratios, confidence);
  return out;
}

// Whether the last times of a warm-up have settled.
inline bool settled(const std::vector<double>& times, std::size_t window = 5, double tolerance = 0.01) {
  if (times.size() < 3 * window) return false;
  const auto part = [&](std::size_t back) {  // median of the window that ends `back` windows before the end
    const auto end = times.end() - static_cast<std::ptrdiff_t>(back * window);
    return median(std::vector<double>(end - static_cast<std::ptrdiff_t>(window), end));
  };
  const double now = part(0);
  return std::abs(part(1) / now - 1) < tolerance && std::abs(part(2) / now - 1) < tolerance;
}

}  // namespace workbook
