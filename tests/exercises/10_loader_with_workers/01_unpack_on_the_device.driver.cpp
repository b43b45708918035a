// Calls the learner's unpack, and times it against copying as many bytes as the batch has.
#include <workbook/driver.h>

#include "kernels/copy/copy.h"

// These stand in the learner's file too.
struct Packed {
  const unsigned char* d_bytes;
  int images, width, height;
  std::size_t pitch;
};
struct Crop {
  int x, y, flip;
};
void unpack(const Packed& in, const Crop* d_crops, int width, int height, unsigned char* d_batch);

namespace {

Packed packed_of(workbook::Call& call) {
  return {call.device_in<unsigned char>("packed"), call.value<int>("images"), call.value<int>("width"),
          call.value<int>("height"), static_cast<std::size_t>(call.value<int>("pitch"))};
}

}  // namespace

WORKBOOK_DRIVER(unpack) {
  const Packed in = packed_of(call);
  const auto* crops = reinterpret_cast<const Crop*>(call.device_in<std::int32_t>("crops"));
  auto* batch = call.device_out<unsigned char>("batch");
  const int width = call.value<int>("crop_width"), height = call.value<int>("crop_height");
  call.learner([&] { unpack(in, crops, width, height, batch); });
}

WORKBOOK_DRIVER(unpack_timed) {
  const Packed in = packed_of(call);
  const auto* crops = reinterpret_cast<const Crop*>(call.device_in<std::int32_t>("crops"));
  auto* batch = call.device_out<unsigned char>("batch");
  const int width = call.value<int>("crop_width"), height = call.value<int>("crop_height");
  const std::size_t bytes = std::size_t{3} * static_cast<std::size_t>(in.images) *
                            static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  void *from = nullptr, *to = nullptr;
  cudaMalloc(&from, bytes);
  cudaMalloc(&to, bytes);
  cudaMemset(from, 1, bytes);
  call.fresh_each_time({"packed"});
  call.measure(
      "copy", [&] { unpack(in, crops, width, height, batch); },
      [&] { workbook::kernels::copy(from, to, bytes, nullptr); });
  cudaFree(from);
  cudaFree(to);
}
