// Hands the learner's run_checked a launch, after an error of somebody else's where the judge asks for one.
#include <workbook/driver.h>

#include <functional>
#include <string>

// As in the learner's file.
struct Status {
  cudaError_t error;
  std::string text;
};
Status run_checked(const std::function<void()>& launch);
void launch_fill(int blocks, int threads, int value, int* d_out);

namespace {

// An error that belongs to nobody's launch: no device has 2^60 bytes.
cudaError_t fail_on_purpose() {
  void* nothing = nullptr;
  return cudaMalloc(&nothing, std::size_t{1} << 60);
}

}  // namespace

WORKBOOK_DRIVER(launch) {
  const int blocks = call.value<int>("blocks"), threads = call.value<int>("threads");
  const int value = call.value<int>("value");
  const int earlier = call.value<int>("earlier");
  int* d_out = call.device_out<int>("out");

  // What the runtime itself says to a launch that it refuses; nothing is written.
  cudaError_t refusal = cudaSuccess;
  if (call.value<int>("refused") != 0) {
    launch_fill(blocks, threads, value, d_out);
    refusal = cudaGetLastError();
  }

  int calls = 0;
  Status status{cudaSuccess, {}};
  cudaError_t other = cudaSuccess, left = cudaSuccess;
  call.learner([&] {
    if (earlier == 1) other = fail_on_purpose();
    if (earlier == 2) launch_fill(blocks, threads, value, d_out);  // refused, and nobody asks
    status = run_checked([&] {
      ++calls;
      launch_fill(blocks, threads, value, d_out);
    });
    left = cudaGetLastError();
  });
  call.result("refusal", int{refusal});
  call.result("refusal name", std::string_view(cudaGetErrorName(refusal)));
  call.result("calls", calls);
  call.result("error", int{status.error});
  call.result("name", std::string_view(cudaGetErrorName(status.error)));
  call.result("text", std::string_view(status.text));
  call.result("expected text", std::string_view(cudaGetErrorString(status.error)));
  call.result("other", int{other});
  call.result("left", int{left});
}
