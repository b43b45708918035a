// Something for the blocks of a grid to do, and the truth about when they did it.
//
// An exercise that asks a kernel to log its own times (6.4) gives it this work. Each warp of a block computes
// for a while, later warps longer than earlier ones, and notes when it began, when it ended, and on which SM:
// that is what the check compares the learner's log with.
#pragma once

namespace workbook {

// What the blocks are to do, and where they note when.
struct Work {
  const int* rounds;          // of block b: rounds[b] for its first warp, up to three times that for its last
  unsigned long long* notes;  // of warp w of block b, at 3 * (b * warps + w): begin and end (ns), SM
};

// Called by all threads of a one-dimensional block.
__device__ inline void do_work(Work work) {
  unsigned long long begin, end;
  unsigned sm;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin)::"memory");
  const int warps = (blockDim.x + 31) / 32, warp = threadIdx.x / 32, rounds = work.rounds[blockIdx.x];
  float value = static_cast<float>(begin & 1u);
  for (int r = rounds + 2 * rounds * warp / warps; r > 0; --r) value = value * 0.999f + 0.001f;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  unsigned long long* note = work.notes + 3 * (blockIdx.x * warps + warp);
  if (value < 0) note[0] = 0;  // never: but the value is needed before the clock is read again
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end)::"memory");
  if (threadIdx.x % 32 == 0) {
    note[0] = begin;
    note[1] = end;
    note[2] = sm;
  }
}

}  // namespace workbook
