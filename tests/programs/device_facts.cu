// What a program asks about its device before it decides on a launch.
#include <cstdio>

__global__ void small(float* x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}
__global__ void with_shared(float* x) {
  __shared__ float tile[8192];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

int main() {
  int count = 0;
  cudaGetDeviceCount(&count);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  std::printf("at least one device: %s\n", count >= 1 ? "yes" : "no");
  std::printf("compute capability %d.%d\n", p.major, p.minor);
  std::printf("%d multiprocessors, warps of %d\n", p.multiProcessorCount, p.warpSize);
  std::printf("block: %d threads, at most %d x %d x %d\n", p.maxThreadsPerBlock, p.maxThreadsDim[0],
              p.maxThreadsDim[1], p.maxThreadsDim[2]);
  std::printf("grid: %d x %d x %d\n", p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2]);
  std::printf("shared memory: %zu a block, %zu a multiprocessor, %d reserved\n", p.sharedMemPerBlock,
              p.sharedMemPerMultiprocessor, (int)p.reservedSharedMemPerBlock);
  std::printf("registers: %d a block, %d a multiprocessor\n", p.regsPerBlock, p.regsPerMultiprocessor);
  std::printf("L2: %d bytes, constant memory: %zu, bus: %d bits\n", p.l2CacheSize, p.totalConstMem,
              p.memoryBusWidth);
  std::printf("threads a multiprocessor: %d\n", p.maxThreadsPerMultiProcessor);
  int value = 0;
  cudaDeviceGetAttribute(&value, cudaDevAttrMaxBlocksPerMultiprocessor, 0);
  std::printf("blocks a multiprocessor: %d\n", value);
  for (int block : {64, 256, 1024}) {
    int a = 0, b = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&a, small, block, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&b, with_shared, block, 0);
    std::printf("blocks of %4d: %2d of small, %d of with_shared\n", block, a, b);
  }
  int least_grid = 0, best_block = 0;
  cudaOccupancyMaxPotentialBlockSize(&least_grid, &best_block, small, 0, 0);
  std::printf("best block of small: %d, in at least %d blocks\n", best_block, least_grid);
  return 0;
}
