// Loads and stores of every width and space, generic addresses, variables, cp.async. (compute_80, for
// cp.async.)
#include "suite.h"
using namespace suite;

// Widths: what is loaded is extended to the register, what is stored is cut.
__global__ void widths(const u8* in, u8* out) {
  u32 a, b, c;
  s32 d, e;
  u64 f;
  u16 g;
  asm volatile("ld.global.u8 %0, [%1];" : "=r"(a) : "l"(in));
  asm volatile("ld.global.s8 %0, [%1];" : "=r"(d) : "l"(in));
  asm volatile("ld.global.b8 %0, [%1+1];" : "=r"(b) : "l"(in));
  asm volatile("ld.global.u16 %0, [%1+2];" : "=r"(c) : "l"(in));
  asm volatile("ld.global.s16 %0, [%1+2];" : "=r"(e) : "l"(in));
  asm volatile("ld.global.s32 %0, [%1+4];" : "=l"(f) : "l"(in));
  asm volatile("ld.global.b16 %0, [%1+6];" : "=h"(g) : "l"(in));
  u32* o = reinterpret_cast<u32*>(out);
  asm volatile("st.global.u32 [%0], %1;" ::"l"(o), "r"(a));
  asm volatile("st.global.b32 [%0+4], %1;" ::"l"(o), "r"(d));
  asm volatile("st.global.s32 [%0+8], %1;" ::"l"(o), "r"(b));
  o[3] = c;
  o[4] = e;
  asm volatile("st.global.v2.u32 [%0+24], {%1, %2};" ::"l"(o), "r"(static_cast<u32>(f)),
               "r"(static_cast<u32>(f >> 32)));
  o[8] = g;
  asm volatile("st.global.u8 [%0+36], %1;" ::"l"(o), "r"(0x12345678));
  asm volatile("st.global.u16 [%0+38], %1;" ::"l"(o), "h"(static_cast<u16>(0xabcd)));
  asm volatile("st.global.u8 [%0+37], %1;" ::"l"(o), "l"(0xffeeddccbbaa9988ull));
  o[5] = 0;
}
BEHAVIOUR(ld_st_widths,
          "ld.global.u8 ld.global.s8 ld.global.b8 ld.global.u16 ld.global.s16 ld.global.s32 ld.global.b16 "
          "st.global.u8 st.global.u16 st.global.u32") {
  Buffer<u8> in(std::vector<u8>{0x80, 0x91, 0xfe, 0xff, 0x01, 0x02, 0x03, 0x84}), out(40, 0);
  widths<<<1, 1>>>(in, out);
  const auto got = out.get();
  const u32* w = reinterpret_cast<const u32*>(got.data());
  const u32 wanted[] = {0x80, 0xffffff80, 0x91,       0xfffe, 0xfffffffe,
                        0,    0x84030201, 0xffffffff, 0x8403, 0xabcd8878};
  for (int k = 0; k < 10; ++k) report.equal("word", w[k], wanted[k]);
}

template <class V>
__global__ void copy_vectors(const V* in, V* out) {
  out[threadIdx.x] = in[blockDim.x - 1 - threadIdx.x];
}
template <class V>
void vectors(Report& report) {
  const size_t bytes = 64 * sizeof(V);
  const auto data = make(bytes, [](size_t i) { return static_cast<u8>(i * 7 + i / 256); });
  Buffer<u8> in(data), out(bytes);
  copy_vectors<<<1, 64>>>(reinterpret_cast<const V*>(static_cast<u8*>(in)),
                          reinterpret_cast<V*>(static_cast<u8*>(out)));
  const auto got = out.get();
  for (size_t i = 0; i < bytes; ++i)
    report.equal("byte", got[i], data[(63 - i / sizeof(V)) * sizeof(V) + i % sizeof(V)]);
}
BEHAVIOUR(vector_v2_u8, "ld.global.v2.u8 st.global.v2.u8") {
  vectors<uchar2>(report);
}
BEHAVIOUR(vector_v4_u8, "ld.global.v4.u8 st.global.v4.u8") {
  vectors<uchar4>(report);
}
BEHAVIOUR(vector_v2_u16, "ld.global.v2.u16 st.global.v2.u16") {
  vectors<ushort2>(report);
}
BEHAVIOUR(vector_v4_u16, "ld.global.v4.u16 st.global.v4.u16") {
  vectors<ushort4>(report);
}
BEHAVIOUR(vector_v2_u32, "ld.global.v2.u32 st.global.v2.u32") {
  vectors<uint2>(report);
}
BEHAVIOUR(vector_v4_f32, "ld.global.v4.f32 st.global.v4.f32") {
  vectors<float4>(report);
}
BEHAVIOUR(vector_v2_u64, "ld.global.v2.u64 st.global.v2.u64") {
  vectors<ulonglong2>(report);
}
BEHAVIOUR(vector_v2_f64, "ld.global.v2.f64 st.global.v2.f64") {
  vectors<double2>(report);
}

