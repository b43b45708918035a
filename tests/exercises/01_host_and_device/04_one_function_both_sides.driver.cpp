// The same numbers through the learner's kernel and through the learner's loop.
#include <workbook/driver.h>

void clamp_on_device(int n, const float* d_x, float* d_y);  // the learner's file
void clamp_on_host(int n, const float* h_x, float* h_y);

WORKBOOK_DRIVER(both_sides) {
  const int n = call.value<int>("n");
  const float* h_x = call.host_in<float>("h_x");
  float* h_y = call.host_out<float>("h_y");
  call.learner("host", [&] { clamp_on_host(n, h_x, h_y); });

  const float* d_x = call.device_in<float>("d_x");
  float* d_y = call.device_out<float>("d_y");
  call.learner("device", [&] { clamp_on_device(n, d_x, d_y); });
}
