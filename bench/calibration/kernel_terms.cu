// The constants of the kernel model, one by one: kernel_terms [SECTION ...]
//
// Build: nvcc -std=c++17 -O2 -arch=sm_90 kernel_terms.cu -o kernel_terms
// Each section isolates one thing that a GPU does; its rows are what src/model/profile.cpp names as sources.
#include <cstdint>
#include <cstring>

#include "measure.h"

namespace {

constexpr int sms = 132;

std::string text(const char* format, long a, long b = 0, long c = 0, long d = 0) {
  char s[160];
  std::snprintf(s, sizeof s, format, a, b, c, d);
  return s;
}

__host__ __device__ std::uint32_t mixed(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

// --- atomics: 2^22 operations on `many` addresses `apart` words from each other -------------------------

enum class Pick { random, same_in_warp, in_turn };

template <class T, Pick pick, bool wants_old>
__global__ void hit_global(T* where, unsigned many, unsigned apart, unsigned* sink) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned which = pick == Pick::random         ? mixed(i) % many
                         : pick == Pick::same_in_warp ? mixed(i / 32) % many
                                                      : i % many;
  const T old = atomicAdd(&where[std::size_t{which} * apart], T(1));
  if (wants_old && old == T(-1)) *sink = 1;
}

template <class T, Pick pick, bool wants_old>
void global_row(const char* name, T* memory, unsigned many, unsigned apart) {
  constexpr unsigned n = 1u << 22;
  if (std::size_t{many} * apart > (std::size_t{1} << 24)) return;
  const double us = event_us([&] {
    hit_global<T, pick, wants_old>
        <<<n / 256, 256>>>(memory, many, apart, reinterpret_cast<unsigned*>(memory));
  });
  row("global atomics",
      std::string(name) + text(", %ld addresses %ld bytes apart", many, long(apart * sizeof(T))), us);
}

void global_atomics() {
  void* memory;
  CHECK(cudaMalloc(&memory, std::size_t{1} << 27));
  CHECK(cudaMemset(memory, 0, std::size_t{1} << 27));
  auto* words = static_cast<unsigned*>(memory);
  auto* floats = static_cast<float*>(memory);
  for (const unsigned many :
       {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u, 4096u, 16384u, 65536u, 1u << 20}) {
    for (const unsigned apart : {1u, 8u, 32u, 128u, 1024u}) {
      if (apart > 1 && many > 16384) continue;
      global_row<unsigned, Pick::random, false>("u32 random", words, many, apart);
    }
    for (const unsigned apart : {1u, 8u, 32u})
      if (many <= 4096) global_row<float, Pick::random, false>("f32 random", floats, many, apart);
    global_row<unsigned, Pick::same_in_warp, false>("u32 one a warp", words, many, 1);
    global_row<unsigned, Pick::same_in_warp, false>("u32 one a warp", words, many, 32);
    global_row<float, Pick::same_in_warp, false>("f32 one a warp", floats, many, 1);
    if (many >= 32) global_row<unsigned, Pick::in_turn, false>("u32 in turn", words, many, 1);
    if (many >= 32) global_row<float, Pick::in_turn, false>("f32 in turn", floats, many, 1);
    if (many == 1 || many == 256 || many == 65536) {
      global_row<unsigned, Pick::random, true>("u32 random, result used", words, many, 1);
      global_row<unsigned, Pick::same_in_warp, true>("u32 one a warp, result used", words, many, 1);
    }
  }
  cudaFree(memory);
}

// --- atomics in shared memory: one block an SM of 1024 threads, 256 operations a thread ------------------

template <Pick pick, class T>
__global__ void hit_shared(T* out, unsigned many, int times) {
  __shared__ T bins[4096];
  for (unsigned b = threadIdx.x; b < 4096; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  unsigned state = mixed(blockIdx.x * blockDim.x + threadIdx.x);
  const unsigned lane = threadIdx.x % 32;
  for (int k = 0; k < times; ++k) {
    state = state * 1664525u + 1013904223u;
    const unsigned which = pick == Pick::random    ? (state >> 12) % many
                           : pick == Pick::in_turn ? lane % many
                                                   : k % many;
    atomicAdd(&bins[which], T(1));
  }
  __syncthreads();
  if (bins[threadIdx.x % many] == T(-1)) out[0] = 1;
}

void shared_atomics() {
  unsigned* out;
  CHECK(cudaMalloc(&out, 4096));
  for (const unsigned many : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 256u, 1024u, 4096u}) {
    for (const int threads : {32, 256, 1024}) {
      if (threads != 1024 && many != 1 && many != 32 && many != 256) continue;
      const auto measured = [&](const char* name, auto launch) {
        const double us = event_us([&] { launch(512); }) - event_us([&] { launch(256); });
        row("shared atomics",
            text((std::string(name) + ", %ld addresses, %ld threads an SM, ns per warp operation of an SM")
                     .c_str(),
                 many, threads),
            1e3 * us / (256.0 * threads / 32), "ns");
      };
      measured("u32 random",
               [&](int times) { hit_shared<Pick::random, unsigned><<<sms, threads>>>(out, many, times); });
      if (many <= 32)
        measured("u32 lane in turn",
                 [&](int times) { hit_shared<Pick::in_turn, unsigned><<<sms, threads>>>(out, many, times); });
      if (many <= 256)
        measured("f32 random", [&](int times) {
          hit_shared<Pick::random, float><<<sms, threads>>>(reinterpret_cast<float*>(out), many, times);
        });
      if (many <= 32)
        measured("f32 lane in turn", [&](int times) {
          hit_shared<Pick::in_turn, float><<<sms, threads>>>(reinterpret_cast<float*>(out), many, times);
        });
    }
  }
  cudaFree(out);
}

// --- blocks: what one costs to start and to end ------------------------------------------------------------

__global__ void nothing() {}
__global__ void nothing_shared() {
  extern __shared__ char memory[];
  if (clock() == 0) memory[threadIdx.x] = 1;
}
__global__ void wait_cycles(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}
__global__ void read_one(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] == 12345.0f) out[0] = 1;
}
__global__ void write_one(float* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void barrier_only(int times) {
  for (int k = 0; k < times; ++k) __syncthreads();
}

void blocks() {
  float *in, *out;
  CHECK(cudaMalloc(&in, std::size_t{1} << 26));
  CHECK(cudaMalloc(&out, std::size_t{1} << 26));
  CHECK(cudaMemset(in, 0, std::size_t{1} << 26));
  CHECK(cudaFuncSetAttribute(nothing_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10));
  CHECK(cudaFuncSetAttribute(wait_cycles, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10));
  for (const int threads : {32, 64, 128, 256, 512, 1024}) {
    for (const int count : {sms, 1024, 4096, 16384, 65536, 131072}) {
      row("blocks", text("nothing, %ld blocks of %ld", count, threads),
          event_us([&] { nothing<<<count, threads>>>(); }));
    }
  }
  // Fewer places on an SM: the shared memory a block asks for.
  for (const int places : {1, 2, 4, 8}) {
    const int bytes = (227 << 10) / places - 1024;
    for (const int threads : {32, 256})
      row("blocks", text("nothing, 16384 blocks of %ld, %ld places", threads, places),
          event_us([&] { nothing_shared<<<16384, threads, bytes>>>(); }));
    for (const int cycles : {500, 1000, 2000, 4000})
      row("blocks", text("waits %ld cycles, 64 waves of blocks of 256, %ld places", cycles, places),
          event_us([&] { wait_cycles<<<64 * sms * places, 256, bytes>>>(cycles); }));
  }
  for (const int threads : {32, 128, 256, 1024}) {
    const int count = (1 << 22) / threads;
    row("blocks", text("reads one float of L2, %ld blocks of %ld", count, threads),
        event_us([&] { read_one<<<count, threads>>>(in, out); }));
    row("blocks", text("writes one float, %ld blocks of %ld", count, threads),
        event_us([&] { write_one<<<count, threads>>>(out); }));
    for (const int times : {1, 4, 16})
      row("blocks", text("%ld barriers, 16384 blocks of %ld", times, threads),
          event_us([&] { barrier_only<<<16384, threads>>>(times); }));
  }
  for (const int threads : {32, 128, 256, 512, 1024}) {
    const double us = event_us([&] { barrier_only<<<1, threads>>>(20000); }) -
                      event_us([&] { barrier_only<<<1, threads>>>(10000); });
    row("blocks", text("a barrier of %ld threads", threads), 1e3 * us / 10000, "ns");
  }
  cudaFree(in);
  cudaFree(out);
}

// --- loads in flight: grid-stride sums, `held` independent loads of `T` a thread, `threads` an SM
// -----------

__device__ float sum_of(float v) {
  return v;
}
__device__ float sum_of(float2 v) {
  return v.x + v.y;
}
__device__ float sum_of(float4 v) {
  return v.x + v.y + v.z + v.w;
}

template <class T, int held>
__global__ void sum_held(const T* in, float* out, std::size_t count) {
  const std::size_t all = std::size_t{gridDim.x} * blockDim.x;
  float sum = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i + (held - 1) * all < count;
       i += held * all) {
    T values[held];
#pragma unroll
    for (int k = 0; k < held; ++k) values[k] = in[i + k * all];
#pragma unroll
    for (int k = 0; k < held; ++k) sum += sum_of(values[k]);
  }
  if (sum == 12345.0f) out[0] = sum;
}