// Modifiers that change nothing about the value.
__global__ void hints(const u32* in, u32* out) {
#define HINT(I, WORD) asm volatile("ld.global" WORD ".u32 %0, [%1];" : "=r"(out[I]) : "l"(in + I))
  HINT(0, ".ca");
  HINT(1, ".cg");
  HINT(2, ".cs");
  HINT(3, ".lu");
  HINT(4, ".cv");
  HINT(5, ".nc");
  HINT(6, ".nc.L1::no_allocate");
  HINT(7, ".L2::128B");
  out[8] = __ldg(in + 8);
  out[9] = __ldcg(in + 9);
  out[10] = __ldcs(in + 10);
  out[11] = __ldlu(in + 11);
  out[12] = __ldcv(in + 12);
  __stcg(out + 13, 113u);
  __stcs(out + 14, 114u);
  __stwt(out + 15, 115u);
  __stwb(out + 16, 116u);
  asm volatile("ldu.global.u32 %0, [%1];" : "=r"(out[17]) : "l"(in + 17));
  asm volatile("prefetch.global.L1 [%0];" ::"l"(in));
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in));
  asm volatile("prefetchu.L1 [%0];" ::"l"(in));
}
BEHAVIOUR(cache_hints,
          "ld.global.ca.u32 ld.global.cg.u32 ld.global.cs.u32 ld.global.lu.u32 ld.global.cv.u32 "
          "ld.global.nc.u32 st.global.cg.u32 st.global.cs.u32 st.global.wt.u32 prefetch.global.L1 "
          "prefetch.global.L2 prefetchu.L1 ldu.global.u32") {
  const auto wanted = make(18, [](size_t i) { return static_cast<u32>(100 + i); });
  Buffer<u32> in(wanted), out(18);
  hints<<<1, 1>>>(in, out);
  report.equal("out", out.get(), wanted);
}
__global__ void orders(u32* p, u32* out) {
  u32 x;
  asm volatile("st.volatile.global.u32 [%0], %1;" ::"l"(p), "r"(5));
  asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(out[0]) : "l"(p));
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(6));
  asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(out[1]) : "l"(p));
  asm volatile("st.release.cta.global.u32 [%0], %1;" ::"l"(p), "r"(7));
  asm volatile("ld.acquire.cta.global.u32 %0, [%1];" : "=r"(x) : "l"(p));
  out[2] = x;
  asm volatile("st.weak.global.u32 [%0], %1;" ::"l"(p), "r"(8));
  asm volatile("ld.weak.global.u32 %0, [%1];" : "=r"(out[3]) : "l"(p));
  asm volatile("fence.acq_rel.gpu;");
  asm volatile("fence.sc.sys;");
  asm volatile("fence.acq_rel.cta;");
  asm volatile("membar.gl;");
  asm volatile("membar.cta;");
  asm volatile("membar.sys;");
}
BEHAVIOUR(memory_orders,
          "ld.volatile.global.u32 st.volatile.global.u32 ld.relaxed.sys.global.u32 st.relaxed.gpu.global.u32 "
          "ld.acquire.cta.global.u32 st.release.cta.global.u32 ld.weak.global.u32 st.weak.global.u32 "
          "fence.acq_rel.gpu fence.sc.sys fence.acq_rel.cta membar.gl membar.cta membar.sys") {
  Buffer<u32> p(1, 0), out(4);
  orders<<<1, 1>>>(p, out);
  report.equal("out", out.get(), std::vector<u32>{5, 6, 7, 8});
}

