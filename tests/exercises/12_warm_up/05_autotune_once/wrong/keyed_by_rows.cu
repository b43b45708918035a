// wrong: the choice is kept by the rows alone
// verdict: wrong
// code: not_tuned
// message: The first call with a 1024 x 8 matrix made 1 launch
// 12.5  Autotune once
//
// Which block size is best depends on the shape of the matrix and on the GPU. Try all of them when a shape comes for the
// first time, remember the best, and never pay for it again.
#include <cuda_runtime.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

// given/05_row_sums.cu: the sum of each row, by blocks of this size. Does not wait. Returns the launch's error, and leaves
// it where the runtime keeps it.
cudaError_t launch_row_sums(int block, const float* d_x, float* d_sums, int rows, int columns);

// The check holds a tuner by its pointer only: what is in it, is yours to choose.
struct Tuner {
  std::vector<int> candidates;                // block sizes; some of them no launch accepts
  std::map<std::pair<int, int>, int> chosen;  // by rows and columns
};

Tuner* make_tuner(const std::vector<int>& candidates) {
  return new Tuner{candidates, {}};
}

void free_tuner(Tuner* tuner) {
  delete tuner;
}

// One launch between two events, in milliseconds; the launch has worked before.
float time_ms(int block, const float* d_x, float* d_sums, int rows, int columns) {
  cudaEvent_t begin = nullptr, end = nullptr;
  float ms = 0.0f;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  launch_row_sums(block, d_x, d_sums, rows, columns);
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  cudaEventElapsedTime(&ms, begin, end);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return ms;
}

// d_sums[r] = the sum of row r, with the best block size for this shape among the candidates. Tries them all when the
// shape is new; otherwise it makes one launch and doesn't wait. Returns an error when no candidate works.
cudaError_t row_sums(Tuner& tuner, const float* d_x, float* d_sums, int rows, int columns) {
  const std::pair<int, int> shape(rows, 0);
  if (tuner.chosen.count(shape) == 0) {
    float best_ms = 0.0f;
    for (const int block : tuner.candidates) {
      if (launch_row_sums(block, d_x, d_sums, rows, columns) != cudaSuccess) {
        cudaGetLastError();
        continue;
      }
      cudaDeviceSynchronize();
      float ms = time_ms(block, d_x, d_sums, rows, columns);
      for (int i = 0; i < 4; ++i) ms = std::min(ms, time_ms(block, d_x, d_sums, rows, columns));
      if (tuner.chosen.count(shape) == 0 || ms < best_ms) {
        best_ms = ms;
        tuner.chosen[shape] = block;
      }
    }
  }
  if (tuner.chosen.count(shape) == 0) return cudaErrorInvalidConfiguration;
  return launch_row_sums(tuner.chosen[shape], d_x, d_sums, rows, columns);
}
