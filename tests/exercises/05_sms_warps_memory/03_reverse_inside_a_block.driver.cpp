// Calls the learner's reverse_packets on whole packets of memory, of which only the first n numbers were ever
// written.
#include <cuda_runtime.h>
#include <workbook/driver.h>

void reverse_packets(float* d_x, int n, int packet);

WORKBOOK_DRIVER(reverse) {
  const int n = static_cast<int>(call.count("numbers")), packet = call.value<int>("packet");
  float* d_x = call.device_out<float>("x");
  cudaMemcpy(d_x, call.host_in<float>("numbers"), n * sizeof(float), cudaMemcpyHostToDevice);
  call.learner([&] { reverse_packets(d_x, n, packet); });
}
