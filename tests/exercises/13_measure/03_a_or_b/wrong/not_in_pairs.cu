// wrong: medians of all A and of all B: the drift is in the scatter of both
// verdict: wrong
// code: not_found
// message: your intervals are
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

// Runs one of the two once, and says how many microseconds it took, on this machine at this moment.
using Sample = std::function<double()>;

struct Comparison {
  double ratio;      // time of B / time of A: below 1 when B is faster
  double low, high;  // the true ratio lies between these, in 99 of 100 cases; they hold `ratio`
};

// Of n sorted ratios, how many may be left out at either end so that what remains holds the true median with at least
// 99 %: each ratio lies on either side of it like a tossed coin.
inline int left_out(int n) {
  double chance = std::pow(0.5, n), sum = chance;
  int k = 0;
  while (2 * sum <= 0.01) {
    chance *= static_cast<double>(n - k) / (k + 1);
    sum += chance;
    ++k;
  }
  return k - 1;
}

// Compares two that have both run before. Takes at most 120 samples in all. "No difference" is what it says when 1 lies
// between low and high.
Comparison compare(const Sample& a, const Sample& b) {
  std::vector<double> times_a, times_b;
  for (int pair = 0; pair < 50; ++pair) {
    double us_a = 0, us_b = 0;
    if (pair % 2 == 0) us_a = a();
    us_b = b();
    if (pair % 2 == 1) us_a = a();
    times_a.push_back(us_a);
    times_b.push_back(us_b);
  }
  std::sort(times_a.begin(), times_a.end());
  std::sort(times_b.begin(), times_b.end());
  const int n = 50, out = left_out(n);
  return {times_b[n / 2] / times_a[n / 2], times_b[out] / times_a[n - 1 - out], times_b[n - 1 - out] / times_a[out]};
}
