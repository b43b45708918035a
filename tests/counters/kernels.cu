// Kernels that cover the access patterns of the lessons, one launch each, for comparing counters with Nsight
// Compute.
//
//   kernels              launches all, in the order of the list below
//   kernels NAME ...     these
//   kernels --list       their names
//
// record_on_a_gpu.sh runs it under ncu; counters_test.py runs the same file on the simulated device. Every
// access whose count is compared depends on an input or on a kernel argument, so that no compiler can foresee
// it. Each kernel's result is compared with the host's: a count of a wrong program would mean nothing.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "host.h"

constexpr int N = 1 << 16;  // elements of most patterns

// --- straight copies: 4, 8 and 16 bytes a thread, 2 and 1, and 8 of a double
// -----------------------------------------
template <class T>
__device__ void copy_one(const T* x, T* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}
__global__ void copy_float(const float* x, float* y, int n) {
  copy_one(x, y, n);
}
__global__ void copy_float2(const float2* x, float2* y, int n) {
  copy_one(x, y, n);
}
__global__ void copy_float4(const float4* x, float4* y, int n) {
  copy_one(x, y, n);
}
__global__ void copy_byte(const unsigned char* x, unsigned char* y, int n) {
  copy_one(x, y, n);
}
__global__ void scale_half(const __half* x, __half* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hadd(x[i], x[i]);
}
__global__ void scale_half2(const __half2* x, __half2* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hadd2(x[i], x[i]);
}
__global__ void axpy_double(const double* x, double* y, double a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

// --- where the addresses lie
// -----------------------------------------------------------------------------------------
__global__ void read_offset(const float* x, float* y, int offset, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i + offset];
}
__global__ void read_strided(const float* x, float* y, int stride, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i * stride];
}
__global__ void write_strided(const float* x, float* y, int stride, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i * stride] = x[i];
}
__global__ void gather(const float* x, const int* index, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[index[i]];
}
__global__ void scatter(const float* x, const int* index, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[index[i]] = x[i];
}
__global__ void broadcast(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i / 32];
}
__global__ void partial_warps(const float* x, float* y, int n) {  // blocks of 50, the last one cut short
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + 1.0f;
}
__global__ void array_of_structs(const float* points, float* y, int n) {  // three floats a thread
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = points[3 * i] + points[3 * i + 1] + points[3 * i + 2];
}
__global__ void grid_stride(const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 2.0f * x[i];
}

// --- divergence
// ------------------------------------------------------------------------------------------------------
__global__ void divergent(const float* x, const float* z, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (x[i] > 0.5f) {
    float sum = 0.0f;
    for (int k = 0; k < 4; ++k) sum += z[(i + 64 * k) % n];
    y[i] = sum;
  } else {
    y[n - 1 - i] = x[i];
  }
}
// Each lane walks its own length; lanes leave one by one.
__global__ void ragged_rows(const int* starts, const float* values, float* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
#pragma unroll 1
  for (int k = starts[row]; k < starts[row + 1]; ++k) sum += values[k];
  y[row] = sum;
}

// --- local memory and atomics
// ----------------------------------------------------------------------------------------
__global__ void local_array(const int* x, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int window[16];
#pragma unroll 1
  for (int k = 0; k < 16; ++k) window[(k * 5 + x[i]) & 15] = k;
  y[i] = window[x[i] & 15] + window[(x[i] >> 4) & 15];
}
__global__ void histogram(const int* x, unsigned* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[x[i] & 255], 1u);
}
__global__ void tickets(unsigned* counter, unsigned* ticket, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ticket[i] = atomicAdd(counter, 1u);
}

