#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <algorithm>
#include <cstring>

#include "kernels/elementwise/vector_add.h"

cudaError_t add_batches(const float* a, const float* b, float* c, int n, int batch);

namespace {

constexpr int poison = 0xff;

// Page-locked host memory.
class Pinned {
 public:
  explicit Pinned(std::size_t count) { cudaMallocHost(&data_, count * sizeof(float)); }
  ~Pinned() { cudaFreeHost(data_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  float* data() { return data_; }

 private:
  float* data_ = nullptr;
};

// The baseline: all five steps in the loop, as in the starter.
void five_steps_per_batch(const float* a, const float* b, float* c, int n, int batch) {
  for (int first = 0; first < n; first += batch) {
    const int count = std::min(batch, n - first);
    const std::size_t bytes = count * sizeof(float);
    float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
    cudaMalloc(&d_a, bytes);
    cudaMalloc(&d_b, bytes);
    cudaMalloc(&d_c, bytes);
    cudaMemcpy(d_a, a + first, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b + first, bytes, cudaMemcpyHostToDevice);
    workbook::kernels::vector_add(d_a, d_b, d_c, count, nullptr);
    cudaMemcpy(c + first, d_c, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_c);
    cudaFree(d_b);
    cudaFree(d_a);
  }
}

void report(workbook::Call& call, cudaError_t status) {
  call.result("status", static_cast<int>(status));
  call.result("status_name", cudaGetErrorName(status));
}

}  // namespace

// Two calls on the same arrays with other contents. `a`, `b`, `c` of the first, `a2`, `b2`, `c2` of the
// second.
WORKBOOK_DRIVER(add_batches) {
  const int n = call.value<int>("n"), batch = call.value<int>("batch");
  const std::size_t room = call.count("a"), bytes = room * sizeof(float);
  std::vector<float> a(room), b(room), c(room);
  cudaError_t status = cudaSuccess;
  const auto round = [&](const char* label, const float* from_a, const float* from_b, float* to) {
    if (room > 0) {
      std::memcpy(a.data(), from_a, bytes);
      std::memcpy(b.data(), from_b, bytes);
      std::memset(c.data(), poison, bytes);
    }
    call.learner(label, [&] {
      const cudaError_t returned = add_batches(a.data(), b.data(), c.data(), n, batch);
      if (status == cudaSuccess) status = returned;
    });
    if (room > 0) std::memcpy(to, c.data(), bytes);
  };
  round("first call", call.host_in<float>("a"), call.host_in<float>("b"), call.host_out<float>("c"));
  round("second call", call.host_in<float>("a2"), call.host_in<float>("b2"), call.host_out<float>("c2"));
  report(call, status);
}

// A call in which something fails, and one in which nothing does.
WORKBOOK_DRIVER(failing) {
  const int n = call.value<int>("n"), batch = call.value<int>("batch"), nth = call.value<int>("nth");
  const std::string kind = call.text("kind");
  const float *a = call.host_in<float>("a"), *b = call.host_in<float>("b");
  float* c = call.host_out<float>("c");
  const auto fail = [&](int which) {
    if (kind == "allocation") call.fail_allocation(which);
    if (kind == "copy") call.fail_copy(which);
    if (kind == "launch") call.fail_launch(which);
  };
  fail(nth);
  cudaError_t status = cudaSuccess, again = cudaSuccess;
  call.learner([&] {
    status = add_batches(a, b, c, n, batch);
    fail(0);
    again = add_batches(a, b, c, n, batch);
  });
  report(call, status);
  call.result("again", static_cast<int>(again));
  call.result("again_name", cudaGetErrorName(again));
}

// In page-locked memory: the copies are fast, and what else a batch costs can be seen.
WORKBOOK_DRIVER(add_batches_timed) {
  const int n = call.value<int>("n"), batch = call.value<int>("batch");
  const std::size_t room = call.count("c"), bytes = room * sizeof(float);
  Pinned a(room), b(room), c(room), ours(room);
  std::memcpy(a.data(), call.host_in<float>("a"), bytes);
  std::memcpy(b.data(), call.host_in<float>("b"), bytes);
  std::memset(c.data(), poison, bytes);
  cudaError_t status = cudaSuccess;
  call.measure_wall(
      "batches", [&] { status = add_batches(a.data(), b.data(), c.data(), n, batch); },
      [&] { five_steps_per_batch(a.data(), b.data(), ours.data(), n, batch); });
  std::memcpy(call.host_out<float>("c"), c.data(), bytes);
  report(call, status);
}
