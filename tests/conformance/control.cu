// Control flow, calls, barriers, printf, special registers.
#include <fcntl.h>
#include <unistd.h>

#include <cassert>
#include <cstdlib>

#include "suite.h"
using namespace suite;

__global__ void nested(int* out, int n) {
  int x = 0;
  for (int i = 0; i < n; ++i) {
    if (i % 3 == static_cast<int>(threadIdx.x % 3)) {
      if (i > 10) continue;
      x += i;
    } else if (i == 17 && threadIdx.x == 9) {
      break;
    } else {
      x -= 1;
      while (x < -5) x += 3;
    }
  }
  out[threadIdx.x] = x;
}
BEHAVIOUR(nested_branches, "bra") {
  Buffer<int> out(64);
  nested<<<1, 64>>>(out, 23);
  report.equal("x", out.get(), make(64, [](size_t t) {
                 int x = 0;
                 for (int i = 0; i < 23; ++i) {
                   if (i % 3 == static_cast<int>(t % 3)) {
                     if (i > 10) continue;
                     x += i;
                   } else if (i == 17 && t == 9) {
                     break;
                   } else {
                     x -= 1;
                     while (x < -5) x += 3;
                   }
                 }
                 return x;
               }));
}
__global__ void table_of_targets(int* out, int shift) {
  int x = threadIdx.x;
  switch ((x + shift) % 9) {
    case 0:
      x = x * 3;
      break;
    case 1:
      x = x ^ 0x55;
      break;
    case 2:
      x = -x;
    case 3:
      x += 1000;
      break;
    case 4:
      x = x << 4;
      break;
    case 5:
      x = __popc(x);
      break;
    case 6:
      x = x * x;
      break;
    default:
      x = 7;
  }
  out[threadIdx.x] = x;
}
BEHAVIOUR(switch_statement, "bra") {
  Buffer<int> out(64);
  table_of_targets<<<1, 64>>>(out, 2);
  report.equal("x", out.get(), make(64, [](size_t t) {
                 const int x = static_cast<int>(t);
                 switch ((x + 2) % 9) {
                   case 0:
                     return x * 3;
                   case 1:
                     return x ^ 0x55;
                   case 2:
                     return -x + 1000;
                   case 3:
                     return x + 1000;
                   case 4:
                     return x << 4;
                   case 5:
                     return __builtin_popcount(x);
                   case 6:
                     return x * x;
                   default:
                     return 7;
                 }
               }));
}
__global__ void indexed_branch(u32* out) {
  u32 r;
  asm volatile(
      "{ .reg .u32 i; and.b32 i, %1, 3;\n ts: .branchtargets A, B, C, D;\n brx.idx i, ts;\n"
      "A: mov.u32 %0, 10;\n bra E;\nB: mov.u32 %0, 20;\n bra E;\nC: mov.u32 %0, 30;\n bra E;\nD: mov.u32 %0, "
      "40;\nE: add.u32 %0, %0, 1; }"
      : "=r"(r)
      : "r"(threadIdx.x));
  out[threadIdx.x] = r;
}
BEHAVIOUR(branch_by_index, "brx.idx") {
  Buffer<u32> out(40);
  indexed_branch<<<1, 40>>>(out);
  report.equal("r", out.get(), make(40, [](size_t t) { return static_cast<u32>(t % 4 * 10 + 11); }));
}
__global__ void leave_early(int* out, int n) {
  if (static_cast<int>(threadIdx.x) >= n) return;
  if (threadIdx.x % 5 == 3) {
    out[threadIdx.x] = -1;
    asm volatile("exit;");
  }
  __syncthreads();
  out[threadIdx.x] = threadIdx.x;
}
BEHAVIOUR(threads_that_end_early, "exit ret bar.sync") {
  Buffer<int> out(128, 0);
  leave_early<<<1, 128>>>(out, 100);
  report.equal("out", out.get(), make(128, [](size_t t) {
                 return t >= 100 ? 0 : t % 5 == 3 ? -1 : static_cast<int>(t);
               }));
}