// --- shared memory
// --------------------------------------------------------------------------------------------------- The
// block turns its 256 elements round by way of shared memory, `stride` words apart.
__global__ void shared_stride(const int* x, int* y, int stride) {
  extern __shared__ int tile[];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t * stride] = x[i];
  __syncthreads();
  y[i] = tile[(blockDim.x - 1 - t) * stride];
}
__global__ void shared_broadcast(const float* x, float* y) {
  __shared__ float tile[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  tile[t] = x[i];
  __syncthreads();
  float sum = 0.0f;
#pragma unroll 1
  for (int k = 0; k < 32; ++k) sum += tile[(t & ~31) + k];  // one word for the whole warp
  y[i] = sum;
}
__global__ void shared_float4(const float4* x, float4* y) {
  __shared__ float4 tile[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  tile[t] = x[i];
  __syncthreads();
  y[i] = tile[255 - t];
}
__global__ void shared_double(const double* x, double* y) {
  __shared__ double tile[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  tile[t] = x[i];
  __syncthreads();
  y[i] = tile[t ^ 17];
}
__global__ void shared_histogram(const int* x, unsigned* bins, int n) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) atomicAdd(&mine[x[i] & 255], 1u);
  __syncthreads();
  if (mine[threadIdx.x] != 0) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
__global__ void stencil_halo(const float* x, float* y, int n) {
  constexpr int radius = 3;
  __shared__ float tile[256 + 2 * radius];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  tile[t + radius] = i < n ? x[i] : 0.0f;
  if (t < radius) {
    tile[t] = i >= radius ? x[i - radius] : 0.0f;
    tile[t + 256 + radius] = i + 256 < n ? x[i + 256] : 0.0f;
  }
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k <= 2 * radius; ++k) sum += tile[t + k];
  if (i < n) y[i] = sum;
}

// --- transposes: straight, tiled, tiled and padded
// -------------------------------------------------------------------
__global__ void transpose_straight(const float* x, float* y, int rows, int columns) {
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
  if (r < rows && c < columns) y[c * rows + r] = x[r * columns + c];
}
template <int width>
__device__ void transpose_tile(const float* x, float* y, int rows, int columns) {
  __shared__ float tile[32][width];
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) {
    if (r + k < rows && c < columns) tile[threadIdx.y + k][threadIdx.x] = x[(r + k) * columns + c];
  }
  __syncthreads();
  const int tr = blockIdx.x * 32 + threadIdx.y, tc = blockIdx.y * 32 + threadIdx.x;
  for (int k = 0; k < 32; k += 8) {
    if (tr + k < columns && tc < rows) y[(tr + k) * rows + tc] = tile[threadIdx.x][threadIdx.y + k];
  }
}
__global__ void transpose_tiled(const float* x, float* y, int rows, int columns) {
  transpose_tile<32>(x, y, rows, columns);
}
__global__ void transpose_padded(const float* x, float* y, int rows, int columns) {
  transpose_tile<33>(x, y, rows, columns);
}

