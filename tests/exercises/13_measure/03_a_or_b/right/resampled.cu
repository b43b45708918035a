// right: by lot which comes first; the interval by resampling the pairs
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
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
  std::mt19937 lot(7);
  for (int pair = 0; pair < 60; ++pair) {
    double us_a = 0, us_b = 0;
    const bool a_first = lot() % 2 == 0;
    if (a_first) us_a = a();
    us_b = b();
    if (!a_first) us_a = a();
    ratios.push_back(us_b / us_a);
  }
  const auto median = [](std::vector<double>& values) {
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
  };
  std::vector<double> medians, drawn(ratios.size());
  for (int i = 0; i < 400; ++i) {
    for (double& r : drawn) r = ratios[lot() % ratios.size()];
    medians.push_back(median(drawn));
  }
  std::sort(medians.begin(), medians.end());
  return {median(ratios), medians[1], medians[398]};
}
