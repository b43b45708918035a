// wrong: times an asynchronous copy by the host's clock
// verdict: wrong
// code: copy_in_ratio
// message: 64 MiB take
// message: Had the copy arrived when you read the clock
#include <cuda_runtime.h>

#include <chrono>

__global__ void refine(float* d_x, int rounds) {
  float v = d_x[threadIdx.x];
  for (int r = 0; r < rounds; ++r) v = v * 0.9999f + 0.0001f;
  d_x[threadIdx.x] = v;
}

// Step three: `rounds` rounds of work on the first 256 floats of d_x. Given; the check uses it too.
void launch_refine(float* d_x, int rounds) {
  refine<<<1, 256>>>(d_x, rounds);
}

// All times in microseconds.
struct StepTimes {
  double allocate, copy_in, kernel, copy_out, release;
};

// Now, by the host's clock.
inline double host_us() {
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

inline StepTimes run_once(const float* h_x, float* h_y, int n, int rounds) {
  const size_t bytes = n * sizeof(float);
  StepTimes times{};

  float* d_x = nullptr;
  double begin = host_us();
  cudaMalloc(&d_x, bytes);
  times.allocate = host_us() - begin;

  begin = host_us();
  cudaMemcpyAsync(d_x, h_x, bytes, cudaMemcpyHostToDevice, nullptr);
  times.copy_in = host_us() - begin;

  begin = host_us();
  launch_refine(d_x, rounds);
  cudaDeviceSynchronize();
  times.kernel = host_us() - begin;

  begin = host_us();
  cudaMemcpy(h_y, d_x, bytes, cudaMemcpyDeviceToHost);
  times.copy_out = host_us() - begin;

  begin = host_us();
  cudaFree(d_x);
  times.release = host_us() - begin;
  return times;
}

// Takes n floats (n >= 256) from h_x through the five steps to h_y, one buffer on the device, and says how
// long each step takes once everything is warm. h_x and h_y are page-locked host memory.
StepTimes time_steps(const float* h_x, float* h_y, int n, int rounds) {
  run_once(h_x, h_y, n, rounds);
  return run_once(h_x, h_y, n, rounds);
}
