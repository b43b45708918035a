// right: no binomials: the place for 50 pairs, from a table
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
    ratios.push_back(us_b / us_a);
  }
  std::sort(ratios.begin(), ratios.end());
  const int n = static_cast<int>(ratios.size()), out = 15;
  return {(ratios[n / 2 - 1] + ratios[n / 2]) / 2, ratios[out], ratios[n - 1 - out]};
}
