#include "harness/runner/sample.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <vector>

#include "harness/runner/device.h"

namespace workbook::runner {

namespace {

struct Sample {
  std::recursive_mutex mutex;
  std::set<cudaStream_t> streams;  // the learner's, from their creation on
  std::set<cudaStream_t> busy;     // streams with work that `end` does not cover yet
  std::vector<cudaEvent_t> left;   // behind what streams still had to do when they were destroyed
  cudaEvent_t begin = nullptr, end = nullptr, joint = nullptr;
  bool open = false, ended = false;  // `end` is queued, and covers all but `busy`
};

Sample& sample() {
  static Sample instance;
  return instance;
}

bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy;
}

// The default stream waits for what the stream holds so far.
void join(Sample& s, cudaStream_t stream) {
  if (is_default(stream)) return;
  if (s.joint == nullptr) cudaEventCreateWithFlags(&s.joint, cudaEventDisableTiming);
  if (cudaEventRecord(s.joint, stream) == cudaSuccess) cudaStreamWaitEvent(nullptr, s.joint, 0);
}

// A destroyed stream's work goes on; only an event can be asked about it then. Behind no work there is none:
// it would be under way itself for a moment. The simulated device knows by itself.
void remember_what_is_left(Sample& s, cudaStream_t stream) {
  if (simulated() != nullptr) return;
  const bool pending = cudaPeekAtLastError() != cudaSuccess;  // the learner's to read
  const bool is_done = cudaStreamQuery(stream) == cudaSuccess;
  if (!pending) cudaGetLastError();
  cudaEvent_t behind = nullptr;
  if (is_done || cudaEventCreateWithFlags(&behind, cudaEventDisableTiming) != cudaSuccess) return;
  cudaEventRecord(behind, stream);
  s.left.push_back(behind);
}

bool is_nothing_left(Sample& s) {
  const auto is_done = [](cudaEvent_t behind) {
    return cudaEventQuery(behind) == cudaSuccess && cudaEventDestroy(behind) == cudaSuccess;
  };
  s.left.erase(std::remove_if(s.left.begin(), s.left.end(), is_done), s.left.end());
  return s.left.empty();
}

void end_behind_everything(Sample& s) {
  for (const cudaStream_t stream : s.busy) join(s, stream);
  cudaEventRecord(s.end, nullptr);
  s.busy.clear();
  s.ended = true;
}

}  // namespace

void open_sample(cudaEvent_t begin, cudaEvent_t end) {
  Sample& s = sample();
  const std::lock_guard lock(s.mutex);
  const Own own;
  s.begin = begin;
  s.end = end;
  s.busy.clear();
  s.ended = false;
  cudaEventRecord(begin, nullptr);
  for (const cudaStream_t stream : s.streams) cudaStreamWaitEvent(stream, begin, 0);
  s.open = true;
}

void close_sample() {
  Sample& s = sample();
  const std::lock_guard lock(s.mutex);
  const Own own;
  if (!s.ended || !s.busy.empty()) end_behind_everything(s);
  s.open = false;
}

void work_was_queued(cudaStream_t stream) {
  if (Own::here()) return;
  Sample& s = sample();
  const std::lock_guard lock(s.mutex);
  if (s.open) s.busy.insert(is_default(stream) ? nullptr : stream);
}

void stream_came(cudaStream_t stream) {
  if (Own::here()) return;
  Sample& s = sample();
  const std::lock_guard lock(s.mutex);
  const Own own;
  s.streams.insert(stream);
  if (s.open) cudaStreamWaitEvent(stream, s.begin, 0);
}

void stream_goes(cudaStream_t stream) {
  if (Own::here()) return;
  Sample& s = sample();
  const std::lock_guard lock(s.mutex);
  const Own own;
  if (s.streams.erase(stream) == 0) return;  // not one that exists
  remember_what_is_left(s, stream);
  if (!s.open || s.busy.erase(stream) == 0) return;
  join(s, stream);
  s.busy.insert(nullptr);
}

bool learner_streams_idle() {
  Sample& s = sample();
  const std::lock_guard lock(s.mutex);
  const Own own;
  bool idle = is_nothing_left(s);
  idle = cudaStreamQuery(cudaStreamPerThread) == cudaSuccess && idle;
  for (const cudaStream_t stream : s.streams) idle = cudaStreamQuery(stream) == cudaSuccess && idle;
  idle = cudaStreamQuery(nullptr) == cudaSuccess && idle;
  cudaGetLastError();
  return idle;
}

void about_to_wait_for(cudaStream_t stream) {
  if (Own::here()) return;
  Sample& s = sample();
  const std::lock_guard lock(s.mutex);
  const Own own;
  const cudaStream_t one = is_default(stream) ? nullptr : stream;
  // Only where nothing else is under way: the event of this stream alone then tells the end of it all.
  if (!s.open || s.busy != std::set<cudaStream_t>{one}) return;
  cudaEventRecord(s.end, one);
  s.busy.clear();
  s.ended = true;
}

void about_to_wait_for_all() {
  if (Own::here()) return;
  Sample& s = sample();
  const std::lock_guard lock(s.mutex);
  const Own own;
  if (s.open && !s.busy.empty()) end_behind_everything(s);
}

}  // namespace workbook::runner