// Calls.
__device__ __noinline__ int add_three(int a, int b, int c) {
  return a + 2 * b + 3 * c;
}
struct Pair {
  double x;
  int n;
};
__device__ __noinline__ Pair scaled(Pair p, float by) {
  return {p.x * by, p.n + 1};
}
__device__ __noinline__ void through_pointer(int* p, int v) {
  *p += v;
}
__device__ __noinline__ bool is_odd(int x) {
  return (x & 1) != 0;
}
__device__ __noinline__ s64 wide(s64 a, u8 b, s16 c) {
  return a * b + c;
}
__global__ void direct_calls(int* out) {
  const int t = threadIdx.x;
  int x = add_three(t, t + 1, 5);
  Pair p{t * 0.5, t};
  p = scaled(scaled(p, 2), 4);
  through_pointer(&x, p.n);
  if (is_odd(t)) x += add_three(1, 1, 1) * 1000;
  out[t] = x + static_cast<int>(p.x) + static_cast<int>(wide(t, 200, static_cast<s16>(-3 * t)));
}
BEHAVIOUR(function_calls, "call.uni call ret st.param.b32 ld.param.b32") {
  Buffer<int> out(48);
  direct_calls<<<1, 48>>>(out);
  report.equal("out", out.get(), make(48, [](size_t s) {
                 const int t = static_cast<int>(s);
                 return t + 2 * (t + 1) + 15 + t + 2 + (t & 1) * 6000 + 4 * t + 200 * t - 3 * t;
               }));
}
__device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__global__ void recursive(int* out) {
  out[threadIdx.x] = fibonacci(threadIdx.x % 9);
}
BEHAVIOUR(recursion, "call.uni") {
  Buffer<int> out(32);
  recursive<<<1, 32>>>(out);
  const int f[] = {0, 1, 1, 2, 3, 5, 8, 13, 21};
  report.equal("f", out.get(), make(32, [&](size_t t) { return f[t % 9]; }));
}
__device__ __noinline__ bool even(int n);
__device__ __noinline__ bool odd(int n) {
  return n == 0 ? false : even(n - 1);
}
__device__ __noinline__ bool even(int n) {
  return n == 0 ? true : odd(n - 1);
}
__global__ void mutual(int* out) {
  out[threadIdx.x] = even(threadIdx.x) * 2 + odd(threadIdx.x);
}
BEHAVIOUR(mutual_recursion, "call.uni") {
  Buffer<int> out(40);
  mutual<<<1, 40>>>(out);
  report.equal("out", out.get(), make(40, [](size_t t) { return t % 2 == 0 ? 2 : 1; }));
}
using Function = int (*)(int);
__device__ int doubled(int x) {
  return 2 * x;
}
__device__ int squared(int x) {
  return x * x;
}
__device__ int negated(int x) {
  return -x;
}
__device__ Function functions[3] = {doubled, squared, negated};
__global__ void through_table(int* out) {
  const int t = threadIdx.x;
  out[t] = functions[t % 3](t) + 1;
}
BEHAVIOUR(indirect_calls, "call") {
  Buffer<int> out(64);
  through_table<<<1, 64>>>(out);
  report.equal("out", out.get(), make(64, [](size_t s) {
                 const int t = static_cast<int>(s);
                 return (t % 3 == 0 ? 2 * t : t % 3 == 1 ? t * t : -t) + 1;
               }));
}
struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const = 0;
};
struct Square : Shape {
  int a;
  __device__ explicit Square(int x) : a(x) {}
  __device__ int area() const override { return a * a; }
};
struct Strip : Shape {
  int a, b;
  __device__ Strip(int x, int y) : a(x), b(y) {}
  __device__ int area() const override { return a * b; }
};
__global__ void virtual_calls(int* out) {
  const int t = threadIdx.x;
  Shape* s = t % 2 == 0 ? static_cast<Shape*>(new Square(t)) : new Strip(t, 3);
  out[t] = s->area();
  delete s;
}
BEHAVIOUR(virtual_functions, "call") {
  Buffer<int> out(32);
  virtual_calls<<<1, 32>>>(out);
  report.equal("area", out.get(),
               make(32, [](size_t t) { return static_cast<int>(t % 2 == 0 ? t * t : 3 * t); }));
}
template <class F>
__global__ void with_lambda(int* out, F f) {
  out[threadIdx.x] = f(threadIdx.x);
}
struct Affine {
  int a, b;
  __device__ int operator()(int x) const { return a * x + b; }
};
BEHAVIOUR(functor_parameter, "ld.param.u32") {
  Buffer<int> out(32);
  with_lambda<<<1, 32>>>(out, Affine{7, -3});
  report.equal("out", out.get(), make(32, [](size_t t) { return static_cast<int>(7 * t) - 3; }));
}