// Spaces.
__device__ int counter = 41;
__device__ float table[4] = {1.5f, -2.5f, 3.25f, 0};
__constant__ int weights[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__device__ int* pointer_to_counter = &counter;
__device__ const char* text = "workbook";
__global__ void module_variables(int* out, int i) {
  out[0] = counter;
  counter += 1;
  out[1] = counter;
  out[2] = static_cast<int>(table[i] * 4);
  out[3] = weights[i + 3];
  out[4] = *pointer_to_counter;
  out[5] = text[i];
  out[6] = table[3] == 0;
}
BEHAVIOUR(module_variables, "ld.global.u32 ld.const.u32 st.global.u32") {
  Buffer<int> out(7);
  module_variables<<<1, 1>>>(out, 1);
  auto got = out.get();
  const int c = got[0];
  report.equal("out", got, std::vector<int>{c, c + 1, -10, 5, c + 1, 'o', 1});
  const int wanted[8] = {2, 7, 1, 8, 2, 8, 1, 8};
  MUST(cudaMemcpyToSymbol(weights, wanted, sizeof wanted));
  const int before = 99;
  MUST(cudaMemcpyToSymbol(counter, &before, 4));
  module_variables<<<1, 1>>>(out, 2);
  got = out.get();
  report.equal("counter from the host", got[0], 99);
  report.equal("constant from the host", got[3], 8);
  int after = 0;
  MUST(cudaMemcpyFromSymbol(&after, counter, 4));
  report.equal("counter at the host", after, 100);
}
struct Big {
  char tag;
  double values[9];
  short tail[5];
  int* out;
};
__global__ void struct_parameter(Big big, int i) {
  big.out[0] = big.tag;
  big.out[1] = static_cast<int>(big.values[i] * 10);
  big.out[2] = big.tail[i % 5];
  const Big copy = big;  // its address is taken
  const double* v = copy.values;
  big.out[3] = static_cast<int>(v[i + 1] * 10);
}
BEHAVIOUR(struct_parameters, "ld.param.u8 ld.param.f64 ld.param.u64") {
  Buffer<int> out(4);
  Big big{};
  big.tag = 'x';
  for (int k = 0; k < 9; ++k) big.values[k] = k + 0.5;
  for (int k = 0; k < 5; ++k) big.tail[k] = static_cast<short>(-k);
  big.out = out;
  struct_parameter<<<1, 1>>>(big, 6);
  report.equal("out", out.get(), std::vector<int>{'x', 65, -1, 75});
}
__global__ void local_arrays(int* out, int n) {
  int a[40];
  char bytes[16];
  for (int k = 0; k < 40; ++k) a[k] = k * k + static_cast<int>(threadIdx.x);
  for (int k = 0; k < 16; ++k) bytes[k] = static_cast<char>(k + n);
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += a[(k * 7 + threadIdx.x) % 40] + bytes[(k + threadIdx.x) & 15];
  out[threadIdx.x] = sum;
}
BEHAVIOUR(local_arrays, "ld.local.u32 st.local.u32 ld.local.s8 st.local.u8") {
  Buffer<int> out(64);
  local_arrays<<<1, 64>>>(out, 23);
  report.equal("sum", out.get(), make(64, [](size_t t) {
                 int sum = 0;
                 for (size_t k = 0; k < 23; ++k) {
                   const int i = static_cast<int>((k * 7 + t) % 40);
                   sum += i * i + static_cast<int>(t) + static_cast<char>(((k + t) & 15) + 23);
                 }
                 return sum;
               }));
}
__global__ void local_widths(u64* out, int i) {
  volatile u64 wide[4] = {1, 2, 3, 4};
  volatile u16 narrow[8];
  volatile double real[3];
  for (int k = 0; k < 8; ++k) narrow[k] = static_cast<u16>(k * 1000 + i);
  for (int k = 0; k < 3; ++k) real[k] = k / 2.0;
  wide[i & 3] = 0xfeedfacecafebeefull;
  out[0] = wide[1] + wide[2];
  out[1] = narrow[i + 1];
  out[2] = static_cast<u64>(real[i] * 8);
}
BEHAVIOUR(local_widths,
          "ld.volatile.local.u64 st.volatile.local.u64 ld.volatile.local.u16 st.volatile.local.u16 "
          "ld.volatile.local.f64") {
  Buffer<u64> out(3);
  local_widths<<<1, 1>>>(out, 2);
  report.equal("out", out.get(), std::vector<u64>{2 + 0xfeedfacecafebeefull, 3002, 8});
}
extern __shared__ int dynamic_words[];
__global__ void dynamic_shared(int* out, int n) {
  __shared__ int fixed[32];
  fixed[threadIdx.x] = threadIdx.x;
  for (int k = threadIdx.x; k < n; k += 32) dynamic_words[k] = k * 3;
  __syncthreads();
  u32 dynamic, all;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(dynamic));
  asm("mov.u32 %0, %%total_smem_size;" : "=r"(all));
  out[threadIdx.x] = dynamic_words[n - 1 - threadIdx.x] + fixed[31 - threadIdx.x];
  out[32] = dynamic;
  out[33] = all >= dynamic + 128;
}
BEHAVIOUR(dynamic_shared_memory, "ld.shared.u32 st.shared.u32 mov.u32") {
  Buffer<int> out(34);
  dynamic_shared<<<1, 32, 4 * 1000>>>(out, 1000);
  auto wanted = make(32, [](size_t t) { return static_cast<int>((999 - t) * 3 + 31 - t); });
  wanted.push_back(4000);
  wanted.push_back(1);
  report.equal("out", out.get(), wanted);
}
__global__ void much_shared(int* out, int n) {
  dynamic_words[n - 1 - threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = dynamic_words[n - 32 + threadIdx.x];
}
BEHAVIOUR(shared_beyond_48_kilobytes, "ld.shared.u32 st.shared.u32") {
  const int bytes = 200 * 1024;
  MUST(cudaFuncSetAttribute(much_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  Buffer<int> out(32);
  much_shared<<<1, 32, bytes>>>(out, bytes / 4);
  report.equal("out", out.get(), make(32, [](size_t t) { return static_cast<int>(31 - t); }));
}
__global__ void shared_widths(u64* out) {
  __shared__ u64 store[64];
  u8* bytes = reinterpret_cast<u8*>(store);
  const int t = threadIdx.x;
  for (int k = 0; k < 16; ++k) bytes[t * 16 + k] = static_cast<u8>(t + k);
  __syncthreads();
  const int o = (t + 5) % 32;
  const u16* shorts = reinterpret_cast<u16*>(store);
  const uint4* quads = reinterpret_cast<uint4*>(store);
  const uint4 q = quads[o];
  out[4 * t] = shorts[o * 8 + 3];
  out[4 * t + 1] = store[o * 2 + 1];
  out[4 * t + 2] = q.x + static_cast<u64>(q.w);
  out[4 * t + 3] = static_cast<u64>(static_cast<s64>(reinterpret_cast<s8*>(store)[o]));
}
BEHAVIOUR(shared_widths, "ld.shared.u16 ld.shared.u64 ld.shared.v4.u32 st.shared.u8 ld.shared.s8") {
  Buffer<u64> out(128);
  shared_widths<<<1, 32>>>(out);
  const auto got = out.get();
  for (u64 t = 0; t < 32; ++t) {
    const u64 o = (t + 5) % 32;
    const auto word = [&](u64 first, int count) {
      u64 w = 0;
      for (int k = 0; k < count; ++k) w |= (o + first + k) << 8 * k;
      return w;
    };
    report.equal("u16", got[4 * t], word(6, 2));
    report.equal("u64", got[4 * t + 1], word(8, 8));
    report.equal("v4", got[4 * t + 2], word(0, 4) + word(12, 4));
    report.equal("s8", got[4 * t + 3], o / 16 + o % 16);
  }
}

// Generic addresses: each lane may point into another space.
__global__ void generic(int* global, int* out) {
  __shared__ int shared[32];
  int local[32];
  for (int k = 0; k < 32; ++k) local[k] = 3000 + k;
  shared[threadIdx.x] = 2000 + threadIdx.x;
  __syncthreads();
  int* p = threadIdx.x % 3 == 0 ? global : threadIdx.x % 3 == 1 ? shared : local;
  p += threadIdx.x;
  out[threadIdx.x] =
      *p + (__isGlobal(p) ? 1 : 0) * 10000 + (__isShared(p) ? 1 : 0) * 20000 + (__isLocal(p) ? 1 : 0) * 40000;
  *p = -1;
  __syncthreads();
  out[32 + threadIdx.x] = threadIdx.x % 3 == 1   ? shared[threadIdx.x]
                          : threadIdx.x % 3 == 2 ? local[threadIdx.x]
                                                 : global[threadIdx.x];
}
BEHAVIOUR(generic_addresses,
          "ld.u32 st.u32 cvta.shared.u64 cvta.local.u64 cvta.to.global.u64 isspacep.global isspacep.shared "
          "isspacep.local") {
  Buffer<int> global(make(32, [](size_t i) { return static_cast<int>(1000 + i); })), out(64);
  generic<<<1, 32>>>(global, out);
  report.equal(
      "out", out.get(), make(64, [](size_t i) {
        return i >= 32 ? -1 : static_cast<int>(i % 3 == 0 ? 11000 + i : i % 3 == 1 ? 22000 + i : 43000 + i);
      }));
}
__global__ void to_shared(u32* out) {
  __shared__ u32 x[4];
  x[2] = 77;
  const auto address = static_cast<u32>(__cvta_generic_to_shared(&x[2]));
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(out[0]) : "r"(address));
  u32* back = static_cast<u32*>(__cvta_shared_to_generic(address));
  *back += 1;
  out[1] = x[2];
  asm volatile("{ .reg .u64 g; cvta.to.shared.u64 g, %1; st.shared.u32 [g], 5; ld.shared.u32 %0, [g]; }"
               : "=r"(out[2])
               : "l"(&x[1]));
}
BEHAVIOUR(shared_addresses, "cvta.to.shared.u64 cvta.shared.u64 ld.shared.u32 st.shared.u32") {
  Buffer<u32> out(3);
  to_shared<<<1, 1>>>(out);
  report.equal("out", out.get(), std::vector<u32>{77, 78, 5});
}
__global__ void many_lanes_one_place(int* out) {
  out[0] = threadIdx.x + 1;  // one of them wins
}
BEHAVIOUR(colliding_stores, "st.global.u32") {
  Buffer<int> out(1);
  many_lanes_one_place<<<1, 32>>>(out);
  const int x = out.get()[0];
  report.holds("one of the written values", x >= 1 && x <= 32);
}

// cp.async.
template <int bytes>
__global__ void async_copies(const u32* in, u32* out, int given) {
  __shared__ alignas(16) u32 tile[32 * 4];
  u32* mine = tile + threadIdx.x * 4;
  for (int k = 0; k < 4; ++k) mine[k] = 9;
  const auto to = static_cast<u32>(__cvta_generic_to_shared(mine));
  const u32* from = in + threadIdx.x * 4;
  if (bytes == 16) {
    if (given < 0)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
    else
      asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(given));
  } else if (bytes == 8) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(from));
  } else {
    asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], 4;" ::"r"(to), "l"(from));
  }
  asm volatile("cp.async.commit_group;");
  if (given == 4)
    asm volatile("cp.async.wait_all;");
  else
    asm volatile("cp.async.wait_group 0;");
  __syncthreads();
  for (int k = 0; k < 4; ++k) out[threadIdx.x * 4 + k] = tile[(31 - threadIdx.x) * 4 + k];
}
template <int bytes>
void copies(Report& report, int given) {
  const auto data = make(128, [](size_t i) { return static_cast<u32>(i + 1000); });
  Buffer<u32> in(data), out(128);
  async_copies<bytes><<<1, 32>>>(in, out, given);
  report.equal("out", out.get(), make(128, [&](size_t i) {
                 const size_t word = i % 4, from = (31 - i / 4) * 4 + word;
                 if (static_cast<int>(word * 4) >= bytes) return 9u;
                 return given >= 0 && static_cast<int>(word * 4) >= given ? 0u : data[from];
               }));
}
BEHAVIOUR(cp_async_4, "cp.async.ca.shared.global cp.async.commit_group cp.async.wait_group") {
  copies<4>(report, -1);
}
BEHAVIOUR(cp_async_8, "cp.async.ca.shared.global") {
  copies<8>(report, -1);
}
BEHAVIOUR(cp_async_16, "cp.async.cg.shared.global") {
  copies<16>(report, -1);
}
BEHAVIOUR(cp_async_zero_fill, "cp.async.ca.shared.global") {
  copies<16>(report, 8);
}
BEHAVIOUR(cp_async_wait_all, "cp.async.wait_all") {
  copies<16>(report, 4);
}
BEHAVIOUR(cp_async_nothing, "cp.async.ca.shared.global") {
  copies<16>(report, 0);
}

