// What asynchronous copies show: overlap, results that are read too early, sources that are overwritten too
// early.
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <vector>

#include "program.h"

namespace {

constexpr std::size_t bytes = 16u << 20;

struct Fixture {
  char *pinned = nullptr, *pinned_too = nullptr, *device = nullptr, *device_too = nullptr;
  cudaStream_t a{}, b{}, free{};
  cudaEvent_t begin{}, end{}, other_end{};
  Fixture() {
    cudaMallocHost(&pinned, bytes);
    cudaMallocHost(&pinned_too, bytes);
    cudaMalloc(&device, bytes);
    cudaMalloc(&device_too, bytes);
    cudaMemset(device_too, 0, bytes);
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaStreamCreateWithFlags(&free, cudaStreamNonBlocking);
    for (cudaEvent_t* event : {&begin, &end, &other_end}) cudaEventCreate(event);
    CHECK_OK(cudaDeviceSynchronize());
  }
  double us(cudaEvent_t to) const {
    float ms = 0;
    CHECK_OK(cudaEventElapsedTime(&ms, begin, to));
    return ms * 1000.0;
  }
};

void overlap(Fixture& f) {
  cudaEventRecord(f.begin, f.a);
  cudaMemcpyAsync(f.device, f.pinned, bytes, cudaMemcpyHostToDevice, f.a);
  cudaMemcpyAsync(f.pinned_too, f.device_too, bytes, cudaMemcpyDeviceToHost, f.b);
  cudaEventRecord(f.end, f.a);
  cudaEventRecord(f.other_end, f.b);
  CHECK_OK(cudaDeviceSynchronize());
  const double one = f.us(f.end), both = f.us(f.other_end);
  CHECK(both < 1.1 * one);
  cudaEventRecord(f.begin, f.a);
  cudaMemcpyAsync(f.device, f.pinned, bytes, cudaMemcpyHostToDevice, f.a);
  cudaMemcpyAsync(f.device_too, f.pinned, bytes, cudaMemcpyHostToDevice, f.b);
  cudaEventRecord(f.other_end, f.b);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(f.us(f.other_end) > 1.9 * one);
}

void legacy_stream(Fixture& f) {
  cudaEventRecord(f.begin, f.a);
  cudaMemcpyAsync(f.device, f.pinned, bytes, cudaMemcpyHostToDevice, f.a);
  cudaMemsetAsync(f.device_too, 0, 16, nullptr);
  cudaEventRecord(f.end, nullptr);
  cudaMemsetAsync(f.device_too, 0, 16, f.free);
  cudaEventRecord(f.other_end, f.free);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(f.us(f.end) > 300);
  CHECK(f.us(f.other_end) < 50);
}

void when_calls_return(Fixture& f) {
  std::vector<char> pageable(bytes, 3);
  const auto share = [&](const char* source) {
    const double t0 = now_us();
    cudaMemcpyAsync(f.device, source, bytes, cudaMemcpyHostToDevice, f.a);
    const double t1 = now_us();
    cudaStreamSynchronize(f.a);
    return (t1 - t0) / (now_us() - t0);
  };
  CHECK(share(f.pinned) < 0.1);
  CHECK(share(pageable.data()) > 0.5);
}

void too_early(Fixture& f) {
  std::memset(f.pinned, 7, bytes);
  std::memset(f.pinned_too, 0, bytes);
  cudaMemcpyAsync(f.device, f.pinned, bytes, cudaMemcpyHostToDevice, f.a);
  cudaMemcpyAsync(f.pinned_too, f.device, bytes, cudaMemcpyDeviceToHost, f.a);
  CHECK(f.pinned_too[5] == 0);
  std::memset(f.pinned, 8, bytes);
  CHECK_OK(cudaStreamSynchronize(f.a));
  CHECK(f.pinned_too[5] == 8);
}

void edges(Fixture& f) {
  std::memset(f.pinned, 5, bytes);
  cudaMemcpyAsync(f.device, f.pinned, bytes, cudaMemcpyHostToDevice, f.a);
  cudaEventRecord(f.end, f.a);
  cudaStreamWaitEvent(f.free, f.end, 0);
  cudaMemcpyAsync(f.pinned_too, f.device, bytes, cudaMemcpyDeviceToHost, f.free);
  CHECK_OK(cudaStreamSynchronize(f.free));
  CHECK(f.pinned_too[bytes - 1] == 5);
}

struct Signal {
  std::mutex mutex;
  std::condition_variable condition;
  bool set = false;
  cudaError_t inside = cudaSuccess;
};

void host_function(Fixture& f) {
  Signal signal;
  const double begun = now_us();
  cudaMemcpyAsync(f.device, f.pinned, bytes, cudaMemcpyHostToDevice, f.a);
  CHECK_OK(cudaLaunchHostFunc(
      f.a,
      [](void* data) {
        Signal& s = *static_cast<Signal*>(data);
        void* memory = nullptr;
        s.inside = cudaMalloc(&memory, 4);
        const std::lock_guard lock(s.mutex);
        s.set = true;
        s.condition.notify_all();
      },
      &signal));
  {
    std::unique_lock lock(signal.mutex);
    signal.condition.wait(lock, [&] { return signal.set; });
  }
  CHECK(now_us() - begun > 300);  // after the copy
  CHECK(signal.inside == cudaErrorNotPermitted);
  // A callback that waits for a lock which the host gives back later.
  std::unique_lock lock(signal.mutex);
  CHECK_OK(cudaLaunchHostFunc(
      f.a, [](void* data) { const std::lock_guard l(static_cast<Signal*>(data)->mutex); }, &signal));
  const double held = now_us();
  while (now_us() - held < 100) {
  }
  lock.unlock();
  CHECK_OK(cudaStreamSynchronize(f.a));
}

}  // namespace

int main() {
  now_us();
  Fixture f;
  overlap(f);
  legacy_stream(f);
  when_calls_return(f);
  too_early(f);
  edges(f);
  host_function(f);
  CHECK(cudaGetLastError() == cudaSuccess);
  return failures;
}
