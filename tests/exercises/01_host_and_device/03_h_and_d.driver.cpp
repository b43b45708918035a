// Sends two arrays of the host through the learner's round trip.
#include <workbook/driver.h>

void saxpy_round_trip(int n, float a, const float* h_x, float* h_y);  // the learner mends this

WORKBOOK_DRIVER(round_trip) {
  const int n = call.value<int>("n");
  const float a = call.value<float>("a");
  const float* h_x = call.host_in<float>("x");
  float* h_y = call.host_inout<float>("y");
  call.learner([&] { saxpy_round_trip(n, a, h_x, h_y); });
  call.result("came_back", 1);  // so that the judge can tell a missing copy from a program that broke off
}