// A wide address computed in 32 bits, negative offsets, unaligned structs.
struct Packed {
  char c;
  int i;
  short s;
  long long l;
};
__global__ void fields(Packed* p, int n) {
  const int t = threadIdx.x;
  if (t < n) {
    p[t].c = static_cast<char>(t);
    p[t].i = p[t].c * 1000;
    p[t].s = static_cast<short>(-t);
    p[t].l = static_cast<long long>(p[t].i) * p[t].i;
  }
  __syncthreads();
  if (t > 0 && t < n) p[t].i += (p + t)[-1].s;
}
BEHAVIOUR(struct_fields, "ld.global.s8 st.global.u8 ld.global.s16 st.global.u64") {
  Buffer<Packed> p(20);
  fields<<<1, 32>>>(p, 20);
  const auto got = p.get();
  for (int t = 0; t < 20; ++t) {
    report.equal("c", got[t].c, t);
    report.equal("i", got[t].i, t * 1000 - (t > 0 ? t - 1 : 0));
    report.equal("s", static_cast<u16>(got[t].s), static_cast<u16>(-t));
    report.equal("l", got[t].l, 1000000ull * t * t);
  }
}
__global__ void heap(u64* out) {
  int* p = static_cast<int*>(malloc(64 * sizeof(int)));
  for (int k = 0; k < 64; ++k) p[k] = k + threadIdx.x;
  u64 sum = 0;
  for (int k = 0; k < 64; ++k) sum += p[k];
  free(p);
  struct Node {
    int value;
    Node* next;
  };
  Node* list = nullptr;
  for (int k = 0; k < 5; ++k) list = new Node{k, list};
  for (; list != nullptr;) {
    sum += 100 * list->value;
    Node* next = list->next;
    delete list;
    list = next;
  }
  out[threadIdx.x] = sum + (malloc(1ull << 40) == nullptr ? 0 : 1);
  free(nullptr);
}
BEHAVIOUR(device_heap, "call.uni") {
  Buffer<u64> out(32);
  heap<<<1, 32>>>(out);
  report.equal("sum", out.get(), make(32, [](size_t t) { return static_cast<u64>(2016 + 64 * t + 1000); }));
}
__global__ void copy_functions(char* out, const char* in, int n) {
  memcpy(out, in, n);
  memset(out + n, 7, 10);
}
BEHAVIOUR(memcpy_on_the_device, "ld.global.u8 st.global.u8") {
  const auto data = make(37, [](size_t i) { return static_cast<char>(i * 3); });
  Buffer<char> in(data), out(47);
  copy_functions<<<1, 1>>>(out, in, 37);
  auto wanted = data;
  wanted.resize(47, 7);
  report.equal("out", out.get(), wanted);
}

SUITE_MAIN