// --- reduction and matrix product
// ------------------------------------------------------------------------------------
__global__ void reduce_shuffle(const int* x, int* sums, int n) {
  __shared__ int of_warp[8];
  int sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += x[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; ++w) sum += of_warp[w];
    sums[blockIdx.x] = sum;
  }
}
__global__ void multiply_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float ta[16][16], tb[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < n; k0 += 16) {
    ta[ty][tx] = a[row * n + k0 + tx];
    tb[ty][tx] = b[(k0 + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += ta[ty][k] * tb[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

namespace {

// --- the host's side
// -------------------------------------------------------------------------------------------------
template <class T, class Kernel>
void run_copy(const char* name, Kernel kernel, int n) {
  std::vector<T> in(n);
  for (std::size_t k = 0; k < n * sizeof(T); ++k)
    reinterpret_cast<unsigned char*>(in.data())[k] = mixed(k) & 63;
  Array<T> x(in), y(std::vector<T>(n, T{}));
  kernel<<<(n + 255) / 256, 256>>>(x.device, y.device, n);
  expect(name, y.now(), in);
}

template <class H, class Kernel>
void run_half(const char* name, Kernel kernel) {
  const auto values = numbers<float>(N);
  std::vector<__half> in(N), wanted(N);
  for (int i = 0; i < N; ++i) in[i] = __float2half(values[i]), wanted[i] = __float2half(2 * values[i]);
  Array<__half> x(in), y(std::vector<__half>(N, __float2half(0.0f)));
  const int n = N * sizeof(__half) / sizeof(H);
  kernel<<<(n + 255) / 256, 256>>>(reinterpret_cast<const H*>(x.device), reinterpret_cast<H*>(y.device), n);
  expect(name, y.now(), wanted);
}

void run_double() {
  const auto in = numbers<double>(N);
  auto wanted = in;
  for (auto& v : wanted) v += 3.0 * v;
  Array<double> x(in), y(in);
  axpy_double<<<N / 256, 256>>>(x.device, y.device, 3.0, N);
  expect("axpy_double", y.now(), wanted);
}

void run_read_offset() {
  const auto in = numbers<float>(N + 32);
  Array<float> x(in), y(std::vector<float>(N, 0));
  read_offset<<<N / 256, 256>>>(x.device, y.device, 5, N);
  expect("read_offset", y.now(), std::vector<float>(in.begin() + 5, in.begin() + 5 + N));
}
void run_read_strided() {
  const int n = N / 4, stride = 3;
  const auto in = numbers<float>(n * stride);
  std::vector<float> wanted(n);
  for (int i = 0; i < n; ++i) wanted[i] = in[i * stride];
  Array<float> x(in), y(std::vector<float>(n, 0));
  read_strided<<<n / 256, 256>>>(x.device, y.device, stride, n);
  expect("read_strided", y.now(), wanted);
}
void run_write_strided() {
  const int n = N / 4, stride = 8;
  const auto in = numbers<float>(n);
  std::vector<float> wanted(n * stride, -1.0f);
  for (int i = 0; i < n; ++i) wanted[i * stride] = in[i];
  Array<float> x(in), y(std::vector<float>(n * stride, -1.0f));
  write_strided<<<n / 256, 256>>>(x.device, y.device, stride, n);
  expect("write_strided", y.now(), wanted);
}
void run_indexed(bool writes) {
  const auto in = numbers<float>(N);
  const auto index = permutation(N);
  std::vector<float> wanted(N);
  for (int i = 0; i < N; ++i) (writes ? wanted[index[i]] : wanted[i]) = in[writes ? i : index[i]];
  Array<float> x(in), y(std::vector<float>(N, 0));
  Array<int> places(index);
  (writes ? scatter : gather)<<<N / 256, 256>>>(x.device, places.device, y.device, N);
  expect(writes ? "scatter" : "gather", y.now(), wanted);
}
void run_broadcast() {
  const auto in = numbers<float>(N / 32);
  std::vector<float> wanted(N);
  for (int i = 0; i < N; ++i) wanted[i] = in[i / 32];
  Array<float> x(in), y(std::vector<float>(N, 0));
  broadcast<<<N / 256, 256>>>(x.device, y.device, N);
  expect("broadcast", y.now(), wanted);
}
void run_partial_warps() {
  const int n = 10007;
  const auto in = numbers<float>(n);
  auto wanted = in;
  for (auto& v : wanted) v += 1.0f;
  Array<float> x(in), y(std::vector<float>(n, 0));
  partial_warps<<<(n + 49) / 50, 50>>>(x.device, y.device, n);
  expect("partial_warps", y.now(), wanted);
}
void run_array_of_structs() {
  const int n = N / 4;
  const auto in = numbers<float>(3 * n);
  std::vector<float> wanted(n);
  for (int i = 0; i < n; ++i) wanted[i] = in[3 * i] + in[3 * i + 1] + in[3 * i + 2];
  Array<float> x(in), y(std::vector<float>(n, 0));
  array_of_structs<<<n / 256, 256>>>(x.device, y.device, n);
  expect("array_of_structs", y.now(), wanted);
}
void run_grid_stride() {
  const int n = N + 77;
  const auto in = numbers<float>(n);
  auto wanted = in;
  for (auto& v : wanted) v *= 2.0f;
  Array<float> x(in), y(std::vector<float>(n, 0));
  grid_stride<<<30, 128>>>(x.device, y.device, n);
  expect("grid_stride", y.now(), wanted);
}
void run_divergent() {
  const auto in = fractions(N), other = numbers<float>(N);
  // Only places that no other thread writes: x of a place and of its mirror image lie on the same side.
  auto x_host = in;
  for (int i = 0; i < N / 2; ++i) x_host[N - 1 - i] = x_host[i];
  std::vector<float> wanted(N);
  for (int i = 0; i < N; ++i) {
    if (x_host[i] > 0.5f) {
      float sum = 0;
      for (int k = 0; k < 4; ++k) sum += other[(i + 64 * k) % N];
      wanted[i] = sum;
    } else {
      wanted[N - 1 - i] = x_host[i];
    }
  }
  Array<float> x(x_host), z(other), y(std::vector<float>(N, 0));
  divergent<<<N / 256, 256>>>(x.device, z.device, y.device, N);
  expect("divergent", y.now(), wanted);
}
void run_ragged_rows() {
  const int rows = 4096;
  std::vector<int> starts(rows + 1, 0);
  for (int r = 0; r < rows; ++r) starts[r + 1] = starts[r] + mixed(r) % 12;
  const auto values = numbers<float>(starts[rows]);
  std::vector<float> wanted(rows, 0.0f);
  for (int r = 0; r < rows; ++r) {
    for (int k = starts[r]; k < starts[r + 1]; ++k) wanted[r] += values[k];
  }
  Array<int> s(starts);
  Array<float> v(values), y(std::vector<float>(rows, 0));
  ragged_rows<<<rows / 128, 128>>>(s.device, v.device, y.device, rows);
  expect("ragged_rows", y.now(), wanted);
}
void run_local_array() {
  const int n = N / 4;
  const auto in = numbers<int>(n);
  std::vector<int> wanted(n);
  for (int i = 0; i < n; ++i) {
    int window[16];
    for (int k = 0; k < 16; ++k) window[(k * 5 + in[i]) & 15] = k;
    wanted[i] = window[in[i] & 15] + window[(in[i] >> 4) & 15];
  }
  Array<int> x(in), y(std::vector<int>(n, 0));
  local_array<<<n / 128, 128>>>(x.device, y.device, n);
  expect("local_array", y.now(), wanted);
}
void run_histogram(bool shared) {
  const int n = N - 100;
  const auto in = numbers<int>(n);
  std::vector<unsigned> wanted(256, 0);
  for (int v : in) ++wanted[v & 255];
  Array<int> x(in);
  Array<unsigned> bins(std::vector<unsigned>(256, 0));
  (shared ? shared_histogram : histogram)<<<(n + 255) / 256, 256>>>(x.device, bins.device, n);
  expect(shared ? "shared_histogram" : "histogram", bins.now(), wanted);
}
void run_tickets() {
  const int n = 5000;
  Array<unsigned> counter({0u}), ticket(std::vector<unsigned>(n, 0));
  tickets<<<(n + 127) / 128, 128>>>(counter.device, ticket.device, n);
  std::vector<unsigned> seen(n, 0), once(n, 1);
  for (unsigned t : ticket.now()) seen[t % n] += 1;
  expect("tickets", seen, once);
}
void run_shared_stride() {
  const int n = 64 * 256, stride = 8;
  const auto in = numbers<int>(n);
  std::vector<int> wanted(n);
  for (int i = 0; i < n; ++i) wanted[i] = in[i / 256 * 256 + 255 - i % 256];
  Array<int> x(in), y(std::vector<int>(n, 0));
  shared_stride<<<64, 256, 256 * stride * sizeof(int)>>>(x.device, y.device, stride);
  expect("shared_stride", y.now(), wanted);
}
void run_shared_broadcast() {
  const int n = 64 * 256;
  const auto in = numbers<float>(n);
  std::vector<float> wanted(n, 0.0f);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 32; ++k) wanted[i] += in[i / 32 * 32 + k];
  }
  Array<float> x(in), y(std::vector<float>(n, 0));
  shared_broadcast<<<64, 256>>>(x.device, y.device);
  expect("shared_broadcast", y.now(), wanted);
}
void run_shared_float4() {
  const int n = 64 * 256;
  const auto flat = numbers<float>(4 * n);
  std::vector<float4> in(n), wanted(n);
  std::memcpy(in.data(), flat.data(), n * sizeof(float4));
  for (int i = 0; i < n; ++i) wanted[i] = in[i / 256 * 256 + 255 - i % 256];
  Array<float4> x(in), y(std::vector<float4>(n, float4{}));
  shared_float4<<<64, 256>>>(x.device, y.device);
  expect("shared_float4", y.now(), wanted);
}
void run_shared_double() {
  const int n = 64 * 256;
  const auto in = numbers<double>(n);
  std::vector<double> wanted(n);
  for (int i = 0; i < n; ++i) wanted[i] = in[i / 256 * 256 + (i % 256 ^ 17)];
  Array<double> x(in), y(std::vector<double>(n, 0));
  shared_double<<<64, 256>>>(x.device, y.device);
  expect("shared_double", y.now(), wanted);
}
void run_stencil_halo() {
  const int n = N - 33;
  const auto in = numbers<float>(n);
  std::vector<float> wanted(n, 0.0f);
  for (int i = 0; i < n; ++i) {
    for (int k = i - 3; k <= i + 3; ++k) wanted[i] += k >= 0 && k < n ? in[k] : 0.0f;
  }
  Array<float> x(in), y(std::vector<float>(n, 0));
  stencil_halo<<<(n + 255) / 256, 256>>>(x.device, y.device, n);
  expect("stencil_halo", y.now(), wanted);
}
template <class Kernel>
void run_transpose(const char* name, Kernel kernel, int rows_of_block) {
  const int rows = 200, columns = 300;
  const auto in = numbers<float>(rows * columns);
  std::vector<float> wanted(rows * columns);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) wanted[c * rows + r] = in[r * columns + c];
  }
  Array<float> x(in), y(std::vector<float>(rows * columns, 0));
  kernel<<<dim3((columns + 31) / 32, (rows + rows_of_block - 1) / rows_of_block), dim3(32, 8)>>>(
      x.device, y.device, rows, columns);
  expect(name, y.now(), wanted);
}
void run_reduce_shuffle() {
  const int n = N - 1000, blocks = 40;
  const auto in = numbers<int>(n);
  std::vector<int> wanted(blocks, 0);
  for (int i = 0; i < n; ++i) wanted[i / 256 % blocks] += in[i];
  Array<int> x(in), sums(std::vector<int>(blocks, 0));
  reduce_shuffle<<<blocks, 256>>>(x.device, sums.device, n);
  expect("reduce_shuffle", sums.now(), wanted);
}
void run_multiply_tiled() {
  const int n = 96;
  std::vector<float> in(n * n), wanted(n * n, 0.0f);
  for (int i = 0; i < n * n; ++i) in[i] = mixed(i) & 7;
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) {
      for (int k = 0; k < n; ++k) wanted[r * n + c] += in[r * n + k] * in[k * n + c];
    }
  }
  Array<float> a(in), b(in), c(std::vector<float>(n * n, 0));
  multiply_tiled<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a.device, b.device, c.device, n);
  expect("multiply_tiled", c.now(), wanted);
}

