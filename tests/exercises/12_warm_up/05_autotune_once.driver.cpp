#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

struct Tuner;
Tuner* make_tuner(const std::vector<int>& candidates);
void free_tuner(Tuner* tuner);
cudaError_t row_sums(Tuner& tuner, const float* d_x, float* d_sums, int rows, int columns);
cudaError_t launch_row_sums(int block, const float* d_x, float* d_sums, int rows, int columns);

namespace {

template <class F>
double time_us(F body) {
  using namespace std::chrono;
  const auto begin = steady_clock::now();
  body();
  cudaDeviceSynchronize();
  return duration<double, std::micro>(steady_clock::now() - begin).count();
}

// The device's time for this block size; 0 for one that no launch accepts.
double own_us(workbook::Call& call, int block, const float* x, float* sums, int rows, int columns) {
  if (launch_row_sums(block, x, sums, rows, columns) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  cudaDeviceSynchronize();
  std::vector<double> times(call.simulated() ? 2 : 15);
  for (double& t : times) t = call.device_us([&] { launch_row_sums(block, x, sums, rows, columns); });
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace

// Calls of one tuner, in a fresh process. Call k works on a matrix of rows[k] x columns[k], of its own or,
// where `buffer` says so, in another place. `x` holds the largest of them.
WORKBOOK_DRIVER(calls) {
  const float* x[2] = {call.device_in<float>("x"), call.device_in<float>("x2")};
  float* sums[2] = {call.device_out<float>("sums"), call.device_out<float>("sums2")};
  const int* rows = call.host_in<int>("rows");
  const int* columns = call.host_in<int>("columns");
  const int* buffer = call.host_in<int>("buffer");
  const int* blocks = call.host_in<int>("candidates");
  Tuner* tuner = nullptr;
  call.learner("make", [&] { tuner = make_tuner({blocks, blocks + call.count("candidates")}); });
  std::vector<int> status(call.count("rows"));
  std::vector<double> us(status.size());
  for (std::size_t k = 0; k < status.size(); ++k) {
    const int b = buffer[k];
    call.learner(std::to_string(k), [&] {
      us[k] = time_us([&] { status[k] = row_sums(*tuner, x[b], sums[b], rows[k], columns[k]); });
    });
  }
  call.learner("free", [&] { free_tuner(tuner); });
  call.result_bytes("status", status.data(), status.size() * sizeof(int));
  call.result_bytes("us", us.data(), us.size() * sizeof(double));
}

// Each candidate's own time for one shape.
WORKBOOK_DRIVER(own) {
  const float* x = call.device_in<float>("x");
  float* sums = call.device_out<float>("sums");
  const int* blocks = call.host_in<int>("candidates");
  std::vector<double> us;
  for (std::size_t k = 0; k < call.count("candidates"); ++k)
    us.push_back(own_us(call, blocks[k], x, sums, call.value<int>("rows"), call.value<int>("columns")));
  call.result_bytes("us", us.data(), us.size() * sizeof(double));
}
