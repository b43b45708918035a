#include <cuda_runtime.h>
#include <workbook/driver.h>

cudaError_t count_digits(const unsigned char* d_x, int* d_counts, int rows, int columns);

WORKBOOK_DRIVER(count_digits) {
  const auto* x = call.device_in<unsigned char>("d_x");
  int* counts = call.device_out<int>("d_counts");
  const int rows = call.value<int>("rows"), columns = call.value<int>("columns");
  cudaError_t status = cudaSuccess;
  call.learner([&] { status = count_digits(x, counts, rows, columns); });
  call.result("status", static_cast<int>(status));
  call.result("status_name", cudaGetErrorName(status));
}