template <class T, int held>
void in_flight_rows(const char* name, const void* in, float* out) {
  for (const std::size_t mib : {16, 512}) {  // in L2, and not
    for (const int threads : {32, 128, 512, 1024, 2048}) {
      if (mib == 512 && threads == 32) continue;
      const int blocks_an_sm = threads > 256 ? threads / 256 : 1, block = threads > 256 ? 256 : threads;
      const std::size_t count = (mib << 20) / sizeof(T);
      const double us = event_us(
          [&] { sum_held<T, held><<<sms * blocks_an_sm, block>>>(static_cast<const T*>(in), out, count); },
          7);
      row("loads in flight",
          text((std::string(name) + ", %ld held, %ld threads an SM, %ld MiB").c_str(), held, threads,
               long(mib)),
          us);
    }
  }
}

void in_flight() {
  void* in;
  float* out;
  CHECK(cudaMalloc(&in, std::size_t{512} << 20));
  CHECK(cudaMemset(in, 0, std::size_t{512} << 20));
  CHECK(cudaMalloc(&out, 4));
  in_flight_rows<float, 1>("float", in, out);
  in_flight_rows<float, 2>("float", in, out);
  in_flight_rows<float, 4>("float", in, out);
  in_flight_rows<float, 8>("float", in, out);
  in_flight_rows<float2, 1>("float2", in, out);
  in_flight_rows<float4, 1>("float4", in, out);
  in_flight_rows<float4, 2>("float4", in, out);
  in_flight_rows<float4, 4>("float4", in, out);
  cudaFree(in);
  cudaFree(out);
}

