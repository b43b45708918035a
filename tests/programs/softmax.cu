// Softmax of each row of a matrix: greatest value, sum of exponentials, quotient; a block a row.
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <vector>

template <class Op>
__device__ float block_reduce(float v, Op op, float neutral) {
  __shared__ float of_warp[32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (int d = 16; d > 0; d >>= 1) v = op(v, __shfl_xor_sync(0xffffffffu, v, d));
  __syncthreads();  // of_warp may still be read by the reduction before
  if (lane == 0) of_warp[warp] = v;
  __syncthreads();
  v = lane < (blockDim.x + 31) / 32 ? of_warp[lane] : neutral;
  for (int d = 16; d > 0; d >>= 1) v = op(v, __shfl_xor_sync(0xffffffffu, v, d));
  return v;
}

struct Greatest {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

__global__ void softmax_rows(const float* in, float* out, int columns) {
  const float* row = in + blockIdx.x * columns;
  float greatest = -FLT_MAX;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) greatest = fmaxf(greatest, row[c]);
  greatest = block_reduce(greatest, Greatest(), -FLT_MAX);
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += expf(row[c] - greatest);
  sum = block_reduce(sum, Sum(), 0.0f);
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    out[blockIdx.x * columns + c] = expf(row[c] - greatest) / sum;
}

int main() {
  const int rows = 64, columns = 1000;
  std::vector<float> in(rows * columns), out(rows * columns);
  for (int i = 0; i < rows * columns; ++i) in[i] = 80.0f + 8.0f * std::sin(0.37 * i) + (i % columns) * 0.002f;
  float *d_in, *d_out;
  cudaMalloc(&d_in, in.size() * sizeof(float));
  cudaMalloc(&d_out, in.size() * sizeof(float));
  cudaMemcpy(d_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
  softmax_rows<<<rows, 128>>>(d_in, d_out, columns);
  cudaMemcpy(out.data(), d_out, in.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double worst = 0;
  for (int r = 0; r < rows; ++r) {
    double greatest = -1e30, sum = 0, total = 0;
    for (int c = 0; c < columns; ++c) greatest = std::fmax(greatest, in[r * columns + c]);
    for (int c = 0; c < columns; ++c) sum += std::exp(in[r * columns + c] - greatest);
    for (int c = 0; c < columns; ++c) {
      const double expected = std::exp(in[r * columns + c] - greatest) / sum;
      worst = std::fmax(worst, std::fabs(out[r * columns + c] - expected) / expected);
      total += out[r * columns + c];
    }
    if (r % 16 == 0) std::printf("row %2d adds up to %.4f\n", r, total);
  }
  std::printf("%s\n", worst < 1e-5 ? "within 1e-5 of the CPU" : "too far from the CPU");
  cudaFree(d_in);
  cudaFree(d_out);
  return worst < 1e-5 ? 0 : 1;
}
