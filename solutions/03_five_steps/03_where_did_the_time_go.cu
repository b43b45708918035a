// 3.3  Where did the time go?
//
// Work of the device is timed by events, which the device passes in its own time; work of the host by the
// host's clock. Everything is done once before it is timed: the first time pays for more than itself.
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
  cudaEvent_t mark[4];
  for (cudaEvent_t& event : mark) cudaEventCreate(&event);

  float* d_x = nullptr;
  double begin = host_us();
  cudaMalloc(&d_x, bytes);
  times.allocate = host_us() - begin;

  cudaEventRecord(mark[0]);
  cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
  cudaEventRecord(mark[1]);
  launch_refine(d_x, rounds);
  cudaEventRecord(mark[2]);
  cudaMemcpy(h_y, d_x, bytes, cudaMemcpyDeviceToHost);
  cudaEventRecord(mark[3]);
  cudaEventSynchronize(mark[3]);
  times.copy_in = between_us(mark[0], mark[1]);
  times.kernel = between_us(mark[1], mark[2]);
  times.copy_out = between_us(mark[2], mark[3]);

  begin = host_us();
  cudaFree(d_x);
  times.release = host_us() - begin;
  for (cudaEvent_t event : mark) cudaEventDestroy(event);
  return times;
}

// Takes n floats (n >= 256) from h_x through the five steps to h_y, one buffer on the device, and says how
// long each step takes once everything is warm. h_x and h_y are page-locked host memory. What it makes, it
// gives back: memory and events.
StepTimes time_steps(const float* h_x, float* h_y, int n, int rounds) {
  run_once(h_x, h_y, n, rounds);
  return run_once(h_x, h_y, n, rounds);
}
