// right: the mean of the middle three fifths of the logarithms, and the standard error that goes with it
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

// Compares two that have both run before. Takes at most 120 samples in all. "No difference" is what it says when 1 lies
// between low and high.
Comparison compare(const Sample& a, const Sample& b) {
  std::vector<double> ratios;
  for (int pair = 0; pair < 50; ++pair) {
    double us_a = 0, us_b = 0;
    if (pair % 2 == 0) us_a = a();
    us_b = b();
    if (pair % 2 == 1) us_a = a();
    ratios.push_back(std::log(us_b / us_a));
  }
  std::sort(ratios.begin(), ratios.end());
  const int n = static_cast<int>(ratios.size()), cut = n / 5;
  double mean = 0, clipped_mean = 0, square = 0;
  for (int i = cut; i < n - cut; ++i) mean += ratios[i] / (n - 2 * cut);
  std::vector<double> clipped = ratios;
  for (double& r : clipped) r = std::clamp(r, ratios[cut], ratios[n - 1 - cut]);
  for (double r : clipped) clipped_mean += r / n;
  for (double r : clipped) square += (r - clipped_mean) * (r - clipped_mean) / (n - 1);
  const double reach = 2.75 * std::sqrt(square) / (0.6 * std::sqrt(n));
  return {std::exp(mean), std::exp(mean - reach), std::exp(mean + reach)};
}
