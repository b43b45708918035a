// A little of everything, the same on the simulated device and on a GPU: two streams, pinned and pageable
// copies each way, kernels, memsets, events that order the streams, NVTX ranges, and one call that fails. Its
// record on an H200 lies beside it (both_worlds.h200.jsonl); a test compares the two.
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <vector>

__global__ void add(const float* a, const float* b, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

__global__ void reverse_tiles(float* data) {
  __shared__ float tile[256];
  const int at = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = data[at];
  __syncthreads();
  data[at] = tile[255 - threadIdx.x];
}

int main() {
  const int n = 1 << 20;
  const size_t bytes = n * sizeof(float);
  std::vector<float> pageable(n, 1.0f), result(n);
  float *pinned = nullptr, *a = nullptr, *b = nullptr, *sum = nullptr;
  cudaStream_t copies = nullptr, work = nullptr;
  cudaEvent_t there = nullptr, done = nullptr;

  nvtxRangePushA("prepare");
  cudaMallocHost(&pinned, bytes);
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&sum, bytes);
  cudaStreamCreate(&copies);
  cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking);
  cudaEventCreate(&there);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  for (int i = 0; i < n; ++i) pinned[i] = 2.0f;
  nvtxRangePop();

  for (int round = 0; round < 3; ++round) {
    nvtxRangePushA("round");
    nvtxRangePushA("in");
    cudaMemcpyAsync(a, pinned, bytes, cudaMemcpyHostToDevice, copies);
    cudaMemcpy(b, pageable.data(), bytes, cudaMemcpyHostToDevice);
    cudaEventRecord(there, copies);
    cudaStreamWaitEvent(work, there, 0);
    nvtxRangePop();
    nvtxRangePushA("compute");
    cudaMemsetAsync(sum, 0, bytes, work);
    add<<<n / 256, 256, 0, work>>>(a, b, sum, n);
    reverse_tiles<<<n / 256, 256, 0, work>>>(sum);
    cudaEventRecord(done, work);
    nvtxRangePop();
    cudaEventSynchronize(done);
    nvtxRangePushA("out");
    cudaMemcpyAsync(pinned, sum, bytes, cudaMemcpyDeviceToHost, work);
    cudaStreamSynchronize(work);
    cudaMemcpy(result.data(), sum, bytes, cudaMemcpyDeviceToHost);
    nvtxRangePop();
    nvtxRangePop();
  }
  cudaMemcpy(b, sum, bytes, cudaMemcpyDeviceToDevice);
  void* too_much = nullptr;
  cudaMalloc(&too_much, size_t(1) << 50);  // fails, and is recorded
  cudaGetLastError();
  cudaDeviceSynchronize();

  cudaEventDestroy(there);
  cudaEventDestroy(done);
  cudaStreamDestroy(copies);
  cudaStreamDestroy(work);
  cudaFree(a);
  cudaFree(b);
  cudaFree(sum);
  cudaFreeHost(pinned);
  return result[0] == 5.0f ? 0 : 1;  // 2, and 1 more in each round
}
