// Benchmarks of your own, for `workbook bench FILE.cu`.
//
//   #include <workbook/bench.h>
//
//   __global__ void scale(float* d_x, int n, float a) { ... }
//
//   WORKBOOK_BENCH(scale) {
//     const int n = bench.parameter("n", {1 << 20, 1 << 26});       // one benchmark for each value
//     float* d_x = bench.memory<float>(n);                          // device memory with numbers in it
//     bench.bytes(8.0 * n);                                         // read plus written, for GB/s
//     bench.run([=](cudaStream_t stream) { scale<<<n / 256, 256, 0, stream>>>(d_x, n, 2.0f); });
//   }
//
// The function sets up and names one run; the run queues its work in the stream and returns. How often it
// runs, with which cache and between which events is the workbook's business (docs/bench.md; chapter 13
// builds it). A file may have any number of benchmarks, and needs no main. It is not part of any exercise: an
// answer can't use it.
//
// The class has no code in this header: the program that loads the file brings it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace workbook {

// What a benchmark asks for: its parameters, its memory, what a run has to do, and the run itself.
class Bench {
 public:
  // One of the values. The benchmark runs for each of them, and for each combination when it has several
  // parameters. `workbook bench FILE --set n=4096` takes another value instead.
  long long parameter(const char* name, std::initializer_list<long long> values) {
    return choose(name, values.begin(), values.size());
  }

  // Device memory for `count` numbers, each one random: floating-point ones from 0.5 to 1.5, whole ones of 0
  // to 127. It is freed when the benchmark is over.
  template <class T>
  T* memory(std::size_t count) {
    static_assert(std::is_trivially_copyable<T>::value, "device memory holds plain data");
    const Numbers kind = std::is_same<T, float>::value    ? Numbers::floats
                         : std::is_same<T, double>::value ? Numbers::doubles
                         : sizeof(T) == 2                 ? Numbers::halves
                         : std::is_integral<T>::value     ? Numbers::whole
                                                          : Numbers::floats;
    return static_cast<T*>(allocate(count * sizeof(T), sizeof(T), kind));
  }
  // Device memory with these values in it.
  template <class T>
  T* memory(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable<T>::value, "device memory holds plain data");
    return static_cast<T*>(copy_to_device(values.data(), values.size() * sizeof(T)));
  }

  // What one run has to do: bytes that it must read plus bytes that it must write, operations on
  // floating-point numbers. The page then says GB/s and teraflop/s, and how near the roof of this machine
  // that is.
  virtual void bytes(double how_many) = 0;
  virtual void flops(double how_many) = 0;

  // One run: queues its work in the stream. Called many times, on the same memory.
  virtual void run(std::function<void(cudaStream_t)> once) = 0;

  // This combination can't be run: it is listed with the reason.
  virtual void skip(const char* why) = 0;

 protected:
  // What a number is, for filling memory with random ones.
  enum class Numbers { floats, doubles, halves, whole };
  ~Bench() = default;
  // The library's side of `parameter` and `memory`.
  virtual long long choose(const char* name, const long long* values, std::size_t count) = 0;
  virtual void* allocate(std::size_t bytes, std::size_t element, Numbers kind) = 0;
  virtual void* copy_to_device(const void* data, std::size_t bytes) = 0;
};

// One registered benchmark, in the order of the file.
struct BenchEntry {
  const char* name;          // as given to WORKBOOK_BENCH
  void (*function)(Bench&);  // its body
  BenchEntry* next;          // the next of the file; null: the last
};

}  // namespace workbook

// Of each file its own: the list that the runner asks for.
extern "C" {
__attribute__((weak, visibility("default"))) workbook::BenchEntry* workbook_benchmarks = nullptr;
}

namespace workbook {
// Puts an entry at the end of the file's list. WORKBOOK_BENCH does it.
struct BenchRegistration {
  // Entries live as long as the program.
  explicit BenchRegistration(BenchEntry* entry) {
    BenchEntry** last = &workbook_benchmarks;
    while (*last != nullptr) last = &(*last)->next;
    *last = entry;
  }
};
}  // namespace workbook

// Defines a benchmark, a function body: `WORKBOOK_BENCH(copy) { bench.run(...); }`.
#define WORKBOOK_BENCH(name)                                                                        \
  static void workbook_bench_##name(::workbook::Bench& bench);                                      \
  static ::workbook::BenchEntry workbook_bench_entry_##name{#name, workbook_bench_##name, nullptr}; \
  static const ::workbook::BenchRegistration workbook_bench_registration_##name(                    \
      &workbook_bench_entry_##name);                                                                \
  static void workbook_bench_##name([[maybe_unused]] ::workbook::Bench& bench)
