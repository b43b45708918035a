// A whole reduction in one cooperative launch: sums of blocks, a barrier over the grid, the first block adds
// them.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cmath>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void euclidean_norm(const float* x, int n, float* partial, float* result) {
  auto grid = cg::this_grid();
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  __shared__ float of_warp[8];

  float sum = 0;
  for (auto i = grid.thread_rank(); i < n; i += grid.size()) sum += x[i] * x[i];
  sum = cg::reduce(warp, sum, cg::plus<float>());
  if (warp.thread_rank() == 0) of_warp[warp.meta_group_rank()] = sum;
  block.sync();
  if (block.thread_rank() == 0) {
    float total = 0;
    for (int w = 0; w < warp.meta_group_size(); ++w) total += of_warp[w];
    partial[blockIdx.x] = total;
  }
  grid.sync();
  if (blockIdx.x == 0 && warp.meta_group_rank() == 0) {
    float total = 0;
    for (int b = warp.thread_rank(); b < gridDim.x; b += warp.size()) total += partial[b];
    total = cg::reduce(warp, total, cg::plus<float>());
    if (warp.thread_rank() == 0) *result = sqrtf(total);
  }
}

int main() {
  int n = 30000;
  std::vector<float> x(n);
  double expected = 0;
  for (int i = 0; i < n; ++i) {
    x[i] = (i % 8) * 0.5f;
    expected += x[i] * x[i];
  }
  expected = std::sqrt(expected);
  int per_sm = 0, sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, euclidean_norm, 256, 0);
  dim3 grid(per_sm * sms < 64 ? per_sm * sms : 64), block(256);
  float *d_x, *d_partial, *d_result, result;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_partial, grid.x * sizeof(float));
  cudaMalloc(&d_result, sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  void* arguments[] = {&d_x, &n, &d_partial, &d_result};
  cudaError_t e = cudaLaunchCooperativeKernel((void*)euclidean_norm, grid, block, arguments);
  cudaMemcpy(&result, d_result, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s: norm %.3f (%.3f)\n", cudaGetErrorName(e), result, expected);

  // More blocks than fit is an error, not a hang.
  e = cudaLaunchCooperativeKernel((void*)euclidean_norm, dim3(per_sm * sms + 1), block, arguments);
  std::printf("one block too many: %s\n", cudaGetErrorName(e));
  cudaGetLastError();
  cudaFree(d_x);
  cudaFree(d_partial);
  cudaFree(d_result);
  return std::fabs(result - expected) > 0.001 * expected;
}
