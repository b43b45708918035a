// Kernels and copies that the time model was not made from: held_out [NAME ...]
//
// Build: nvcc -std=c++17 -O2 -arch=sm_90 held_out.cu -o held_out
// The model is frozen before this is first run on a GPU, and what comes out is reported as it falls
// (docs/time-model.md). None of these is in kernels/ or in the calibration table. Warm, from event to event:
// name, tab, microseconds.
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>

#include "measure.h"

namespace {

__device__ unsigned my_thread() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

// --- one pass over memory
// -----------------------------------------------------------------------------------

__global__ void scale_and_add(float a, const float* x, float* y, unsigned n) {
  const unsigned i = my_thread();
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void scale_and_add_double(double a, const double* x, double* y, unsigned n) {
  const unsigned i = my_thread();
  if (i < n) y[i] = a * x[i] + y[i];
}

struct Particle {
  float x, y, z, mass;
};
__global__ void split_particles(const Particle* in, float* x, float* y, float* z, float* mass, unsigned n) {
  const unsigned i = my_thread();
  if (i >= n) return;
  const Particle p = in[i];
  x[i] = p.x;
  y[i] = p.y;
  z[i] = p.z;
  mass[i] = p.mass;
}

__global__ void grey(const unsigned char* rgb, unsigned char* out, unsigned pixels) {
  const unsigned i = my_thread();
  if (i >= pixels) return;
  const float sum = 0.299f * rgb[3 * i] + 0.587f * rgb[3 * i + 1] + 0.114f * rgb[3 * i + 2];
  out[i] = static_cast<unsigned char>(sum + 0.5f);
}

__global__ void gather(const float* from, const unsigned* index, float* to, unsigned n) {
  const unsigned i = my_thread();
  if (i < n) to[i] = from[index[i]];
}

__global__ void scatter(const float* from, const unsigned* index, float* to, unsigned n) {
  const unsigned i = my_thread();
  if (i < n) to[index[i]] = from[i];
}

// --- arithmetic
// ---------------------------------------------------------------------------------------------

__global__ void hash(const unsigned* in, unsigned* out, unsigned n, int rounds) {
  const unsigned i = my_thread();
  if (i >= n) return;
  unsigned x = in[i];
  for (int k = 0; k < rounds; ++k) {
    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    x ^= x >> 12;
    x += __popc(x);
  }
  out[i] = x;
}

__global__ void option_price(const float* spot, const float* strike, float* call, unsigned n) {
  const unsigned i = my_thread();
  if (i >= n) return;
  constexpr float rate = 0.02f, volatility = 0.3f, years = 1.5f;
  const float root = volatility * sqrtf(years);
  const float d1 = (logf(spot[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years) / root;
  call[i] = spot[i] * normcdff(d1) - strike[i] * expf(-rate * years) * normcdff(d1 - root);
}

__global__ void escape_time(unsigned char* out, int width, int height, int most) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  const float cx = -2.0f + 3.0f * px / width, cy = -1.5f + 3.0f * py / height;
  float x = 0, y = 0;
  int k = 0;
  while (k < most && x * x + y * y < 4.0f) {
    const float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    ++k;
  }
  out[py * width + px] = static_cast<unsigned char>(k);
}

__global__ void gravity(const float4* body, float3* force, unsigned n) {
  __shared__ float4 held[256];
  const unsigned i = my_thread();
  const float4 me = body[i];
  float3 sum = {0, 0, 0};
  for (unsigned first = 0; first < n; first += 256) {
    held[threadIdx.x] = body[first + threadIdx.x];
    __syncthreads();
    for (unsigned k = 0; k < 256; ++k) {
      const float dx = held[k].x - me.x, dy = held[k].y - me.y, dz = held[k].z - me.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      const float pull = held[k].w * inverse * inverse * inverse;
      sum.x += dx * pull;
      sum.y += dy * pull;
      sum.z += dz * pull;
    }
    __syncthreads();
  }
  force[i] = sum;
}

// --- neighbours
// ---------------------------------------------------------------------------------------------

__global__ void life(const unsigned char* now, unsigned char* next, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= side - 1 || y >= side - 1) return;
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) alive += now[(y + dy) * side + x + dx];
  const int me = now[y * side + x];
  next[y * side + x] = alive == 3 || (alive == 4 && me == 1);
}

__constant__ float weights[25];
__global__ void filter_5x5(const float* in, float* out, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 || y < 2 || x >= side - 2 || y >= side - 2) return;
  float sum = 0;
#pragma unroll
  for (int dy = -2; dy <= 2; ++dy)
#pragma unroll
    for (int dx = -2; dx <= 2; ++dx) sum += weights[(dy + 2) * 5 + dx + 2] * in[(y + dy) * side + x + dx];
  out[y * side + x] = sum;
}

