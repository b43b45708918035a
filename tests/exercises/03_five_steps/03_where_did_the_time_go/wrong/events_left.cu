// wrong: makes four events in each run and destroys none
// verdict: wrong
// code: events_left
// message: events were made and
// seen: simulated

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
  float* d_x = nullptr;
  cudaEvent_t e[4];
  for (auto& x : e) cudaEventCreate(&x);
  double t0 = host_us();
  cudaMalloc(&d_x, bytes);
  double t1 = host_us();
  cudaEventRecord(e[0]);
  cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
  cudaEventRecord(e[1]);
  launch_refine(d_x, rounds);
  cudaEventRecord(e[2]);
  cudaMemcpy(h_y, d_x, bytes, cudaMemcpyDeviceToHost);
  cudaEventRecord(e[3]);
  cudaEventSynchronize(e[3]);
  StepTimes t{t1 - t0, between_us(e[0], e[1]), between_us(e[1], e[2]), between_us(e[2], e[3]), 0};
  double t4 = host_us();
  cudaFree(d_x);
  t.release = host_us() - t4;
  return t;
}
StepTimes time_steps(const float* h_x, float* h_y, int n, int rounds) {
  run_once(h_x, h_y, n, rounds);
  return run_once(h_x, h_y, n, rounds);
}
