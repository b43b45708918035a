// Calls the learner's square_all on two arrays of 32 ints that lie on the device.
#include <workbook/driver.h>

void square_all(const int* d_x, int* d_y);  // the learner writes this

WORKBOOK_DRIVER(square) {
  const int* d_x = call.device_in<int>("x");
  int* d_y = call.device_out<int>("y");
  call.learner([&] { square_all(d_x, d_y); });
}
