// Times every rung of every ladder: kernel_times [large|small] [LADDER ...]
//
// Writes a table to standard output, one rung a line: scale, ladder, rung, size, microseconds, GB/s (read
// plus written) or GFLOP/s. Large sizes run one after another on a warm device; small ones cold, with nothing
// of use in L2 and the launch hidden, which is how the simulated device's times are compared with a GPU's.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "bench/kernels/ladders.h"

namespace {

using namespace workbook::bench;

void print(const char* scale, const Case& c, double us) {
  std::printf("%s\t%s\t%s\t%s\t%.2f\t%.1f\n", scale, c.ladder.c_str(), c.rung.c_str(), c.size.c_str(), us,
              (c.bytes + c.operations) / us / 1e3);
  std::fflush(stdout);
}

// The yardstick of the large sizes.
void roof() {
  constexpr std::size_t bytes = std::size_t{1} << 30;
  void *from = floats(bytes / 4), *to = floats(bytes / 4);
  const Case copy{"roof",     "cudaMemcpy device to device",
                  "1024 MiB", 2.0 * bytes,
                  0,          [=] { return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice); }};
  print("large", copy, median_us(copy.run, false, 15, 5));
  free_all();
}

}  // namespace

int main(int argc, char** argv) {
  const char* scale = argc > 1 ? argv[1] : "small";
  if (std::strcmp(scale, "large") != 0 && std::strcmp(scale, "small") != 0) {
    std::fprintf(stderr, "usage: kernel_times [large|small] [LADDER ...]\n");
    return 2;
  }
  const bool large = std::strcmp(scale, "large") == 0;
  const std::vector<std::string> wanted(argv + (argc > 1 ? 2 : 1), argv + argc);
  const int samples = simulated() ? 1 : 11, warm_up = simulated() ? 1 : 3;  // a first launch loads code
  std::printf("scale\tladder\trung\tsize\tmicroseconds\tgigabytes_or_gflop_per_second\n");
  if (large) roof();
  for (const Ladder& ladder : ladders()) {
    bool skip = !wanted.empty();
    for (const std::string& name : wanted) skip = skip && name != ladder.name;
    if (skip) continue;
    for (const Case& c : ladder.cases(large ? Scale::large : Scale::small)) {
      print(scale, c, median_us(c.run, !large, samples, warm_up));
    }
    free_all();
  }
  return 0;
}
