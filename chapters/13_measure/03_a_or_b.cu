// 13.3  A or B?
//
// Ten samples of A, then ten of B, and one mean over the other: that's what most comparisons are. This machine gets
// slower by the minute, and so B loses.
//
// TODO: compare. When it works, A against A is no difference, on 975 of 1000 such machines; 3 % more is found on 900 of
// them; and the ratio of two matrix multiplies is right to 3 %.
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
  // TODO: pairs, their ratios, and what of them can be relied on.
  double sum_a = 0, sum_b = 0;
  for (int i = 0; i < 10; ++i) sum_a += a();
  for (int i = 0; i < 10; ++i) sum_b += b();
  const double ratio = sum_b / sum_a;
  return {ratio, 0.99 * ratio, 1.01 * ratio};
}
