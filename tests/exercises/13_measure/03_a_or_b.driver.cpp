#include <cuda_runtime.h>
#include <workbook/driver.h>
#include <workbook/statistics.h>

#include <cmath>
#include <functional>
#include <vector>

#include "kernels/matmul/matmul.h"
#include "machine.h"

using Sample = std::function<double()>;
struct Comparison {
  double ratio, low, high;
};
Comparison compare(const Sample& a, const Sample& b);

namespace {

using namespace measure;

constexpr int most_samples = 2000;  // more than anybody needs: then the machine answers nothing

bool sound(const Comparison& c) {
  return std::isfinite(c.ratio) && c.ratio > 0 && c.low <= c.high && c.low <= c.ratio && c.ratio <= c.high;
}

bool within(const Comparison& c, double ratio) {
  return c.low <= ratio && ratio <= c.high;
}

// Two matrix multiplies, and how long one run takes.
class Products {
 public:
  Products(workbook::Call& call, int n) : call_(call), n_(n) {
    for (float** p : {&a_, &b_, &c_}) cudaMalloc(p, sizeof(float) * n * n);
    std::vector<float> numbers(static_cast<std::size_t>(n) * n);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = static_cast<float>(i * 2654435761u % 1000) * 0.002f - 1;
    for (float* p : {a_, b_})
      cudaMemcpy(p, numbers.data(), sizeof(float) * numbers.size(), cudaMemcpyHostToDevice);
    for (const char who : {'A', 'B', 'A', 'B'}) once(who);
  }
  ~Products() {
    for (float* p : {a_, b_, c_}) cudaFree(p);
  }
  Products(const Products&) = delete;
  Products& operator=(const Products&) = delete;

  // On the simulated device a run takes as long as any other: it is run once, and then remembered.
  double us(char who) {
    double& known = who == 'A' ? us_a_ : us_b_;
    if (!call_.simulated() || known == 0) known = once(who);
    return known;
  }

 private:
  double once(char who) {
    const auto multiply =
        who == 'A' ? workbook::kernels::rungs::matmul_naive : workbook::kernels::rungs::matmul_tiled;
    return call_.device_us([&] { multiply(a_, b_, c_, n_, n_, n_, nullptr); });
  }
  workbook::Call& call_;
  int n_;
  float *a_ = nullptr, *b_ = nullptr, *c_ = nullptr;
  double us_a_ = 0, us_b_ = 0;
};

}  // namespace

// Many comparisons, each on a machine of its own.
WORKBOOK_DRIVER(machines) {
  const int seeds = call.value<int>("seeds");
  const double truth = call.value<double>("truth");
  const auto first = call.value<std::uint64_t>("first");
  int covered = 0, different = 0, close = 0, unsound = 0, upside_down = 0;
  std::size_t most = 0;
  std::string order;
  std::vector<double> widths, ratios;
  const auto one = [&](int s) {
    Machine machine(first + static_cast<std::uint64_t>(s));
    const auto taker = [&](char who, double us) {
      return [&machine, who, us] {
        return machine.order().size() < most_samples ? machine.sample(who, us) : 0.0;
      };
    };
    const Comparison c = compare(taker('A', 100), taker('B', 100 * truth));
    covered += within(c, truth) ? 1 : 0;
    different += c.low > 1 || c.high < 1 ? 1 : 0;
    close += std::abs(c.ratio / truth - 1) <= 0.03 ? 1 : 0;
    upside_down += std::abs(c.ratio * truth - 1) <= 0.03 ? 1 : 0;
    unsound += sound(c) ? 0 : 1;
    most = std::max(most, machine.order().size());
    if (order.empty()) order = machine.order();
    widths.push_back(c.high - c.low);
    ratios.push_back(c.ratio);
  };
  call.learner([&] {
    for (int s = 0; s < seeds; ++s) one(s);
  });
  call.result("covered", covered);
  call.result("different", different);
  call.result("close", close);
  call.result("upside_down", upside_down);
  call.result("unsound", unsound);
  call.result("most", static_cast<int>(most));
  call.result("order", std::string_view(order));
  call.result("width", workbook::median(widths));
  call.result("ratio", workbook::median(ratios));
}

// A naive matrix multiply against a tiled one, or against itself, on this device. On the simulated one the
// times are modelled, and drift as a machine's do.
WORKBOOK_DRIVER(products) {
  const bool same = call.value<int>("same") != 0;
  Products products(call, call.simulated() ? 128 : 2048);
  Machine machine(call.value<std::uint64_t>("first"));
  const auto sample = [&](char who, char of_whom) {
    const double us = products.us(of_whom);
    return call.simulated() ? machine.sample(who, us) : us;
  };
  Comparison c{};
  call.learner(
      [&] { c = compare([&] { return sample('A', 'A'); }, [&] { return sample('B', same ? 'A' : 'B'); }); });
  std::vector<double> a, b;
  for (int pair = 0; pair < (call.simulated() ? 1 : 40); ++pair) {
    if (pair % 2 == 0) a.push_back(products.us('A'));
    b.push_back(products.us(same ? 'A' : 'B'));
    if (pair % 2 == 1) a.push_back(products.us('A'));
  }
  call.result("said", c.ratio);
  call.result("low", c.low);
  call.result("high", c.high);
  call.result("ours", workbook::paired_ratio(a, b).ratio);
  call.result("a", workbook::median(a));
  call.result("b", workbook::median(b));
}
