// right: new events for each batch, destroyed as soon as everybody has them
#include <cuda_runtime.h>

#include <initializer_list>

// Buffers on the device, one set for all batches: u for what A makes of its batch, v and w for what B and C make of u.
struct Buffers {
  float *u, *v, *w;
};

struct Streams {
  cudaStream_t load, work, side;  // A goes into load, B and D into work, C into side
};

__global__ void stage_a(const float* d_x, float* d_u, int n) {
#pragma unroll 1
  for (int i = threadIdx.x; i < n; i += blockDim.x) d_u[i] = d_x[i] * 2 + 1;
}
__global__ void stage_b(const float* d_u, float* d_v, int n) {
#pragma unroll 1
  for (int i = threadIdx.x; i < n; i += blockDim.x) d_v[i] = d_u[i] * d_u[i];
}
__global__ void stage_c(const float* d_u, float* d_w, int n) {
#pragma unroll 1
  for (int i = threadIdx.x; i < n; i += blockDim.x) d_w[i] = d_u[i] * 0.5f;
}
__global__ void stage_d(const float* d_v, const float* d_w, float* d_y, int n) {
#pragma unroll 1
  for (int i = threadIdx.x; i < n; i += blockDim.x) d_y[i] = d_v[i] - d_w[i];
}

// The four stages of a batch of n floats: u from x, v from u, w from u, y from v and w. B and C take three times as long
// as A and D. Given; the check uses them too.
void launch_a(const float* d_x, Buffers b, int n, cudaStream_t s) {
  stage_a<<<1, 96, 0, s>>>(d_x, b.u, n);
}
void launch_b(Buffers b, int n, cudaStream_t s) {
  stage_b<<<1, 32, 0, s>>>(b.u, b.v, n);
}
void launch_c(Buffers b, int n, cudaStream_t s) {
  stage_c<<<1, 32, 0, s>>>(b.u, b.w, n);
}
void launch_d(Buffers b, float* d_y, int n, cudaStream_t s) {
  stage_d<<<1, 96, 0, s>>>(b.v, b.w, d_y, n);
}

// Batches 0 to batches - 1: batch k reads d_x + k * n and writes d_y + k * n. The streams know nothing of each other
// (non-blocking). The host never waits. When stream `work` is through, everything is done.
void run_batches(const float* d_x, float* d_y, int batches, int n, Buffers b, Streams s) {
  const auto edge = [](cudaStream_t from, std::initializer_list<cudaStream_t> to) {
    cudaEvent_t event;
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaEventRecord(event, from);
    for (cudaStream_t stream : to) cudaStreamWaitEvent(stream, event);
    cudaEventDestroy(event);  // the waits that were queued still hold
  };
  for (int k = 0; k < batches; ++k) {
    launch_a(d_x + k * n, b, n, s.load);
    edge(s.load, {s.work, s.side});
    launch_b(b, n, s.work);
    edge(s.work, {s.load});
    launch_c(b, n, s.side);
    edge(s.side, {s.load, s.work});
    launch_d(b, d_y + k * n, n, s.work);
    edge(s.work, {s.side});
  }
}
