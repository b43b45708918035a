// 9.3  Events as edges
//
// Four stages in three streams, and the only thing that keeps them in order is the host, which waits after each. B and C
// could run at the same time, and A of the next batch beside them.
#include <cuda_runtime.h>

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
  // TODO: run_batches without a wait of the host: an event for each "is done", and a cudaStreamWaitEvent for each "must
  // wait". You will see "in order, whatever comes first" pass, and then "fast enough".
  for (int k = 0; k < batches; ++k) {
    launch_a(d_x + k * n, b, n, s.load);
    cudaStreamSynchronize(s.load);
    launch_b(b, n, s.work);
    cudaStreamSynchronize(s.work);
    launch_c(b, n, s.side);
    cudaStreamSynchronize(s.side);
    launch_d(b, d_y + k * n, n, s.work);
    cudaStreamSynchronize(s.work);
  }
}
