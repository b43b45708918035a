// 14.1  Diagnose
//
// A pipeline is busy half of the time. Before anything is changed: say how busy, why not more, and what each of three
// fixes would bring. The record of a run is all you get; it stands for any device.
//
// When it works, your predictions are within 15 % of what the fixed pipelines then need, on the device that is there.
#include <algorithm>
#include <vector>

// Nanoseconds, the end not included.
struct Interval {
  long long begin, end;
};

// A run of the pipeline as it was found: one thread decodes a batch while the device works on the one before, then copies
// it, and launches its kernels.
struct Record {
  int batches, warm_up;             // the first so many batches are warm-up, at least one
  std::vector<Interval> kernels;    // all of them, in any order; some may overlap
  std::vector<Interval> copies;     // of the batches to the device: batch 0, 1, 2, ...
  std::vector<Interval> decodes;    // on the host: batch 0, 1, 2, ...
  std::vector<long long> done;      // when the last kernel of batch 0, 1, 2, ... ended
  double nvidia_smi;                // what it showed meanwhile, percent
  // Measured apart, for one batch, in nanoseconds:
  long long pinned_copy;            // its copy, from pinned memory
  long long layout;                 // of its kernels' time: what preprocessing in one kernel saves
  int workers;                      // threads that could decode
};

struct Diagnosis {
  double busy;          // share of the steady time in which at least one kernel runs, from 0 to 1
  double kernel_us;     // how long that is for a batch
  double batches_per_s;
  double copy_gap_us;   // for a batch: no kernel runs, and a copy does
  double decode_gap_us; // for a batch: neither kernel nor copy runs, and the host decodes
  // How many times as many batches a second, if only this is done:
  double with_ring;     // copies from pinned memory, beside the kernels
  double with_workers;  // `workers` threads decode; the copies stay as they are
  double with_fused;    // preprocessing in one kernel
  double with_all;      // all three
};

// For how many nanoseconds of the window at least one of the intervals is there: 7.1. Given.
inline long long union_ns(std::vector<Interval> list, Interval window) {
  std::sort(list.begin(), list.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  long long sum = 0, reached = window.begin;
  for (const Interval& i : list) {
    const long long begin = std::max(i.begin, reached), end = std::min(i.end, window.end);
    if (begin >= end) continue;
    sum += end - begin;
    reached = end;
  }
  return sum;
}

// Both lists as one. Given.
inline std::vector<Interval> both(std::vector<Interval> a, const std::vector<Interval>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Diagnosis diagnose(const Record& r) {
  // TODO: diagnose. First the window and what kernels and gaps take of it; then think about each fix alone: which time of
  // a batch is left, and which part can't be faster than it is? You will see "a plain run" pass first.
  (void)r;
  return {};
}
