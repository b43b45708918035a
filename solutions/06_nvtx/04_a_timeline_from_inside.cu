// 6.4  A timeline from inside
//
// One thread of each block writes the block's line: it reads the clock before the work, and again when the
// whole block has met at the barrier, for its own work may be over long before that of other warps.
#include <cuda_runtime.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>
#include <workbook/work.cuh>

// One line of the log; block b writes line b. The check knows this struct: leave it as it is.
struct BlockTime {
  unsigned long long begin, end;  // nanoseconds, by the device's own clock
  unsigned long long sm;          // the SM that the block ran on
};

// Nanoseconds by the clock that all SMs share: the special register %globaltimer, 64 bits wide.
__device__ unsigned long long device_ns() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  return now;
}

__device__ unsigned sm_id() {
  unsigned id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

// Does the block's work, and writes the block's line: from before its first warp begins to after its last one
// has ended.
__global__ void logged(workbook::Work work, BlockTime* d_log) {
  const unsigned long long begin = device_ns();
  workbook::do_work(work);
  __syncthreads();
  if (threadIdx.x == 0) d_log[blockIdx.x] = {begin, device_ns(), sm_id()};
}

// One grid with a log of one line a block. Does not wait for it; returns the launch's error.
cudaError_t run_logged(int blocks, int threads, workbook::Work work, BlockTime* d_log) {
  logged<<<blocks, threads>>>(work, d_log);
  return cudaGetLastError();
}

// The wave of each block. 0 for a block that began before any block of its SM had ended; for every other one
// more than the highest wave among the blocks of its SM that had ended when it began (at that moment or
// earlier).
std::vector<int> waves(const std::vector<BlockTime>& log) {
  std::vector<std::size_t> in_time(log.size());
  std::iota(in_time.begin(), in_time.end(), std::size_t{0});
  std::sort(in_time.begin(), in_time.end(),
            [&](std::size_t a, std::size_t b) { return log[a].begin < log[b].begin; });
  std::vector<int> wave(log.size(), 0);
  std::map<unsigned long long, std::vector<std::size_t>> before;  // by SM
  for (const std::size_t b : in_time) {
    for (const std::size_t a : before[log[b].sm]) {
      if (log[a].end <= log[b].begin) wave[b] = std::max(wave[b], wave[a] + 1);
    }
    before[log[b].sm].push_back(b);
  }
  return wave;
}