// Barriers.
__global__ void counted(int* out) {
  __shared__ int x[128];
  x[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = x[127 - threadIdx.x];
  out[128 + threadIdx.x] = __syncthreads_count(threadIdx.x % 3 == 0) * 100 +
                           (__syncthreads_and(threadIdx.x < 128) != 0) * 10 +
                           (__syncthreads_or(threadIdx.x == 77) != 0);
  out[256 + threadIdx.x] = (__syncthreads_and(threadIdx.x != 5) != 0) * 2 + (__syncthreads_or(false) != 0);
}
BEHAVIOUR(barriers_that_count, "bar.sync bar.red.popc.u32 bar.red.and.pred bar.red.or.pred barrier.sync") {
  Buffer<int> out(384);
  counted<<<1, 128>>>(out);
  report.equal("out", out.get(), make(384, [](size_t t) {
                 return t < 128 ? 127 - static_cast<int>(t) : t < 256 ? 4311 : 0;
               }));
}
// Two halves of a block meet at barriers of their own; producers arrive, consumers wait.
__global__ void named(int* out) {
  __shared__ int x[128];
  const int t = threadIdx.x;
  if (t < 64) {
    x[t] = t * 2;
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t] = x[63 - t];
    asm volatile("bar.sync 1, 64;" ::: "memory");
    x[t] = t + 500;
    asm volatile("bar.arrive 3, 128;" ::: "memory");
  } else {
    x[t] = t * 3;
    asm volatile("bar.sync 2, 64;" ::: "memory");
    out[t] = x[191 - t];
    asm volatile("bar.sync 3, 128;" ::: "memory");
    out[t + 64] = x[t - 64];
  }
}
BEHAVIOUR(named_barriers, "bar.sync bar.arrive") {
  Buffer<int> out(192);
  named<<<1, 128>>>(out);
  report.equal("out", out.get(), make(192, [](size_t s) {
                 const int t = static_cast<int>(s);
                 return t < 64 ? (63 - t) * 2 : t < 128 ? (191 - t) * 3 : t - 128 + 500;
               }));
}
__global__ void barrier_number_in_register(int* out, int number) {
  __shared__ int x[64];
  x[threadIdx.x] = threadIdx.x;
  asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(64) : "memory");
  out[threadIdx.x] = x[(threadIdx.x + 33) % 64];
  asm volatile("barrier.sync.aligned %0;" ::"r"(number + 1) : "memory");
  asm volatile("barrier.arrive %0, 64;" ::"r"(number + 2) : "memory");
}
BEHAVIOUR(barrier_from_registers, "barrier.sync barrier.sync.aligned barrier.arrive") {
  Buffer<int> out(64);
  barrier_number_in_register<<<1, 64>>>(out, 4);
  report.equal("out", out.get(), make(64, [](size_t t) { return static_cast<int>((t + 33) % 64); }));
}
__global__ void spinning_warps(volatile int* flag, int* out) {
  if (threadIdx.x < 32) {
    while (*flag == 0) {
    }
    __threadfence_block();
    out[threadIdx.x] = *flag + threadIdx.x;
  } else if (threadIdx.x == 40) {
    __nanosleep(100);
    *flag = 1000;
  }
}
BEHAVIOUR(warps_that_spin, "nanosleep.u32 ld.volatile.global.u32 st.volatile.global.u32") {
  Buffer<int> flag(1, 0), out(32);
  spinning_warps<<<1, 64>>>(flag, out);
  report.equal("out", out.get(), make(32, [](size_t t) { return static_cast<int>(1000 + t); }));
}
// Lanes of one warp wait for each other: independent thread scheduling.
__global__ void spinning_lanes(volatile int* flag, int* out) {
  if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
    out[0] = *flag;
  } else if (threadIdx.x == 1) {
    *flag = 7;
  }
}
BEHAVIOUR(lanes_that_spin, "bra ld.volatile.global.u32") {
  Buffer<int> flag(1, 0), out(1);
  spinning_lanes<<<1, 32>>>(flag, out);
  report.equal("out", out.get()[0], 7);
}
__global__ void hand_made_grid_barrier(u32* arrived, int* data, int* out) {
  data[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  const int other = (blockIdx.x + 1) % gridDim.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      *const_cast<volatile int*>(&data[other * blockDim.x + threadIdx.x]);
}
BEHAVIOUR(grid_barrier_by_hand, "atom.add.u32 membar.gl") {
  Buffer<u32> arrived(1, 0);
  Buffer<int> data(4 * 32), out(4 * 32);
  hand_made_grid_barrier<<<4, 32>>>(arrived, data, out);
  report.equal("out", out.get(),
               make(128, [](size_t i) { return static_cast<int>((i / 32 + 1) % 4 * 100 + i % 32); }));
}

// Special registers.
__global__ void indices(u32* out) {
  const u32 block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const u32 thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const u32 i = block * blockDim.x * blockDim.y * blockDim.z + thread;
  u32 warp, lane, warps;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%nwarpid;" : "=r"(warps));
  out[i] = (threadIdx.x | threadIdx.y << 4 | threadIdx.z << 8 | blockIdx.x << 12 | blockIdx.y << 16 |
            blockIdx.z << 20) +
           (lane == thread % 32 ? 0 : 1u << 30) + (warps >= 1 && warp < 64 ? 0 : 1u << 31);
}
BEHAVIOUR(thread_and_block_indices, "mov.u32") {
  Buffer<u32> out(5 * 3 * 2 * 4 * 3 * 2);
  indices<<<dim3(4, 3, 2), dim3(5, 3, 2)>>>(out);
  report.equal("out", out.get(), make(30 * 24, [](size_t i) {
                 const u32 t = static_cast<u32>(i % 30), b = static_cast<u32>(i / 30);
                 return t % 5 | t / 5 % 3 << 4 | t / 15 << 8 | b % 4 << 12 | b / 4 % 3 << 16 | b / 12 << 20;
               }));
}
__global__ void grid_facts(u32* out) {
  u32 smid, nsmid;
  u64 grid;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(smid));
  asm volatile("mov.u32 %0, %%nsmid;" : "=r"(nsmid));
  asm volatile("mov.u64 %0, %%gridid;" : "=l"(grid));
  out[0] = gridDim.x;
  out[1] = gridDim.y;
  out[2] = gridDim.z;
  out[3] = blockDim.x;
  out[4] = blockDim.y;
  out[5] = blockDim.z;
  out[6] = warpSize;
  out[7] = smid < nsmid && (grid != ~0ull);
}
BEHAVIOUR(grid_and_block_sizes, "mov.u32 mov.u64") {
  Buffer<u32> out(8);
  grid_facts<<<dim3(2, 3, 1), dim3(4, 2, 2)>>>(out);
  report.equal("out", out.get(), std::vector<u32>{2, 3, 1, 4, 2, 2, 32, 1});
}
__global__ void clocks(u64* out) {
  const s64 a = clock64();
  u64 t0, t1;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0)::"memory");
  u32 sum = 0;
  for (int k = 0; k < 2000; ++k) sum += k * static_cast<u32>(out[0]);
  out[1] = sum;
  __nanosleep(20000);
  const clock_t c = clock();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t1)::"memory");
  const s64 b = clock64();
  out[0] = (b > a) + (t1 > t0) * 2 + (c != 0) * 4;
}
BEHAVIOUR(clocks_go_on, "mov.u64 mov.u32 nanosleep.u32") {
  Buffer<u64> out(2, 1);
  clocks<<<1, 1>>>(out);
  report.equal("all went on", out.get()[0], 7);
}