// --- stores of part of a sector
// ------------------------------------------------------------------------------

// Thread i writes word (i / run) * apart + i % run: `run` neighbours, then a gap.
__global__ void write_runs(unsigned* out, unsigned run, unsigned apart, unsigned mask) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[(i / run * apart + i % run) & mask] = i;
}
__global__ void read_runs(const unsigned* in, unsigned* out, unsigned run, unsigned apart, unsigned mask) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[(i / run * apart + i % run) & mask] == 12345u) out[0] = i;
}
// Each warp writes its row of three; lanes beyond do nothing: rows of three words, a warp each, one after
// another.
__global__ void rows_of_three(unsigned* out, unsigned rows_a_warp) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (lane >= 3) return;
  for (unsigned k = 0; k < rows_a_warp; ++k) out[(warp * rows_a_warp + k) * 3 + lane] = lane;
}

void part_sectors() {
  unsigned* memory;
  CHECK(cudaMalloc(&memory, std::size_t{1} << 30));
  CHECK(cudaMemset(memory, 0, std::size_t{1} << 30));
  for (const unsigned mib : {16u, 1024u}) {
    const unsigned mask = (mib << 18) - 1, n = 1u << 23;
    for (const unsigned run : {1u, 2u, 4u, 8u, 32u}) {
      for (const unsigned apart : {2u, 8u, 16u, 32u, 128u}) {
        if (run > apart) continue;
        row("part sectors",
            text("writes %ld words of every %ld, 2^23 in all, within %ld MiB", run, apart, mib),
            event_us([&] { write_runs<<<n / 256, 256>>>(memory, run, apart, mask); }));
        if (run <= 2 || run == apart)
          row("part sectors",
              text("reads %ld words of every %ld, 2^23 in all, within %ld MiB", run, apart, mib),
              event_us([&] { read_runs<<<n / 256, 256>>>(memory, memory, run, apart, mask); }));
      }
    }
  }
  for (const unsigned rows_a_warp : {1u, 4u, 16u})
    row("part sectors", text("rows of three words, 2^21 rows, %ld a warp", rows_a_warp),
        event_us([&] { rows_of_three<<<(1u << 21) / 8 / rows_a_warp, 256>>>(memory, rows_a_warp); }));
  cudaFree(memory);
}

