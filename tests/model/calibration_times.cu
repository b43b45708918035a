// The kernels and copies of the calibration table (h200_calibration.tsv), timed again: calibration_times
// [quick|whole]
//
// On the simulated device calibration.py compares what this prints with the table; on a GPU it shows how
// yours differs from the recorded one. One row a line: name, tab, value (microseconds; of a chase:
// nanoseconds a hop). `quick` leaves out what takes the simulated device more than a second or two.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

void must(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "calibration_times: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

// --- the kernels
// ---------------------------------------------------------------------------------------------

__global__ void nothing() {}

__global__ void add(const float* x, const float* y, float* sum, int n) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < n) sum[at] = x[at] + y[at];
}

__global__ void add_in_strides(const float* x, const float* y, float* sum, int n) {
  const int threads = gridDim.x * blockDim.x;
  for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < n; at += threads) sum[at] = x[at] + y[at];
}

__global__ void pick_every(const float* from, float* to, int n, int step) {
  const long at = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (at < n) to[at] = from[at * step];
}

// Tiles of 32 x 32 by blocks of 32 x 8.
constexpr int side = 32, rows_at_once = 8;
struct Tile {
  int x, y;
};
__device__ Tile my_tile() {
  return {static_cast<int>(blockIdx.x * side + threadIdx.x),
          static_cast<int>(blockIdx.y * side + threadIdx.y)};
}

__global__ void copy_tiles(const float* from, float* to, int width, int height) {
  const Tile t = my_tile();
  for (int k = 0; k < side; k += rows_at_once) {
    if (t.x < width && t.y + k < height) {
      const long at = static_cast<long>(t.y + k) * width + t.x;
      to[at] = from[at];
    }
  }
}

__global__ void turn(const float* from, float* to, int width, int height) {
  const Tile t = my_tile();
  for (int k = 0; k < side; k += rows_at_once) {
    if (t.x < width && t.y + k < height)
      to[static_cast<long>(t.x) * height + t.y + k] = from[static_cast<long>(t.y + k) * width + t.x];
  }
}

__global__ void turn_by_tiles(const float* from, float* to, int width, int height) {
  __shared__ float held[side][side + 1];
  const Tile t = my_tile();
  for (int k = 0; k < side; k += rows_at_once) {
    if (t.x < width && t.y + k < height)
      held[threadIdx.y + k][threadIdx.x] = from[static_cast<long>(t.y + k) * width + t.x];
  }
  __syncthreads();
  const int x = blockIdx.y * side + threadIdx.x, y = blockIdx.x * side + threadIdx.y;
  for (int k = 0; k < side; k += rows_at_once) {
    if (x < height && y + k < width)
      to[static_cast<long>(y + k) * height + x] = held[threadIdx.x][threadIdx.y + k];
  }
}

struct Images {
  int n, c, h, w;
  long count() const { return static_cast<long>(n) * c * h * w; }
};

// One thread a number, in the order of the planes it reads ...
__global__ void to_channels_last_by_input(const float* planes, float* pixels, int n, int c, int h, int w) {
  const long at = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (at >= static_cast<long>(n) * c * h * w) return;
  const long x = at % w, y = at / w % h, channel = at / w / h % c, image = at / w / h / c;
  pixels[((image * h + y) * w + x) * c + channel] = planes[at];
}
// ... and in the order of the pixels it writes.
__global__ void to_channels_last_by_output(const float* planes, float* pixels, int n, int c, int h, int w) {
  const long at = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (at >= static_cast<long>(n) * c * h * w) return;
  const long channel = at % c, x = at / c % w, y = at / c / w % h, image = at / c / w / h;
  pixels[at] = planes[((image * c + channel) * h + y) * w + x];
}

__global__ void normalise(const unsigned char* from, __half* to, long n) {
  const long at = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (at < n) to[at] = __float2half((from[at] - 127.5f) * (1.0f / 58.0f));
}

__global__ void sum_by_atomics(const float* x, float* sum, int n) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < n) atomicAdd(sum, x[at]);
}

__global__ void sum_by_warps(const float* x, float* sum, int n) {
  float mine = 0;
  for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < n; at += gridDim.x * blockDim.x) mine += x[at];
  for (int away = 16; away > 0; away /= 2) mine += __shfl_down_sync(0xffffffffu, mine, away);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float dot = 0;
  for (int k = 0; k < n; ++k) dot += a[row * n + k] * b[k * n + column];
  c[row * n + column] = dot;
}