// printf: the text goes to a file of ours and is compared as a whole.
__global__ void prints(int n, double x, const char* word) {
  if (threadIdx.x == n) {
    printf("int %d %5d %-5d| %05d %+d %u %x %X %o %c\n", n, n, n, n, n, 4000000000u, 255, 255, 8, 'q');
    printf("long %lld %llu %llx %ld\n", -5000000000ll, 18446744073709551615ull, 0x123456789abcdefull, -7l);
    printf("real %f %.3f %10.2f %e %.2e %g %g\n", x, x, x, x, x, x, 1e20);
    printf("text %s [%8s] [%-8s] [%.2s] %%\n", word, "right", "left", "cut");
    printf("short %hd\n", static_cast<short>(-3));
    printf("none\n");
  }
}
BEHAVIOUR(printf_formats, "call.uni") {
  fflush(stdout);
  char name[] = "/tmp/conformance_XXXXXX";
  const int file = mkstemp(name);
  const int saved = dup(1);
  dup2(file, 1);
  const char* at = nullptr;
  MUST(cudaMalloc(const_cast<char**>(&at), 16));
  MUST(cudaMemcpy(const_cast<char*>(at), "workbook", 9, cudaMemcpyHostToDevice));
  prints<<<1, 32>>>(21, 3.14159265358979, at);
  const cudaError_t e = cudaDeviceSynchronize();
  fflush(stdout);
  dup2(saved, 1);
  close(saved);
  char text[2000] = {};
  const ssize_t size = pread(file, text, sizeof text - 1, 0);
  close(file);
  unlink(name);
  MUST(e);
  const std::string wanted =
      "int 21    21 21   | 00021 +21 4000000000 ff FF 10 q\n"
      "long -5000000000 18446744073709551615 123456789abcdef -7\n"
      "real 3.141593 3.142       3.14 3.141593e+00 3.14e+00 3.14159 1e+20\n"
      "text workbook [   right] [left    ] [cu] %\n"
      "short -3\n"
      "none\n";
  if (size < 0 || text != wanted) report.fail("printf gives\n%s", text);
}
__global__ void print_result(int* out) {
  out[0] = printf("%d %d\n", 1, 2) > 0;
}
BEHAVIOUR(printf_result, "call.uni") {
  fflush(stdout);
  const int saved = dup(1), nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, 1);
  Buffer<int> out(1);
  print_result<<<1, 1>>>(out);
  const int got = out.get()[0];
  fflush(stdout);
  dup2(saved, 1);
  close(saved);
  close(nowhere);
  report.equal("positive", got, 1);
}
__global__ void holds_always(int n) {
  assert(n > 0 && "never seen");
}
BEHAVIOUR(assert_that_holds, "") {
  holds_always<<<1, 64>>>(3);
  MUST(cudaDeviceSynchronize());
}
__global__ void __launch_bounds__(128, 2) bounded(int* out) {
  out[threadIdx.x] = blockDim.x;
}
BEHAVIOUR(launch_bounds, "") {
  Buffer<int> out(128);
  bounded<<<1, 128>>>(out);
  report.equal("out", out.get(), std::vector<int>(128, 128));
  bounded<<<1, 256>>>(out);
  report.equal("too large", cudaGetLastError(), cudaErrorInvalidValue);
}

SUITE_MAIN
