// Asks the learner's sectors() about patterns, and calls gather_rows, timed against copying as many bytes.
#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <algorithm>
#include <cstdint>

#include "kernels/copy/copy.h"

int sectors(const std::uint64_t* address, int lanes);
void gather_rows(const float* d_table, int width, const int* d_which, int rows, float* d_out);

// `address` holds the patterns one after the other, `lanes` how long each is.
WORKBOOK_DRIVER(predict) {
  const auto* address = call.host_in<std::uint64_t>("address");
  const auto* lanes = call.host_in<int>("lanes");
  int* count = call.host_out<int>("sectors");
  call.learner([&] {
    for (std::size_t p = 0; p < call.count("lanes"); ++p) {
      count[p] = sectors(address, lanes[p]);
      address += lanes[p];
    }
  });
}

WORKBOOK_DRIVER(gather) {
  const auto* d_table = call.device_in<float>("table");
  const auto* d_which = call.device_in<int>("which");
  float* d_out = call.device_out<float>("out");
  const int width = call.value<int>("width"), rows = static_cast<int>(call.count("which"));
  call.learner([&] { gather_rows(d_table, width, d_which, rows, d_out); });
}

// Every run begins eight rows further on and writes eight rows further on, so each leaves its first rows
// behind: a run that did nothing leaves a gap.
WORKBOOK_DRIVER(gather_timed) {
  const auto* d_table = call.device_in<float>("table");
  const auto* d_which = call.device_in<int>("which");
  float* d_out = call.device_out<float>("out");
  const int width = call.value<int>("width"), rows = call.value<int>("rows"),
            slots = call.value<int>("slots");
  const std::size_t bytes = std::size_t(rows) * width * sizeof(float);
  void *from = nullptr, *to = nullptr;
  cudaMalloc(&from, bytes);
  cudaMalloc(&to, bytes);
  cudaMemset(from, 1, bytes);
  int runs = 0;
  call.measure(
      "copy",
      [&] {
        const int slot = std::min(runs++, slots - 1);
        gather_rows(d_table, width, d_which + slot, rows, d_out + std::size_t(8) * slot * width);
      },
      [&] { workbook::kernels::copy(from, to, bytes); });
  call.result("runs", runs);
  cudaFree(from);
  cudaFree(to);
}