__global__ void multiply_by_tiles(const float* a, const float* b, float* c, int n) {
  __shared__ float left[side][side], right[side][side];
  const Tile t = my_tile();
  float dot = 0;
  for (int first = 0; first < n; first += side) {
    left[threadIdx.y][threadIdx.x] = a[t.y * n + first + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + t.x];
    __syncthreads();
    for (int k = 0; k < side; ++k) dot += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[t.y * n + t.x] = dot;
}

// Lanes in `ways` groups, one after the other.
__global__ void part_ways(float* values, int n, int ways) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n) return;
  const int mine = threadIdx.x % ways;
  float v = values[at];
  for (int way = 0; way < ways; ++way) {
    if (mine != way) continue;
    for (int k = 0; k < 256; ++k) v = v * 1.0001f + way;
  }
  values[at] = v;
}

// A thousand loads from words `step` apart, the address of each known only when the last has come.
__global__ void read_banks(float* out, int step) {
  __shared__ float words[1024];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) words[k] = k;
  __syncthreads();
  int at = threadIdx.x % 32 * step % 1024;
  float sum = 0;
  for (int k = 0; k < 1024; ++k) {
    sum += words[at];
    at = (at + (sum > 1e30f)) % 1024;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void four_chains(float* out, int times) {
  const float by = 1.0001f, more = 0.5f;
  float p = threadIdx.x, q = p + 1, r = p + 2, s = p + 3;
  for (int k = 0; k < times; ++k) {
    p = p * by + more;
    q = q * by + more;
    r = r * by + more;
    s = s * by + more;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = p + q + r + s;
}

__global__ void count_bytes(const unsigned char* bytes, unsigned* counts, int n) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < n) atomicAdd(&counts[bytes[at]], 1u);
}

__global__ void wait(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

constexpr int line = 32;  // words
__global__ void set_next(unsigned* words, const unsigned* order, unsigned hops) {
  const unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < hops) words[std::size_t{order[k]} * line] = order[(k + 1) % hops];
}
__global__ void chase(const unsigned* words, unsigned from, unsigned hops, unsigned* end) {
  unsigned at = from;
  for (unsigned k = 0; k < hops; ++k) at = words[std::size_t{at} * line];
  *end = at;
}

// --- how they are timed
// ----------------------------------------------------------------------------------------

bool simulated() {
  return dlsym(RTLD_DEFAULT, "wbFlushL2") != nullptr;
}

// Median microseconds from event to event. The simulated device takes the same time each time; the run before
// puts L2 into the state it has in a row of runs, and a first launch loads the kernel.
double event_us(const std::function<void()>& body, const std::function<void()>& before = nullptr) {
  const int samples = simulated() ? 1 : 15, warm_up = simulated() ? 1 : 3;
  cudaEvent_t begin, end;
  must(cudaEventCreate(&begin));
  must(cudaEventCreate(&end));
  std::vector<float> times;
  for (int k = 0; k < samples + warm_up; ++k) {
    if (before) before();
    must(cudaEventRecord(begin));
    body();
    must(cudaEventRecord(end));
    must(cudaEventSynchronize(end));
    float ms = 0;
    must(cudaEventElapsedTime(&ms, begin, end));
    if (k >= warm_up) times.push_back(ms);
  }
  must(cudaGetLastError());
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::sort(times.begin(), times.end());
  return 1e3 * times[times.size() / 2];
}

