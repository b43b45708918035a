#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <algorithm>
#include <vector>

#include "kernels/elementwise/vector_add.h"
#include "lanes.h"

void soften_and_report(const float* h_x, float* h_y, int n, int chunk);
void launch_soften(float* d, int n, cudaStream_t stream);
void report(int k);

namespace {

using streams::Pinned;

// The library: its memory, and which chunks it was told of.
struct Library {
  static constexpr int n = 256;
  float* d = nullptr;
  std::vector<int> reported;
};
Library library;

// Memory of the library's for as long as one of these lives.
class LibraryInUse {
 public:
  LibraryInUse() {
    cudaMalloc(reinterpret_cast<void**>(&library.d), 3 * Library::n * sizeof(float));
    cudaMemset(library.d, 0, 3 * Library::n * sizeof(float));
    cudaDeviceSynchronize();
  }
  ~LibraryInUse() { cudaFree(library.d); }
  LibraryInUse(const LibraryInUse&) = delete;
  LibraryInUse& operator=(const LibraryInUse&) = delete;
};

// The starter's way, with streams that wait for the legacy one.
void trapped(const float* h_x, float* h_y, int n, int chunk) {
  constexpr int lanes = 4;
  cudaStream_t lane[lanes];
  float* d[lanes];
  for (int k = 0; k < lanes; ++k) {
    cudaStreamCreate(&lane[k]);
    cudaMalloc(reinterpret_cast<void**>(&d[k]), chunk * sizeof(float));
  }
  for (int first = 0, k = 0; first < n; first += chunk, ++k) {
    const int count = std::min(chunk, n - first);
    const std::size_t bytes = count * sizeof(float);
    cudaMemcpyAsync(d[k % lanes], h_x + first, bytes, cudaMemcpyHostToDevice, lane[k % lanes]);
    launch_soften(d[k % lanes], count, lane[k % lanes]);
    report(k);
    cudaMemcpyAsync(h_y + first, d[k % lanes], bytes, cudaMemcpyDeviceToHost, lane[k % lanes]);
  }
  cudaStreamSynchronize(nullptr);
  for (int k = 0; k < lanes; ++k) {
    cudaStreamDestroy(lane[k]);
    cudaFree(d[k]);
  }
}

}  // namespace

void report(int k) {
  library.reported.push_back(k);
  workbook::kernels::vector_add(library.d, library.d + Library::n, library.d + 2 * Library::n, Library::n,
                                nullptr);
}

// `x` has n floats, `y` has room for whole chunks. What y holds when the function returns comes back.
WORKBOOK_DRIVER(soften) {
  const int n = call.value<int>("n"), chunk = call.value<int>("chunk");
  const std::size_t room = call.count("y");
  Pinned x(room), y(room);
  std::memset(x.data(), 0, x.bytes());
  std::memcpy(x.data(), call.host_in<float>("x"), n * sizeof(float));
  y.poison();
  const LibraryInUse in_use;
  library.reported.clear();
  call.learner([&] {
    soften_and_report(x.data(), y.data(), n, chunk);
    streams::keep(call.host_out<float>("y"), y.data(), room);
  });
  int late = 0;
  for (std::size_t i = 0; i < room; ++i)
    late += std::memcmp(y.data() + i, call.host_out<float>("y") + i, 4) != 0;
  call.result("late", late);
  bool in_order = true;
  for (std::size_t i = 0; i < library.reported.size(); ++i)
    in_order = in_order && library.reported[i] == static_cast<int>(i);
  call.result("reports", static_cast<int>(library.reported.size()));
  call.result("in_order", in_order ? 1 : 0);
}

WORKBOOK_DRIVER(timed) {
  const int n = call.value<int>("n"), chunk = call.value<int>("chunk");
  Pinned x(n), y(n);
  std::memcpy(x.data(), call.host_in<float>("x"), x.bytes());
  y.poison();
  const LibraryInUse in_use;
  call.measure_wall(
      "lanes", [&] { soften_and_report(x.data(), y.data(), n, chunk); },
      [&] { trapped(x.data(), y.data(), n, chunk); });
  std::memcpy(call.host_out<float>("y"), y.data(), y.bytes());
}
