#include <cuda_runtime.h>
#include <workbook/driver.h>

cudaError_t brighten(float* d_x, int n, float by);
int machine_code_that_runs();

WORKBOOK_DRIVER(this_device) {
  int major = 0, minor = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
  call.result("compute_capability", 10 * major + minor);
}

WORKBOOK_DRIVER(brighten) {
  float* x = call.device_inout<float>("x");
  const int n = static_cast<int>(call.count("x"));
  cudaError_t status = cudaSuccess;
  call.learner([&] { status = brighten(x, n, 3.0f); });
  call.result("status", static_cast<int>(status));
  call.result("status_name", cudaGetErrorName(status));
  call.result("machine_code", status == cudaSuccess ? machine_code_that_runs() : 0);
}
