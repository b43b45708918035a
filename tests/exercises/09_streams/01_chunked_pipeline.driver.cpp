#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <algorithm>

#include "lanes.h"

void soften_all(const float* h_x, float* h_y, int n, int chunk);
void launch_soften(float* d, int n, cudaStream_t stream);

namespace {

using streams::Pinned;

// The baseline: one stream, pinned memory.
void one_stream(const float* h_x, float* h_y, int n, int chunk) {
  cudaStream_t stream;
  float* d = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMalloc(reinterpret_cast<void**>(&d), chunk * sizeof(float));
  for (int first = 0; first < n; first += chunk) {
    const int count = std::min(chunk, n - first);
    const std::size_t bytes = count * sizeof(float);
    cudaMemcpyAsync(d, h_x + first, bytes, cudaMemcpyHostToDevice, stream);
    launch_soften(d, count, stream);
    cudaMemcpyAsync(h_y + first, d, bytes, cudaMemcpyDeviceToHost, stream);
  }
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFree(d);
}

}  // namespace

// `x` has n floats, `y` has room for whole chunks. What y holds when the function returns comes back.
WORKBOOK_DRIVER(soften) {
  const int n = call.value<int>("n"), chunk = call.value<int>("chunk");
  const std::size_t room = call.count("y");
  Pinned x(room), y(room);
  std::memset(x.data(), 0, x.bytes());
  std::memcpy(x.data(), call.host_in<float>("x"), n * sizeof(float));
  y.poison();
  call.learner([&] {
    soften_all(x.data(), y.data(), n, chunk);
    streams::keep(call.host_out<float>("y"), y.data(), room);
  });
  // What arrived later, if anything did.
  int late = 0;
  for (std::size_t i = 0; i < room; ++i)
    late += std::memcmp(y.data() + i, call.host_out<float>("y") + i, 4) != 0;
  call.result("late", late);
}

WORKBOOK_DRIVER(timed) {
  const int n = call.value<int>("n"), chunk = call.value<int>("chunk");
  Pinned x(n), y(n), ours(n);
  std::memcpy(x.data(), call.host_in<float>("x"), x.bytes());
  y.poison();
  bool done = true;
  call.measure_wall(
      "pipeline",
      [&] {
        soften_all(x.data(), y.data(), n, chunk);
        done = call.idle() && done;
      },
      [&] { one_stream(x.data(), ours.data(), n, chunk); });
  std::memcpy(call.host_out<float>("y"), y.data(), y.bytes());
  call.result("done", done ? 1 : 0);
}
