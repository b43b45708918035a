// Calls the learner's rgb_to_grey, and times it against copying one byte a pixel with one thread a pixel.
#include <workbook/driver.h>

#include <cstddef>

#include "kernels/copy/copy.h"

// The learner writes this.
void rgb_to_grey(int width, int height, const unsigned char* d_rgb, unsigned char* d_grey);

WORKBOOK_DRIVER(grey) {
  const int width = call.value<int>("width"), height = call.value<int>("height");
  const auto* d_rgb = call.device_in<unsigned char>("rgb");
  auto* d_grey = call.device_out<unsigned char>("grey");
  call.learner([&] { rgb_to_grey(width, height, d_rgb, d_grey); });
}

// Every run writes its image 256 bytes further on, so each leaves its first 256 pixels behind for the judge:
// a run that did nothing leaves a gap.
WORKBOOK_DRIVER(grey_timed) {
  const int width = call.value<int>("width"), height = call.value<int>("height");
  const auto* d_rgb = call.device_in<unsigned char>("rgb");
  auto* d_grey = call.device_out<unsigned char>("grey");

  const std::size_t pixels = std::size_t(width) * height;
  void *from = nullptr, *to = nullptr;
  cudaMalloc(&from, pixels);
  cudaMalloc(&to, pixels);
  cudaMemset(from, 1, pixels);

  call.fresh_each_time({"rgb"});
  call.measure(
      "byte_copy", [&] { rgb_to_grey(width, height, d_rgb, d_grey); },
      [&] { workbook::kernels::rungs::copy_elements(from, to, pixels, 1); });
  cudaFree(from);
  cudaFree(to);
}
