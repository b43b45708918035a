// wrong: waits for C before it has been recorded
// verdict: wrong
// code: unordered
// message: stage_d
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
  enum Edge { a_done, b_done, c_done, d_done, edges };
  cudaEvent_t event[edges];
  for (cudaEvent_t& e : event) cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
  for (int k = 0; k < batches; ++k) {
    cudaStreamWaitEvent(s.load, event[b_done]);  // back: u has been read, by B and by C of the batch before
    cudaStreamWaitEvent(s.load, event[c_done]);
    launch_a(d_x + k * n, b, n, s.load);
    cudaEventRecord(event[a_done], s.load);

    cudaStreamWaitEvent(s.work, event[a_done]);
    cudaStreamWaitEvent(s.work, event[c_done]);
    launch_b(b, n, s.work);
    cudaEventRecord(event[b_done], s.work);

    cudaStreamWaitEvent(s.side, event[a_done]);
    cudaStreamWaitEvent(s.side, event[d_done]);  // back: w has been read, by D of the batch before
    launch_c(b, n, s.side);
    cudaEventRecord(event[c_done], s.side);

    launch_d(b, d_y + k * n, n, s.work);
    cudaEventRecord(event[d_done], s.work);
  }
  for (cudaEvent_t e : event) cudaEventDestroy(e);
}
