// 3.3  Where did the time go?
//
// run_once takes an array through the five steps, and says 0 for every one of them. Put a clock around each:
// the right one for what it times.
//
// When it works, the five times add up to what the whole takes; a copy of 64 MiB takes four times a copy of
// 16 MiB; and ten times the work in the kernel takes about ten times as long.
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

// From one event to the other, by the device's clock. Both must have happened.
inline double between_us(cudaEvent_t begin, cudaEvent_t end) {
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, begin, end);
  return milliseconds * 1000.0;
}

inline StepTimes run_once(const float* h_x, float* h_y, int n, int rounds) {
  const size_t bytes = n * sizeof(float);
  StepTimes times{};
  // TODO: times. Each step between two readings of the clock that can see it.
  float* d_x = nullptr;
  cudaMalloc(&d_x, bytes);
  cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
  launch_refine(d_x, rounds);
  cudaMemcpy(h_y, d_x, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  return times;
}

// Takes n floats (n >= 256) from h_x through the five steps to h_y, one buffer on the device, and says how
// long each step takes once everything is warm. h_x and h_y are page-locked host memory. What it makes, it
// gives back: memory and events.
StepTimes time_steps(const float* h_x, float* h_y, int n, int rounds) {
  return run_once(h_x, h_y, n, rounds);
}
