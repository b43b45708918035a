#include <workbook/driver.h>

void load_batches(const unsigned char* disk, float* out, int batches, int size);

WORKBOOK_DRIVER(load_batches) {
  const int batches = call.value<int>("batches"), size = call.value<int>("size");
  const auto* disk = call.host_in<unsigned char>("disk");
  float* out = call.host_out<float>("out");
  call.learner([&] { load_batches(disk, out, batches, size); });
}
