// wrong: the first thread of each z layer of a block signs: several in a block of depth
// verdict: wrong
// code: race_global
// message: write to the same place

#include <cuda_runtime.h>

#include <vector>

struct Visit {
  unsigned x, y, z;
  unsigned sm;
  unsigned ticket;
};

struct GridStory {
  int blocks;
  bool in_order;
};

__device__ unsigned sm_id() {
  unsigned id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

__global__ void who_am_i(unsigned* block_of, Visit* book, unsigned* arrivals) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
  const unsigned i = (z * gridDim.y * blockDim.y + y) * gridDim.x * blockDim.x + x;
  const unsigned b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  block_of[i] = b;
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    book[b] = {blockIdx.x, blockIdx.y, blockIdx.z, sm_id(), atomicAdd(arrivals, 1)};
  }
}

bool ran_in_order(const std::vector<Visit>& book) {
  for (unsigned b = 0; b < book.size(); ++b) {
    if (book[b].ticket != b) return false;
  }
  return true;
}

GridStory look_at_grid(dim3 grid, dim3 block, unsigned* d_block_of, Visit* d_book, unsigned* d_arrivals) {
  cudaMemset(d_arrivals, 0, sizeof(unsigned));
  who_am_i<<<grid, block>>>(d_block_of, d_book, d_arrivals);
  unsigned came = 0;
  cudaMemcpy(&came, d_arrivals, sizeof came, cudaMemcpyDeviceToHost);
  std::vector<Visit> book(came);
  cudaMemcpy(book.data(), d_book, came * sizeof(Visit), cudaMemcpyDeviceToHost);
  return {static_cast<int>(came), ran_in_order(book)};
}
