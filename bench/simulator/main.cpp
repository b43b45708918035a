// Thread instructions per second of the simulated device, through its own API, with all checks on.
//
//   simulator_speed kernels.ptx [host threads]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "ptx/reader.h"
#include "sim/device.h"

using namespace workbook;

namespace {

struct Arguments {
  int n;
  std::uint64_t a, b, c;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::uint64_t filled(sim::Device& device, std::size_t count, float scale) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = scale * static_cast<float>(i % 97);
  const std::uint64_t at = device.memory().allocate(count * 4, sim::AllocationKind::device);
  device.memory().write(at, values.data(), count * 4);
  return at;
}

void measure(const std::string& ptx, const char* kernel, const std::string& label, int n, std::size_t count,
             sim::Dim3 grid, sim::Dim3 block, unsigned threads) {
  sim::Options options;
  options.host_threads = threads;
  sim::Device device({}, {}, options);
  const sim::ModuleId module = device.load(ptx::read(ptx));
  const Arguments arguments{n, filled(device, count, 0.5f), filled(device, count, 0.25f),
                            device.memory().allocate(count * 4, sim::AllocationKind::device)};
  sim::LaunchSpec spec;
  spec.function = device.find_function(module, kernel).value();
  spec.grid = grid;
  spec.block = block;
  spec.parameters = std::as_bytes(std::span(&arguments, 1));
  for (int round = 0; round < 2; ++round) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t cpu = std::clock();
    const sim::LaunchResult result = device.launch(spec);
    const double s = seconds_since(start), cpu_s = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
    if (result.fault)
      std::printf("  fault: %s: %s\n", sim::name_of(result.fault->kind), result.fault->text.c_str());
    const auto instructions = static_cast<double>(result.counters.thread_inst_executed);
    std::printf("%-24s %12.0f thread instructions  %8.3f s  %7.3f G/s  %8.3f s of CPU  %7.3f G/s per core\n",
                label.c_str(), instructions, s, instructions / s / 1e9, cpu_s, instructions / cpu_s / 1e9);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: simulator_speed kernels.ptx [host threads]\n");
    return 2;
  }
  std::ifstream file(argv[1]);
  std::stringstream text;
  text << file.rdbuf();
  const unsigned threads = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 0;
  for (const int power : {22, 24}) {
    const int n = 1 << power;
    measure(text.str(), "vector_add", "vector add 2^" + std::to_string(power), n, static_cast<std::size_t>(n),
            {static_cast<std::uint32_t>(n / 256), 1, 1}, {256, 1, 1}, threads);
  }
  measure(text.str(), "matrix_multiply", "matrix multiply 512", 512, 512 * 512, {32, 32, 1}, {16, 16, 1},
          threads);
  measure(text.str(), "tiled_multiply", "tiled multiply 512", 512, 512 * 512, {32, 32, 1}, {16, 16, 1},
          threads);
}