__global__ void heat_3d(const float* in, float* out, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= side - 1 || y >= side - 1) return;
  const int plane = side * side;
  for (int z = 1 + blockIdx.z * 16; z < side - 1 && z <= (static_cast<int>(blockIdx.z) + 1) * 16; ++z) {
    const int at = z * plane + y * side + x;
    out[at] = in[at] + 0.1f * (in[at - 1] + in[at + 1] + in[at - side] + in[at + side] + in[at - plane] +
                               in[at + plane] - 6.0f * in[at]);
  }
}

__global__ void blur_rows(const float* in, float* out, int n) {
  constexpr int radius = 8;
  __shared__ float held[256 + 2 * radius];
  const int i = static_cast<int>(my_thread());
  const auto at = [&](int k) { return k < 0 || k >= n ? 0.0f : in[k]; };
  held[threadIdx.x + radius] = at(i);
  if (threadIdx.x < radius) {
    held[threadIdx.x] = at(i - radius);
    held[threadIdx.x + 256 + radius] = at(i + 256);
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k <= 2 * radius; ++k) sum += held[threadIdx.x + k];
  if (i < n) out[i] = sum / (2 * radius + 1);
}

// --- rows and sums
// ------------------------------------------------------------------------------------------

__device__ float sum_of_warp(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  return v;
}
__device__ float most_of_warp(float v) {
  for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(~0u, v, d));
  return v;
}

__global__ void softmax_rows(const float* in, float* out, int rows, int columns) {
  const int row = static_cast<int>(my_thread() / 32), lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* from = in + static_cast<std::size_t>(row) * columns;
  float* to = out + static_cast<std::size_t>(row) * columns;
  float most = -INFINITY, sum = 0;
  for (int k = lane; k < columns; k += 32) most = fmaxf(most, from[k]);
  most = most_of_warp(most);
  for (int k = lane; k < columns; k += 32) sum += __expf(from[k] - most);
  sum = sum_of_warp(sum);
  for (int k = lane; k < columns; k += 32) to[k] = __expf(from[k] - most) / sum;
}

__global__ void normalise_rows(const float* in, float* out, int columns) {
  __shared__ float sums[2][8];
  const float* from = in + static_cast<std::size_t>(blockIdx.x) * columns;
  float sum = 0, squares = 0;
  for (int k = threadIdx.x; k < columns; k += blockDim.x) {
    sum += from[k];
    squares += from[k] * from[k];
  }
  sum = sum_of_warp(sum);
  squares = sum_of_warp(squares);
  if (threadIdx.x % 32 == 0) {
    sums[0][threadIdx.x / 32] = sum;
    sums[1][threadIdx.x / 32] = squares;
  }
  __syncthreads();
  sum = squares = 0;
  for (int w = 0; w < 8; ++w) {
    sum += sums[0][w];
    squares += sums[1][w];
  }
  const float mean = sum / columns, scale = rsqrtf(squares / columns - mean * mean + 1e-5f);
  for (int k = threadIdx.x; k < columns; k += blockDim.x)
    out[static_cast<std::size_t>(blockIdx.x) * columns + k] = (from[k] - mean) * scale;
}

__global__ void matrix_by_vector(const float* matrix, const float* vector, float* out, int columns) {
  const std::size_t row = my_thread() / 32;
  float sum = 0;
  for (int k = threadIdx.x % 32; k < columns; k += 32) sum += matrix[row * columns + k] * vector[k];
  sum = sum_of_warp(sum);
  if (threadIdx.x % 32 == 0) out[row] = sum;
}

__global__ void sums_of_columns(const float* matrix, float* out, int rows, int columns) {
  const unsigned column = my_thread();
  float sum = 0;
  for (int row = 0; row < rows; ++row) sum += matrix[static_cast<std::size_t>(row) * columns + column];
  out[column] = sum;
}

__global__ void sums_of_rows_by_one_thread(const float* matrix, float* out, int columns) {
  const std::size_t row = my_thread();
  float sum = 0;
  for (int k = 0; k < columns; ++k) sum += matrix[row * columns + k];
  out[row] = sum;
}