// Median microseconds of the host until the device is done.
double wall_us(const std::function<void()>& body) {
  std::vector<double> times;
  for (int k = 0; k < (simulated() ? 2 : 8); ++k) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    must(cudaDeviceSynchronize());
    const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - begin;
    if (k > 0) times.push_back(taken.count());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// --- the rows
// ----------------------------------------------------------------------------------------------------

enum class Cost { small, large };  // for the simulated device

class Table {
 public:
  Table(bool small, bool large) : small_(small), large_(large) {}
  bool wants(Cost cost) const { return cost == Cost::small ? small_ : large_; }
  void row(Cost cost, const std::string& name, const std::function<double()>& value) const {
    if (!wants(cost)) return;
    std::printf("%s\t%.2f\n", name.c_str(), value());
    std::fflush(stdout);
  }
  void timed(Cost cost, const std::string& name, const std::function<void()>& body) const {
    row(cost, name, [&] { return event_us(body); });
  }

 private:
  bool small_, large_;
};

template <class... Values>
std::string text(const char* format, Values... values) {
  char s[100];
  std::snprintf(s, sizeof s, format, values...);
  return s;
}

struct Memory {
  float *a, *b, *c;
};
constexpr int million16 = 1 << 24;

void additions(const Table& t, const Memory& m) {
  const auto rows = [&](int log2_n, int block, Cost cost) {
    const int n = 1 << log2_n;
    t.timed(cost, text("vadd n=2^%d b%d", log2_n, block),
            [&] { add<<<(n - 1) / block + 1, block>>>(m.a, m.b, m.c, n); });
  };
  for (const int log2_n : {10, 14, 16, 18, 20, 24}) rows(log2_n, 256, Cost::small);
  for (const int log2_n : {26, 28}) rows(log2_n, 256, Cost::large);
  rows(24, 1, Cost::large);
  for (const int block : {32, 64, 128, 1024}) rows(24, block, Cost::small);
  const auto in_strides = [&](Cost cost, const char* name, int n, int grid, int block) {
    t.timed(cost, name, [&] { add_in_strides<<<grid, block>>>(m.a, m.b, m.c, n); });
  };
  in_strides(Cost::small, "vadd_gs 2^24 132x1024", million16, 132, 1024);
  in_strides(Cost::large, "vadd_gs 2^24 1x1024", million16, 1, 1024);
  in_strides(Cost::small, "vadd_gs 2^16 1x1", 1 << 16, 1, 1);
  for (const int step : {1, 2, 8, 32}) {
    const int n = 1 << 23;
    t.timed(step == 32 ? Cost::large : Cost::small, text("strided n=2^23 s=%d", step),
            [&] { pick_every<<<n / 256, 256>>>(m.a, m.c, n, step); });
  }
}

void layouts(const Table& t, const Memory& m) {
  for (const int n : {1024, 4096, 8192}) {
    const Cost cost = n == 8192 ? Cost::large : Cost::small;
    const dim3 grid(n / side, n / side), block(side, rows_at_once);
    t.timed(cost, text("copyk %d", n), [&] { copy_tiles<<<grid, block>>>(m.a, m.c, n, n); });
    t.timed(cost, text("tr_naive %d", n), [&] { turn<<<grid, block>>>(m.a, m.c, n, n); });
    t.timed(cost, text("tr_tile pad %d", n), [&] { turn_by_tiles<<<grid, block>>>(m.a, m.c, n, n); });
  }
  for (const Images& s : {Images{64, 3, 224, 224}, Images{16, 32, 112, 112}, Images{16, 256, 112, 112}}) {
    const Cost cost = s.c == 256 ? Cost::large : Cost::small;
    const auto grid = static_cast<unsigned>((s.count() + 255) / 256);
    t.timed(cost, text("nchw2nhwc in-order C=%d", s.c),
            [&] { to_channels_last_by_input<<<grid, 256>>>(m.a, m.c, s.n, s.c, s.h, s.w); });
    t.timed(cost, text("nchw2nhwc out-order C=%d", s.c),
            [&] { to_channels_last_by_output<<<grid, 256>>>(m.a, m.c, s.n, s.c, s.h, s.w); });
  }
  t.timed(Cost::large, "u8norm 2^26", [&] {
    normalise<<<(1 << 26) / 256, 256>>>(reinterpret_cast<unsigned char*>(m.a), reinterpret_cast<__half*>(m.c),
                                        1l << 26);
  });
}

void sums_and_products(const Table& t, const Memory& m) {
  t.timed(Cost::large, "red_atomic 2^24",
          [&] { sum_by_atomics<<<million16 / 256, 256>>>(m.a, m.c, million16); });
  t.timed(Cost::small, "red_shfl 2^24", [&] { sum_by_warps<<<264, 1024>>>(m.a, m.c, million16); });
  for (const int n : {512, 1024, 2048}) {
    const dim3 grid(n / side, n / side), block(side, side);
    const Cost cost = n == 512 ? Cost::small : Cost::large;
    t.timed(cost, text("mm_naive %d", n), [&] { multiply<<<grid, block>>>(m.a, m.b, m.c, n); });
    if (n == 1024) continue;  // was not recorded
    t.timed(cost, text("mm_tile %d", n), [&] { multiply_by_tiles<<<grid, block>>>(m.a, m.b, m.c, n); });
  }
  for (const int ways : {1, 2, 8, 32}) {
    const int n = 1 << 22;
    t.timed(Cost::large, text("diverge ways=%d 2^22", ways),
            [&] { part_ways<<<n / 256, 256>>>(m.c, n, ways); });
  }
  for (const int step : {1, 2, 8, 32})
    t.timed(step == 1 || step == 32 ? Cost::small : Cost::large, text("bank stride=%d", step),
            [&] { read_banks<<<4 * 132, 256>>>(m.c, step); });
  t.timed(Cost::large, "fma 132*16x256 it4096", [&] { four_chains<<<132 * 16, 256>>>(m.c, 4096); });
  t.timed(Cost::small, "fma 1x32 it4096", [&] { four_chains<<<1, 32>>>(m.c, 4096); });
  t.timed(Cost::large, "hist_g 2^24", [&] {
    count_bytes<<<million16 / 256, 256>>>(reinterpret_cast<unsigned char*>(m.a),
                                          reinterpret_cast<unsigned*>(m.c), million16);
  });
}

void launches(const Table& t, const Memory& m) {
  t.timed(Cost::large, "memcpyD2D 1GiB",
          [&] { must(cudaMemcpyAsync(m.c, m.a, std::size_t{1} << 30, cudaMemcpyDeviceToDevice)); });
  t.timed(Cost::small, "empty launch", [] { nothing<<<1, 32>>>(); });
  t.timed(Cost::small, "empty x100", [] {
    for (int k = 0; k < 100; ++k) nothing<<<1, 32>>>();
  });
  for (const int block : {32, 128, 256, 1024})
    t.timed(Cost::small, text("nothing, block %d", block), [&] { nothing<<<(1 << 22) / block, block>>>(); });
  for (const int block : {64, 128, 256}) {
    const int n = 1 << 26;
    t.timed(Cost::large, text("vadd 2^26, block %d", block),
            [&] { add<<<n / block, block>>>(m.a, m.b, m.c, n); });
  }
}

// Nothing of use in L2, and the launch hidden behind other work.
void evict() {
  if (simulated()) {
    reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "wbFlushL2"))();
    reinterpret_cast<void (*)(double)>(dlsym(RTLD_DEFAULT, "wbDeviceWork"))(30);
    return;
  }
  constexpr int n = 1 << 26;
  static float* const filler = [] {  // never freed; the sum lies behind the numbers
    void* memory = nullptr;
    must(cudaMalloc(&memory, (n + 1) * sizeof(float)));
    must(cudaMemset(memory, 0, (n + 1) * sizeof(float)));
    return static_cast<float*>(memory);
  }();
  sum_by_warps<<<264, 1024>>>(filler, filler + n, n);
}

