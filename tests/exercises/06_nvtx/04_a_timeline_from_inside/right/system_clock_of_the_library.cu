// right: the chrono clock of libcu++ is this timer; the waves by recursion over the definition
#include <cuda_runtime.h>

#include <cuda/std/chrono>

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
  using namespace cuda::std::chrono;
  return duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
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
static int wave_of(const std::vector<BlockTime>& log, std::vector<int>& known, std::size_t b) {
  if (known[b] >= 0) return known[b];
  int wave = 0;
  for (std::size_t a = 0; a < log.size(); ++a) {
    if (log[a].sm == log[b].sm && log[a].end <= log[b].begin) wave = std::max(wave, wave_of(log, known, a) + 1);
  }
  return known[b] = wave;
}

std::vector<int> waves(const std::vector<BlockTime>& log) {
  std::vector<int> known(log.size(), -1);
  for (std::size_t b = 0; b < log.size(); ++b) wave_of(log, known, b);
  return known;
}
