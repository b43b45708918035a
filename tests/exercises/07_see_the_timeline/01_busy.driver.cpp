#include <workbook/driver.h>

#include <cstdint>
#include <vector>

struct Interval {
  long long begin, end;
};
long long busy_ns(const std::vector<Interval>& kernels, Interval window);
double busy(const std::vector<Interval>& kernels, Interval window);

// Many timelines in one call: timeline c has the kernels first[c] .. first[c + 1] - 1 of the two arrays.
WORKBOOK_DRIVER(busy) {
  const auto* begin = call.host_in<std::int64_t>("begin");
  const auto* end = call.host_in<std::int64_t>("end");
  const auto* first = call.host_in<std::int64_t>("first");
  const auto* window = call.host_in<std::int64_t>("window");
  auto* ns = call.host_out<std::int64_t>("busy_ns");
  auto* share = call.host_out<double>("busy");
  const std::size_t timelines = call.count("busy_ns");
  call.learner([&] {
    for (std::size_t c = 0; c < timelines; ++c) {
      std::vector<Interval> kernels;
      for (std::int64_t k = first[c]; k < first[c + 1]; ++k) kernels.push_back({begin[k], end[k]});
      const Interval w{window[2 * c], window[2 * c + 1]};
      ns[c] = busy_ns(kernels, w);
      share[c] = busy(kernels, w);
    }
  });
}