void cold(const Table& t, const Memory& m) {
  for (const int log2_n : {18, 20, 24}) {
    const int n = 1 << log2_n;
    const auto body = [&] { add<<<n / 256, 256>>>(m.a, m.b, m.c, n); };
    t.timed(Cost::small, text("vadd 2^%d warm", log2_n), body);
    t.row(Cost::small, text("vadd 2^%d cold", log2_n), [&] { return event_us(body, evict); });
  }
}

// Nanoseconds a hop: a longer walk less a shorter one.
void chases(const Table& t) {
  unsigned *order_on_device, *end;
  must(cudaMalloc(&end, sizeof *end));
  for (const std::size_t kib : {16u, 128u, 8192u, 32768u, 2097152u}) {
    t.row(Cost::small, text("chase %zu KiB", kib), [&] {
      const auto lines = static_cast<unsigned>(kib * 8), hops = std::min(lines, 16384u);
      std::vector<unsigned> order(lines);
      std::iota(order.begin(), order.end(), 0u);
      std::shuffle(order.begin(), order.end(), std::mt19937(7));
      unsigned* words;
      must(cudaMalloc(&words, kib * 1024));
      must(cudaMalloc(&order_on_device, hops * sizeof(unsigned)));
      must(cudaMemcpy(order_on_device, order.data(), hops * sizeof(unsigned), cudaMemcpyHostToDevice));
      set_next<<<(hops + 255) / 256, 256>>>(words, order_on_device, hops);
      // In L1 what a pass before has brought counts, in L2 that each line is new.
      const unsigned longer = kib <= 128 ? 24 * hops : hops, shorter = kib <= 128 ? 8 * hops : hops / 2;
      const auto walk = [&](unsigned length) {
        return event_us([&] { chase<<<1, 1>>>(words, order[0], length, end); },
                        [&] {
                          if (kib > 32768 && simulated())
                            reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "wbFlushL2"))();
                        });
      };
      const double ns = 1e3 * (walk(longer) - walk(shorter)) / (longer - shorter);
      cudaFree(words);
      cudaFree(order_on_device);
      return ns;
    });
  }
  cudaFree(end);
}