__global__ void dot(const float* x, const float* y, float* out, unsigned n) {
  __shared__ float held[512];
  float sum = 0;
  for (unsigned i = my_thread(); i < n; i += gridDim.x * blockDim.x) sum += x[i] * y[i];
  held[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) held[threadIdx.x] += held[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, held[0]);
}

__global__ void greatest(const int* in, int* out, unsigned n) {
  const unsigned i = my_thread();
  const int most = __reduce_max_sync(~0u, i < n ? in[i] : INT32_MIN);
  if (threadIdx.x % 32 == 0) atomicMax(out, most);
}

// --- order
// ---------------------------------------------------------------------------------------------------

__global__ void sort_in_blocks(int* values) {
  __shared__ int held[1024];
  const unsigned t = threadIdx.x, base = blockIdx.x * 1024;
  held[t] = values[base + t];
  held[t + 512] = values[base + t + 512];
  for (unsigned size = 2; size <= 1024; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned low = 2 * t - (t & (stride - 1)), high = low + stride;
      const bool up = (low & size) == 0;
      if ((held[low] > held[high]) == up) {
        const int other = held[low];
        held[low] = held[high];
        held[high] = other;
      }
    }
  }
  __syncthreads();
  values[base + t] = held[t];
  values[base + t + 512] = held[t + 512];
}

__global__ void running_sums_of_warps(const int* in, int* out, unsigned n) {
  const unsigned i = my_thread(), lane = threadIdx.x % 32;
  int sum = i < n ? in[i] : 0;
  for (unsigned d = 1; d < 32; d *= 2) {
    const int below = __shfl_up_sync(~0u, sum, d);
    if (lane >= d) sum += below;
  }
  if (i < n) out[i] = sum;
}

__global__ void keep_positive(const int* in, int* out, unsigned* count, unsigned n) {
  const unsigned i = my_thread(), lane = threadIdx.x % 32;
  const bool keep = i < n && in[i] > 0;
  const unsigned kept = __ballot_sync(~0u, keep);
  unsigned first = 0;
  if (lane == 0) first = atomicAdd(count, __popc(kept));
  first = __shfl_sync(~0u, first, 0);
  if (keep) out[first + __popc(kept & ((1u << lane) - 1))] = in[i];
}

__global__ void count_64(const unsigned char* in, unsigned* counts, unsigned n) {
  __shared__ unsigned mine[8][64];
  for (unsigned k = threadIdx.x; k < 8 * 64; k += blockDim.x) mine[k / 64][k % 64] = 0;
  __syncthreads();
  for (unsigned i = my_thread(); i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[threadIdx.x / 32][in[i] % 64], 1u);
  __syncthreads();
  if (threadIdx.x < 64) {
    unsigned sum = 0;
    for (int w = 0; w < 8; ++w) sum += mine[w][threadIdx.x];
    atomicAdd(&counts[threadIdx.x], sum);
  }
}

__global__ void count_words(const unsigned* in, unsigned* counts, unsigned n, unsigned bins) {
  const unsigned i = my_thread();
  if (i < n) atomicAdd(&counts[in[i] % bins], 1u);
}

// --- the rows
// -------------------------------------------------------------------------------------------------

class Rows {
 public:
  Rows(int count, char** names) : names_(names, names + count) {}
  void operator()(const char* name, const std::function<void()>& body) const {
    bool wanted = names_.empty();
    for (const std::string& n : names_) wanted = wanted || n == name;
    if (!wanted) return;
    std::printf("%s\t%.2f\n", name, event_us(body));
    std::fflush(stdout);
  }

 private:
  std::vector<std::string> names_;
};

