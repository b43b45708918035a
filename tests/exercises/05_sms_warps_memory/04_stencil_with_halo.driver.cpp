// Calls the learner's two stencils.
#include <workbook/driver.h>

void smooth_line(const float* d_x, float* d_y, int n, int blocks);
void smooth_plane(const float* d_x, float* d_y, int width, int height);

WORKBOOK_DRIVER(line) {
  const auto* d_x = call.device_in<float>("x");
  float* d_y = call.device_out<float>("y");
  const int n = static_cast<int>(call.count("x")), blocks = call.value<int>("blocks");
  call.learner([&] { smooth_line(d_x, d_y, n, blocks); });
}

WORKBOOK_DRIVER(plane) {
  const auto* d_x = call.device_in<float>("x");
  float* d_y = call.device_out<float>("y");
  const int width = call.value<int>("width"), height = call.value<int>("height");
  call.learner([&] { smooth_plane(d_x, d_y, width, height); });
}