// --- what L1 passes in a cycle: lanes in `lines` lines of 128 bytes, `words` neighbours in each
// -------------------

__global__ void read_l1(const unsigned* in, unsigned* out, unsigned words, int times) {
  const unsigned lane = threadIdx.x % 32, base = lane / words * 32 + lane % words;
  unsigned sum = 0, at = 0;
  for (int k = 0; k < times; ++k) {
    const unsigned read = in[base + at];  // 0
    sum += read;
    at = (at + 8 + read) & 31;  // another sector of the same lines
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void write_lines(unsigned* out, unsigned words, int times) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  unsigned* mine = out + warp % 4096 * 1024 + lane / words * 32 + lane % words;
  for (int k = 0; k < times; ++k) mine[k % 4 * 8] = k;
}

void l1() {
  unsigned *in, *out;
  CHECK(cudaMalloc(&in, 1 << 24));
  CHECK(cudaMemset(in, 0, 1 << 24));
  CHECK(cudaMalloc(&out, 2 * sms * 1024 * 4));
  for (const unsigned words : {1u, 2u, 4u, 8u}) {
    const double read = event_us([&] { read_l1<<<2 * sms, 1024>>>(in, out, words, 2048); }, 5) -
                        event_us([&] { read_l1<<<2 * sms, 1024>>>(in, out, words, 1024); }, 5);
    row("l1", text("reads %ld words of each of %ld lines, in L1, ns a request of an SM", words, 32 / words),
        1e3 * read / (1024.0 * 64), "ns");
    const double write = event_us([&] { write_lines<<<sms, 1024>>>(in, words, 192); }, 5) -
                         event_us([&] { write_lines<<<sms, 1024>>>(in, words, 64); }, 5);
    row("l1", text("writes %ld words of each of %ld lines, ns a request of an SM", words, 32 / words),
        1e3 * write / (128.0 * 32), "ns");
  }
  cudaFree(in);
  cudaFree(out);
}

// --- one warp: the chain of an instruction, and what an SM does of it
// ------------------------------------------

enum class Op {
  add,
  multiply_add,
  float_fma,
  divide_u32,
  divide_u32_by_parameter,
  divide_u64,
  remainder_u32,
  shuffle,
  vote,
  sine_fast,
  root,
  convert,
  double_fma,
  shared_load,
  exp_fast,
  float_divide,
  branch
};

template <Op op>
__global__ void chain(unsigned* out, int times, unsigned divisor) {
  __shared__ unsigned ring[1024];
  ring[threadIdx.x % 1024] = (threadIdx.x * 33 + 1) % 1024;
  __syncthreads();
  unsigned x = threadIdx.x + 0x7fffff00u;
  float f = threadIdx.x + 1.5f;
  double d = threadIdx.x + 1.5;
  unsigned long long w = 0x7fffffffffffff00ull + threadIdx.x;
  unsigned at = threadIdx.x % 1024;
  for (int k = 0; k < times; ++k) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      if (op == Op::add) x = (x ^ divisor) + x;
      if (op == Op::multiply_add) x = x * divisor + 12345u;
      if (op == Op::float_fma) f = fmaf(f, 1.0001f, 0.5f);
      if (op == Op::divide_u32) x = 0xfffffff0u / (x | 1u);
      if (op == Op::divide_u32_by_parameter) x = (x / divisor) ^ 0x7fffff00u;
      if (op == Op::remainder_u32) x = (x % divisor) + 0x7fffff00u;
      if (op == Op::divide_u64) w = (w / (divisor | 0x100000000ull)) ^ 0x7fffffff00000000ull;
      if (op == Op::shuffle) x = __shfl_xor_sync(~0u, x, 1) + 1;
      if (op == Op::vote) x += __ballot_sync(~0u, x & 1);
      if (op == Op::sine_fast) f = __sinf(f) + 1.0f;
      if (op == Op::exp_fast) f = __expf(f) * 0.1f;
      if (op == Op::root) f = sqrtf(f) + 1.0f;
      if (op == Op::float_divide) f = 3.0f / f + 1.0f;
      if (op == Op::convert) f = static_cast<float>(static_cast<int>(f) + 1);
      if (op == Op::double_fma) d = fma(d, 1.0001, 0.5);
      if (op == Op::shared_load) at = ring[at];
      if (op == Op::branch) {
        if (x & 1)
          x = x * 3 + divisor;
        else
          x = x / 2 + 7;
      }
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      x + static_cast<unsigned>(f) + static_cast<unsigned>(d) + static_cast<unsigned>(w) + at;
}

template <Op op>
void chain_rows(const char* name, unsigned* out) {
  const int less = 256, more = 1280;
  const auto alone = [&](int times) { return event_us([&] { chain<op><<<1, 32>>>(out, times, 7919); }, 5); };
  const auto full = [&](int times) {
    return event_us([&] { chain<op><<<2 * sms, 1024>>>(out, times, 7919); }, 5);
  };
  row("chains", std::string(name) + ", one warp", 1e3 * (alone(more) - alone(less)) / (8.0 * (more - less)),
      "ns");
  row("chains", std::string(name) + ", 64 warps an SM, per warp operation of an SM",
      1e3 * (full(more) - full(less)) / (8.0 * (more - less) * 64), "ns");
}

void chains() {
  unsigned* out;
  CHECK(cudaMalloc(&out, 2 * sms * 1024 * 4));
  chain_rows<Op::add>("xor and add", out);
  chain_rows<Op::multiply_add>("integer multiply-add", out);
  chain_rows<Op::float_fma>("float fma", out);
  chain_rows<Op::double_fma>("double fma", out);
  chain_rows<Op::divide_u32>("u32 division", out);
  chain_rows<Op::divide_u32_by_parameter>("u32 division by a parameter", out);
  chain_rows<Op::remainder_u32>("u32 remainder by a parameter", out);
  chain_rows<Op::divide_u64>("u64 division", out);
  chain_rows<Op::shuffle>("shuffle and add", out);
  chain_rows<Op::vote>("ballot and add", out);
  chain_rows<Op::sine_fast>("__sinf and add", out);
  chain_rows<Op::exp_fast>("__expf and multiply", out);
  chain_rows<Op::root>("sqrtf and add", out);
  chain_rows<Op::float_divide>("float division and add", out);
  chain_rows<Op::convert>("float to int to float, and add", out);
  chain_rows<Op::shared_load>("shared load", out);
  chain_rows<Op::branch>("branch, both sides", out);
  cudaFree(out);
}

// --- one wave, then an atomic of each warp
// -------------------------------------------------------------------

template <class T>
__global__ void wait_then_add(T* where, long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  if (threadIdx.x % 32 == 0) atomicAdd(where, T(1));
}

void late_atomics() {
  unsigned* memory;
  CHECK(cudaMalloc(&memory, 4096));
  CHECK(cudaMemset(memory, 0, 4096));
  for (const int blocks_an_sm : {1, 4, 8})
    for (const long cycles : {0l, 20000l}) {
      row("late atomics", text("u32, %ld blocks of 256 an SM, after %ld cycles", blocks_an_sm, cycles),
          event_us([&] { wait_then_add<unsigned><<<sms * blocks_an_sm, 256>>>(memory, cycles); }));
      row("late atomics", text("f32, %ld blocks of 256 an SM, after %ld cycles", blocks_an_sm, cycles),
          event_us([&] {
            wait_then_add<float><<<sms * blocks_an_sm, 256>>>(reinterpret_cast<float*>(memory), cycles);
          }));
    }
  row("late atomics", "cudaMemsetAsync of 4 bytes", event_us([&] { cudaMemsetAsync(memory, 0, 4); }));
  row("late atomics", "cudaMemsetAsync of 4 bytes, then nothing", event_us([&] {
        cudaMemsetAsync(memory, 0, 4);
        nothing<<<1, 32>>>();
      }));
  row("late atomics", "nothing, then nothing", event_us([&] {
        nothing<<<1, 32>>>();
        nothing<<<1, 32>>>();
      }));
  // With the calls hidden behind other work: what the device itself takes from event to event.
  float *in, *out;
  CHECK(cudaMalloc(&in, 1 << 26));
  CHECK(cudaMalloc(&out, 1 << 26));
  CHECK(cudaMemset(in, 0, 1 << 26));
  const auto hidden = [&](const std::string& what, const std::function<void()>& body) {
    row("hidden", what, event_us(body, 11, 2, [] { wait_cycles<<<1, 32>>>(200000); }));
  };
  hidden("no work", [] {});
  hidden("nothing", [] { nothing<<<1, 32>>>(); });
  hidden("nothing, twice", [] {
    nothing<<<1, 32>>>();
    nothing<<<1, 32>>>();
  });
  hidden("nothing, 5 times", [] {
    for (int k = 0; k < 5; ++k) nothing<<<1, 32>>>();
  });
  hidden("memset of 4 bytes", [&] { cudaMemsetAsync(memory, 0, 4); });
  hidden("memset of 4 bytes, then nothing", [&] {
    cudaMemsetAsync(memory, 0, 4);
    nothing<<<1, 32>>>();
  });
  for (const int log2_n : {5, 10, 14, 18, 20, 22}) {
    const int n = 1 << log2_n, block = std::min(n, 256), grid = n / block;
    hidden(text("reads 2^%ld floats", log2_n), [&] { read_one<<<grid, block>>>(in, out); });
  }
  cudaFree(in);
  cudaFree(out);
  cudaFree(memory);
}

// --- a chase over random lines, each visited once a pass, two passes
// ---------------------------------------------

__global__ void chase(const unsigned* next, unsigned start, unsigned hops, long long* cycles, unsigned* end) {
  unsigned at = start;
  for (unsigned k = 0; k < hops; ++k) at = next[at];
  const long long begin = clock64();
  for (unsigned k = 0; k < hops; ++k) at = next[at];
  *cycles = clock64() - begin;
  *end = at;
}

void chases() {
  long long* cycles;
  unsigned* end;
  CHECK(cudaMalloc(&cycles, 8));
  CHECK(cudaMalloc(&end, 4));
  for (const unsigned kib : {8u, 16u, 32u, 64u, 96u, 128u, 160u, 192u, 224u, 256u, 512u, 4096u}) {
    const unsigned lines = kib * 8;
    std::vector<unsigned> order(lines), next(std::size_t{lines} * 32);
    for (unsigned k = 0; k < lines; ++k) order[k] = k;
    for (unsigned k = lines - 1; k > 0; --k) std::swap(order[k], order[mixed(k) % (k + 1)]);
    for (unsigned k = 0; k < lines; ++k) next[order[k] * 32] = order[(k + 1) % lines] * 32;
    unsigned* memory;
    CHECK(cudaMalloc(&memory, next.size() * 4));
    CHECK(cudaMemcpy(memory, next.data(), next.size() * 4, cudaMemcpyHostToDevice));
    chase<<<1, 1>>>(memory, order[0] * 32, lines, cycles, end);
    long long taken = 0;
    CHECK(cudaMemcpy(&taken, cycles, 8, cudaMemcpyDeviceToHost));
    row("chase", text("second pass over %ld KiB, cycles a hop", kib), double(taken) / lines, "cycles");
    cudaFree(memory);
  }
  cudaFree(cycles);
  cudaFree(end);
}

}  // namespace

int main(int argc, char** argv) {
  struct Section {
    const char* name;
    void (*run)();
  };
  const Section sections[] = {{"blocks", blocks},     {"atomics", global_atomics}, {"shared", shared_atomics},
                              {"flight", in_flight},  {"sectors", part_sectors},   {"chains", chains},
                              {"late", late_atomics}, {"chase", chases},           {"l1", l1}};
  std::printf("section\twhat\tvalue\tunit\n");
  for (const Section& section : sections) {
    bool wanted = argc < 2;
    for (int k = 1; k < argc; ++k) wanted = wanted || std::strcmp(argv[k], section.name) == 0;
    if (wanted) section.run();
  }
  CHECK(cudaDeviceSynchronize());
  return 0;
}