struct Pattern {
  const char* name;
  void (*run)();
};
const Pattern patterns[] = {
    {"copy_float", [] { run_copy<float>("copy_float", copy_float, N); }},
    {"copy_float2", [] { run_copy<float2>("copy_float2", copy_float2, N / 2); }},
    {"copy_float4", [] { run_copy<float4>("copy_float4", copy_float4, N / 4 + 3); }},
    {"copy_byte", [] { run_copy<unsigned char>("copy_byte", copy_byte, N + 5); }},
    {"scale_half", [] { run_half<__half>("scale_half", scale_half); }},
    {"scale_half2", [] { run_half<__half2>("scale_half2", scale_half2); }},
    {"axpy_double", run_double},
    {"read_offset", run_read_offset},
    {"read_strided", run_read_strided},
    {"write_strided", run_write_strided},
    {"gather", [] { run_indexed(false); }},
    {"scatter", [] { run_indexed(true); }},
    {"broadcast", run_broadcast},
    {"partial_warps", run_partial_warps},
    {"array_of_structs", run_array_of_structs},
    {"grid_stride", run_grid_stride},
    {"divergent", run_divergent},
    {"ragged_rows", run_ragged_rows},
    {"local_array", run_local_array},
    {"histogram", [] { run_histogram(false); }},
    {"tickets", run_tickets},
    {"shared_stride", run_shared_stride},
    {"shared_broadcast", run_shared_broadcast},
    {"shared_float4", run_shared_float4},
    {"shared_double", run_shared_double},
    {"shared_histogram", [] { run_histogram(true); }},
    {"stencil_halo", run_stencil_halo},
    {"transpose_straight", [] { run_transpose("transpose_straight", transpose_straight, 8); }},
    {"transpose_tiled", [] { run_transpose("transpose_tiled", transpose_tiled, 32); }},
    {"transpose_padded", [] { run_transpose("transpose_padded", transpose_padded, 32); }},
    {"reduce_shuffle", run_reduce_shuffle},
    {"multiply_tiled", run_multiply_tiled},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  for (const Pattern& pattern : patterns) {
    bool wanted = argc == 1;
    for (int a = 1; a < argc; ++a) wanted = wanted || std::strcmp(argv[a], pattern.name) == 0;
    if (first == "--list") std::printf("%s\n", pattern.name);
    if (!wanted) continue;
    pattern.run();
    CHECK(cudaGetLastError());
  }
  return failures == 0 ? 0 : 1;
}
