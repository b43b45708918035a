// right: predictions from the parts: decoding, copy, kernels
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
  const Interval window{r.done[r.warm_up - 1], r.done.back()};
  const double steady = r.batches - r.warm_up;
  const auto us = [&](long long ns) { return ns / 1000.0 / steady; };  // of a batch
  const std::vector<Interval> device = both(r.kernels, r.copies);
  Diagnosis d{};
  const double batch = us(window.end - window.begin), kernels = us(union_ns(r.kernels, window));
  d.busy = kernels / batch;
  d.kernel_us = kernels;
  d.batches_per_s = 1e6 / batch;
  d.copy_gap_us = us(union_ns(device, window)) - kernels;
  d.decode_gap_us = us(union_ns(both(device, r.decodes), window) - union_ns(device, window));

  long long ns = 0;
  for (int n = r.warm_up; n < r.batches; ++n) ns += r.decodes[n].end - r.decodes[n].begin;
  const double decode = us(ns), copy = r.pinned_copy / 1000.0, layout = r.layout / 1000.0;
  const double pageable = d.copy_gap_us;
  const auto loop = [&](double decoding, double copying, double running) { return copying + std::max(decoding, running); };
  const double rest = batch - loop(decode, pageable, kernels);  // launches, and whatever else the loop does
  d.with_ring = batch / std::max({decode + rest, kernels, copy});
  d.with_workers = batch / std::max(rest + loop(0, pageable, kernels), decode / r.workers);
  d.with_fused = batch / (rest + loop(decode, pageable, kernels - layout));
  d.with_all = batch / std::max({decode / r.workers, kernels - layout, copy});
  return d;
}