template <class T, class Draw>
T* filled(std::size_t count, Draw draw) {
  std::mt19937 source(11);
  std::vector<T> values(count);
  for (T& v : values) v = draw(source);
  void* memory = nullptr;
  CHECK(cudaMalloc(&memory, count * sizeof(T)));
  CHECK(cudaMemcpy(memory, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  return static_cast<T*>(memory);
}

constexpr unsigned million4 = 1u << 22;
struct Memory {
  float *x, *y, *z;         // 2^24 floats in [0.5, 1.5)
  unsigned char* bytes;     // 2^24, any
  unsigned char* cells;     // 2^24, 0 or 1
  unsigned *index, *words;  // 2^22 places below 2^24; 2^22 words, any
  int* numbers;             // 2^22, either sign
};

// No two of these are the same: each step can be undone.
unsigned place(unsigned k) {
  constexpr unsigned all = (1u << 24) - 1;
  for (const unsigned odd : {0x5bd1e9u, 0x2c1b3du}) {
    k = (k * odd) & all;
    k ^= k >> 11;
  }
  return k;
}

Memory make_memory() {
  Memory m{};
  const auto near_one = [](std::mt19937& r) { return 0.5f + (r() >> 8) * 0x1p-24f; };
  m.x = filled<float>(1u << 24, near_one);
  m.y = filled<float>(1u << 24, near_one);
  m.z = filled<float>(1u << 24, near_one);
  m.bytes = filled<unsigned char>(3u << 22, [](std::mt19937& r) { return static_cast<unsigned char>(r()); });
  m.cells = filled<unsigned char>(million4,
                                  [](std::mt19937& r) { return static_cast<unsigned char>(r() % 3 == 0); });
  m.index = filled<unsigned>(million4, [k = 0u](std::mt19937&) mutable { return place(k++); });
  m.words = filled<unsigned>(million4, [](std::mt19937& r) { return static_cast<unsigned>(r()); });
  m.numbers = filled<int>(million4, [](std::mt19937& r) { return static_cast<int>(r()); });
  return m;
}

void passes(const Rows& row, const Memory& m) {
  const unsigned n = million4;
  row("scale and add, 2^22 floats", [&] { scale_and_add<<<n / 256, 256>>>(0.5f, m.x, m.y, n); });
  row("scale and add, 2^24 floats", [&] { scale_and_add<<<4 * n / 512, 512>>>(0.5f, m.x, m.y, 4 * n); });
  row("scale and add, 2^22 doubles", [&] {
    scale_and_add_double<<<n / 256, 256>>>(0.5, reinterpret_cast<double*>(m.x),
                                           reinterpret_cast<double*>(m.y), n);
  });
  row("2^22 particles split", [&] {
    split_particles<<<n / 128, 128>>>(reinterpret_cast<Particle*>(m.x), m.y, m.y + n, m.y + 2 * n,
                                      m.y + 3 * n, n);
  });
  row("2^22 pixels to grey", [&] { grey<<<n / 256, 256>>>(m.bytes, m.cells + 0, n); });
  row("gather 2^22 of 2^24", [&] { gather<<<n / 256, 256>>>(m.x, m.index, m.y, n); });
  row("scatter 2^22 to 2^24", [&] { scatter<<<n / 256, 256>>>(m.x, m.index, m.y, n); });
}

void arithmetic(const Rows& row, const Memory& m) {
  const unsigned n = million4;
  row("hash of 32 rounds, 2^20 words",
      [&] { hash<<<n / 4 / 256, 256>>>(m.words, reinterpret_cast<unsigned*>(m.z), n / 4, 32); });
  row("2^22 option prices", [&] { option_price<<<n / 256, 256>>>(m.x, m.y, m.z, n); });
  row("escape times, 1024 x 1024, 128", [&] {
    escape_time<<<dim3(64, 64), dim3(16, 16)>>>(reinterpret_cast<unsigned char*>(m.z), 1024, 1024, 128);
  });
  row("gravity of 8192 bodies", [&] {
    gravity<<<8192 / 256, 256>>>(reinterpret_cast<float4*>(m.x), reinterpret_cast<float3*>(m.z), 8192);
  });
}

void neighbours(const Rows& row, const Memory& m) {
  row("life, 2048 x 2048",
      [&] { life<<<dim3(64, 256), dim3(32, 8)>>>(m.cells, reinterpret_cast<unsigned char*>(m.z), 2048); });
  row("filter of 5 x 5, 2048 x 2048", [&] { filter_5x5<<<dim3(64, 256), dim3(32, 8)>>>(m.x, m.z, 2048); });
  row("heat in 256 x 256 x 256", [&] { heat_3d<<<dim3(8, 32, 16), dim3(32, 8)>>>(m.x, m.z, 256); });
  row("blur of radius 8, 2^22", [&] { blur_rows<<<million4 / 256, 256>>>(m.x, m.z, million4); });
}

void rows_and_sums(const Rows& row, const Memory& m) {
  row("softmax of 4096 rows of 1024", [&] { softmax_rows<<<4096 / 8, 256>>>(m.x, m.z, 4096, 1024); });
  row("4096 rows of 768 normalised", [&] { normalise_rows<<<4096, 256>>>(m.x, m.z, 768); });
  row("matrix by vector, 4096 x 4096", [&] { matrix_by_vector<<<4096 / 8, 256>>>(m.x, m.y, m.z, 4096); });
  row("sums of columns, 1024 x 4096", [&] { sums_of_columns<<<4096 / 128, 128>>>(m.x, m.z, 1024, 4096); });
  row("sums of rows by a thread each, 4096 x 1024",
      [&] { sums_of_rows_by_one_thread<<<4096 / 128, 128>>>(m.x, m.z, 1024); });
  row("dot product, 2^23", [&] { dot<<<264, 512>>>(m.x, m.y, m.z, 1u << 23); });
  row("greatest of 2^22",
      [&] { greatest<<<million4 / 256, 256>>>(m.numbers, reinterpret_cast<int*>(m.z), million4); });
}

void orders(const Rows& row, const Memory& m) {
  const unsigned n = million4;
  row("sort in blocks of 1024, 2^20",
      [&] { sort_in_blocks<<<n / 4 / 1024, 512>>>(reinterpret_cast<int*>(m.z)); });
  row("running sums of warps, 2^22",
      [&] { running_sums_of_warps<<<n / 256, 256>>>(m.numbers, reinterpret_cast<int*>(m.z), n); });
  row("positive ones of 2^20 kept", [&] {
    cudaMemsetAsync(m.y, 0, 4);
    keep_positive<<<n / 4 / 256, 256>>>(m.numbers, reinterpret_cast<int*>(m.z),
                                        reinterpret_cast<unsigned*>(m.y), n / 4);
  });
  row("64 counts of 2^22 bytes, by warps",
      [&] { count_64<<<264, 256>>>(m.bytes, reinterpret_cast<unsigned*>(m.z), n); });
  row("4096 counts of 2^22 words, global",
      [&] { count_words<<<n / 256, 256>>>(m.words, reinterpret_cast<unsigned*>(m.z), n, 4096); });
  row("32 counts of 2^20 words, global",
      [&] { count_words<<<n / 4 / 256, 256>>>(m.words, reinterpret_cast<unsigned*>(m.z), n / 4, 32); });
}

void copies(const Rows& row, const Memory& m) {
  constexpr std::size_t most = std::size_t{64} << 20;
  void *pageable = std::malloc(most), *pinned = nullptr;
  std::memset(pageable, 1, most);
  CHECK(cudaMallocHost(&pinned, most));
  std::memset(pinned, 1, most);
  const auto copy = [&](const char* name, void* to, const void* from, std::size_t kib, cudaMemcpyKind kind) {
    row(name, [=] { CHECK(cudaMemcpyAsync(to, from, kib << 10, kind)); });
  };
  copy("to device, pinned, 256 KiB", m.z, pinned, 256, cudaMemcpyHostToDevice);
  copy("to device, pinned, 4 MiB", m.z, pinned, 4096, cudaMemcpyHostToDevice);
  copy("to device, pinned, 64 MiB", m.z, pinned, 65536, cudaMemcpyHostToDevice);
  copy("to host, pinned, 256 KiB", pinned, m.z, 256, cudaMemcpyDeviceToHost);
  copy("to host, pinned, 4 MiB", pinned, m.z, 4096, cudaMemcpyDeviceToHost);
  copy("to device, pageable, 256 KiB", m.z, pageable, 256, cudaMemcpyHostToDevice);
  copy("to device, pageable, 4 MiB", m.z, pageable, 4096, cudaMemcpyHostToDevice);
  copy("to host, pageable, 256 KiB", pageable, m.z, 256, cudaMemcpyDeviceToHost);
  copy("to host, pageable, 4 MiB", pageable, m.z, 4096, cudaMemcpyDeviceToHost);
  copy("within the device, 1 MiB", m.z, m.x, 1024, cudaMemcpyDeviceToDevice);
  copy("within the device, 64 MiB", m.z, m.x, 65536, cudaMemcpyDeviceToDevice);
  row("memset of 64 MiB", [&] { CHECK(cudaMemsetAsync(m.z, 0, most)); });
  CHECK(cudaFreeHost(pinned));
  std::free(pageable);
}

}  // namespace

int main(int argc, char** argv) {
  const Rows row(argc - 1, argv + 1);
  float kernel[25];
  for (float& w : kernel) w = 0.04f;
  CHECK(cudaMemcpyToSymbol(weights, kernel, sizeof kernel));
  const Memory m = make_memory();
  passes(row, m);
  arithmetic(row, m);
  neighbours(row, m);
  rows_and_sums(row, m);
  copies(row, m);
  orders(row, m);
  CHECK(cudaDeviceSynchronize());
  return 0;
}
