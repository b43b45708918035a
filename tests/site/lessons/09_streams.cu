// The code of chapter 9.
#include "claims.h"

__global__ void make(int* u, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) u[i] = i + 1;
}

__global__ void use(const int* u, int* v, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) v[i] = 2 * u[i];
}

int main() {
  cudaStream_t stream = nullptr;
  // --8<-- [start:non_blocking]
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  // --8<-- [end:non_blocking]
  unsigned flags = 0;
  CLAIM(cudaStreamGetFlags(stream, &flags) == cudaSuccess && flags == cudaStreamNonBlocking);

  const int n = 10000;
  int *u = shared_by_both<int>(n), *v = shared_by_both<int>(n);
  cudaStream_t load = stream, work = nullptr;
  cudaEvent_t a_done = nullptr;
  CLAIM(cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking) == cudaSuccess);
  CLAIM(cudaEventCreateWithFlags(&a_done, cudaEventDisableTiming) == cudaSuccess);
  make<<<1, 64, 0, load>>>(u, n);
  // --8<-- [start:edge]
  cudaEventRecord(a_done, load);      // "when stream `load` gets here, a_done has happened"
  cudaStreamWaitEvent(work, a_done);  // what is queued in `work` from here on waits for that
  // --8<-- [end:edge]
  use<<<1, 64, 0, work>>>(u, v, n);
  CLAIM(all_well() && v[0] == 2 && v[n - 1] == 2 * n);
  return broken_claims;
}
