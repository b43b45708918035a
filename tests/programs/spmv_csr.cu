// Sparse matrix times vector in CSR: a thread a row, then a warp a row.
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void thread_a_row(int rows, const int* start, const int* column, const double* value,
                             const double* x, double* y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    double sum = 0;
    for (int k = start[row]; k < start[row + 1]; ++k) sum += value[k] * x[column[k]];
    y[row] = sum;
  }
}

__global__ void warp_a_row(int rows, const int* start, const int* column, const double* value,
                           const double* x, double* y) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  double sum = 0;
  for (int k = start[row] + lane; k < start[row + 1]; k += 32) sum += value[k] * x[column[k]];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (lane == 0) y[row] = sum;
}

template <class T>
T* to_device(const std::vector<T>& host) {
  T* p = nullptr;
  cudaMalloc(&p, host.size() * sizeof(T));
  cudaMemcpy(p, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

int main() {
  const int rows = 1500;
  std::vector<int> start(1, 0), column;
  std::vector<double> value, x(rows), y(rows), expected(rows, 0.0);
  for (int r = 0; r < rows; ++r) {
    x[r] = 1.0 + (r % 10) * 0.125;
    const int length = r % 97 == 0 ? 200 : r % 8;  // a few rows are long, some are empty
    for (int k = 0; k < length; ++k) {
      column.push_back((r * 7 + k * 11) % rows);
      value.push_back((k % 5) - 1.5);
    }
    start.push_back(column.size());
  }
  for (int r = 0; r < rows; ++r)
    for (int k = start[r]; k < start[r + 1]; ++k) expected[r] += value[k] * x[column[k]];
  int *d_start = to_device(start), *d_column = to_device(column);
  double *d_value = to_device(value), *d_x = to_device(x), *d_y = to_device(y);
  std::printf("%d rows, %zu values\n", rows, value.size());
  int bad = 0;
  for (int version = 0; version < 2; ++version) {
    cudaMemset(d_y, 0xff, rows * sizeof(double));
    if (version == 0)
      thread_a_row<<<(rows + 127) / 128, 128>>>(rows, d_start, d_column, d_value, d_x, d_y);
    else
      warp_a_row<<<(rows * 32 + 127) / 128, 128>>>(rows, d_start, d_column, d_value, d_x, d_y);
    cudaMemcpy(y.data(), d_y, rows * sizeof(double), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int r = 0; r < rows; ++r) {
      bad += !(std::fabs(y[r] - expected[r]) < 1e-9);
      sum += y[r];
    }
    std::printf("%s: y[97] = %.4f, sum %.4f\n", version == 0 ? "a thread a row" : "a warp a row", y[97], sum);
  }
  std::printf("%d wrong\n", bad);
  cudaFree(d_start);
  cudaFree(d_column);
  cudaFree(d_value);
  cudaFree(d_x);
  cudaFree(d_y);
  return bad != 0;
}