void transfers(const Table& t, const Memory& m) {
  for (const std::size_t kib : {4u, 64u, 1024u, 16384u, 262144u}) {
    const std::size_t bytes = kib * 1024;
    const Cost cost = kib == 262144 ? Cost::large : Cost::small;
    if (!t.wants(cost)) continue;
    void *pageable = std::malloc(bytes), *pinned = nullptr;
    std::memset(pageable, 1, bytes);
    must(cudaMallocHost(&pinned, bytes));
    std::memset(pinned, 1, bytes);
    t.timed(cost, text("H2D pageable %zuKiB", kib),
            [&] { must(cudaMemcpy(m.a, pageable, bytes, cudaMemcpyHostToDevice)); });
    t.timed(cost, text("H2D pinned %zuKiB", kib),
            [&] { must(cudaMemcpyAsync(m.a, pinned, bytes, cudaMemcpyHostToDevice)); });
    t.timed(cost, text("D2H pageable %zuKiB", kib),
            [&] { must(cudaMemcpy(pageable, m.a, bytes, cudaMemcpyDeviceToHost)); });
    t.timed(cost, text("D2H pinned %zuKiB", kib),
            [&] { must(cudaMemcpyAsync(pinned, m.a, bytes, cudaMemcpyDeviceToHost)); });
    must(cudaFreeHost(pinned));
    std::free(pageable);
  }
}

// Eight times a copy in of 16 MiB and a kernel of 600,000 cycles.
void pipelines(const Table& t, const Memory& m) {
  constexpr std::size_t piece = std::size_t{16} << 20;
  void *pageable = std::calloc(8, piece), *pinned = nullptr;
  must(cudaMallocHost(&pinned, 8 * piece));
  std::memset(pinned, 1, 8 * piece);
  cudaStream_t streams[2];
  for (cudaStream_t& s : streams) must(cudaStreamCreate(&s));
  const auto pipeline = [&](const char* name, void* from, bool two) {
    t.row(Cost::small, name, [&] {
      return wall_us([&] {
        for (int k = 0; k < 8; ++k) {
          const cudaStream_t stream = two ? streams[k % 2] : nullptr;
          must(cudaMemcpyAsync(reinterpret_cast<char*>(m.a) + k * piece, static_cast<char*>(from) + k * piece,
                               piece, cudaMemcpyHostToDevice, stream));
          wait<<<1, 32, 0, stream>>>(600'000);
        }
      });
    });
  };
  pipeline("pipeline, one stream, pinned", pinned, false);
  pipeline("pipeline, two streams, pinned", pinned, true);
  pipeline("pipeline, two streams, pageable", pageable, true);
  for (const cudaStream_t s : streams) cudaStreamDestroy(s);
  must(cudaFreeHost(pinned));
  std::free(pageable);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "quick";
  const bool small = mode == "quick" || mode == "whole", large = mode == "large" || mode == "whole";
  if (argc > 2 || (!small && !large)) {
    std::fprintf(stderr, "usage: calibration_times [quick|large|whole]\n");
    return 2;
  }
  const std::size_t bytes = std::size_t{1} << (large ? 30 : 28);
  Memory m{};
  for (float** p : {&m.a, &m.b, &m.c}) {
    must(cudaMalloc(p, bytes));
    must(cudaMemset(*p, 1, bytes));
  }
  const Table table(small, large);
  launches(table, m);
  additions(table, m);
  layouts(table, m);
  sums_and_products(table, m);
  cold(table, m);
  chases(table);
  transfers(table, m);
  pipelines(table, m);
  return 0;
}
