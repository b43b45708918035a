// The frame of the conformance suite: behaviours with a name, run and judged one by one.
//
// Every .cu beside this file is one program. It holds a table of behaviours; each has a name, the PTX
// instructions it is about, and an expectation computed on the host (or written as literals of the PTX ISA)
// without a look at how the simulated device does it. The same executable runs on a GPU and on the simulated
// device:
//
//   float32                 runs all; one line a behaviour, `ok NAME` or `FAIL NAME: why`; exit code 1 after
//   a failure float32 NAME ...        runs these float32 --list          NAME, a tab, and the instructions it
//   is about, separated by blanks
//
// Most behaviours are tables: one instruction, applied to all combinations of telling values of its operand
// types.
//
//   BINARY(add_rm_f32, "add.rm.f32 %0, %1, %2;", f32, f32, f32, directed(FE_DOWNWARD, [&] { return v(a) +
//   v(b); }))
//
// In a host expression a, b and c are the operands as C++ values; halves and packed types are their bits.
// The others are functions:  BEHAVIOUR(name, "atom.add.u32 red.add.u32") { ... report.equal("what", got,
// wanted); }
#pragma once

#include <cuda_runtime.h>

#include <cfenv>
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace suite {

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
using s8 = signed char;
using s16 = short;
using s32 = int;
using s64 = long long;
using f32 = float;
using f64 = double;

// Operand types whose register holds more, or means something else, than its C++ type says.
struct b8u {};  // an 8-bit value in a 32-bit register
struct b8s {};
struct f16 {};
struct bf16 {};
struct f16x2 {};
struct bf16x2 {};

template <class T>
struct Raw {
  using type = T;
};
template <>
struct Raw<b8u> {
  using type = u32;
};
template <>
struct Raw<b8s> {
  using type = s32;
};
template <>
struct Raw<f16> {
  using type = u16;
};
template <>
struct Raw<bf16> {
  using type = u16;
};
template <>
struct Raw<f16x2> {
  using type = u32;
};
template <>
struct Raw<bf16x2> {
  using type = u32;
};
template <class T>
using raw = typename Raw<T>::type;

// The letter of inline PTX for a register of the type.
#define C_u16 "h"
#define C_s16 "h"
#define C_u32 "r"
#define C_s32 "r"
#define C_u64 "l"
#define C_s64 "l"
#define C_f32 "f"
#define C_f64 "d"
#define C_b8u "r"
#define C_b8s "r"
#define C_f16 "h"
#define C_bf16 "h"
#define C_f16x2 "r"
#define C_bf16x2 "r"

template <class T>
__host__ __device__ inline u64 to_bits(T v) {
  u64 bits = 0;
  memcpy(&bits, &v, sizeof v);
  return bits;
}
template <class T>
__host__ __device__ inline T from_bits(u64 bits) {
  T v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

class Report {
 public:
  void fail(const char* format, ...) {
    if (++failures_ > 3) return;
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text_ += text_.empty() ? line : std::string("; ") + line;
  }
  void equal(const char* what, u64 got, u64 wanted) {
    if (got != wanted) fail("%s is %llx, expected %llx", what, got, wanted);
  }
  template <class T>
  void equal(const char* what, const std::vector<T>& got, const std::vector<T>& wanted) {
    for (size_t i = 0; i < wanted.size(); ++i)
      if (i >= got.size() || memcmp(&got[i], &wanted[i], sizeof(T)) != 0)
        fail("%s[%zu] is %llx, expected %llx", what, i, i < got.size() ? to_bits(got[i]) : 0ull,
             to_bits(wanted[i]));
  }
  void holds(const char* what, bool condition) {
    if (!condition) fail("%s does not hold", what);
  }
  int failures() const { return failures_; }
  const std::string& text() const { return text_; }

 private:
  int failures_ = 0;
  std::string text_;
};

// A CUDA error ends the behaviour.
inline void must(cudaError_t e, const char* what) {
  if (e != cudaSuccess) throw std::runtime_error(std::string(what) + " gives " + cudaGetErrorName(e));
}
#define MUST(call) ::suite::must((call), #call)

template <class T>
class Buffer {
 public:
  explicit Buffer(size_t count) : count_(count) { MUST(cudaMalloc(&data_, count * sizeof(T))); }
  explicit Buffer(const std::vector<T>& from) : Buffer(from.size()) {
    MUST(cudaMemcpy(data_, from.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  Buffer(size_t count, int byte) : Buffer(count) { MUST(cudaMemset(data_, byte, count * sizeof(T))); }
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  operator T*() const { return data_; }
  std::vector<T> get() const {
    MUST(cudaGetLastError());
    MUST(cudaDeviceSynchronize());
    std::vector<T> values(count_);
    MUST(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  size_t count_;
};

// f(i) for i = 0 .. count-1.
template <class F>
auto make(size_t count, F f) {
  std::vector<decltype(f(size_t{0}))> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = f(i);
  return values;
}

struct Behaviour {
  const char* name;
  std::string rows;
  void (*run)(Report&);
};
inline std::vector<Behaviour>& behaviours() {
  static std::vector<Behaviour> list;
  return list;
}

// The instruction words of a piece of PTX, without guards, declarations and braces.
inline std::string words_of(const char* ptx) {
  std::string words, piece;
  for (const char* c = ptx;; ++c) {
    // A brace at the begin of a statement opens or closes a block; elsewhere it is part of an operand.
    const bool brace = (*c == '{' || *c == '}') && piece.find_first_not_of(" \t") == std::string::npos;
    if (*c != 0 && *c != ';' && !brace && *c != '\n') {
      piece += *c;
      continue;
    }
    size_t at = piece.find_first_not_of(" \t");
    if (at != std::string::npos && piece[at] == '@') at = piece.find_first_not_of(" \t", piece.find(' ', at));
    if (at != std::string::npos && piece[at] != '.' && piece[at] != '%') {
      const std::string word = piece.substr(at, piece.find_first_of(" \t", at) - at);
      if (word.back() != ':') words += (words.empty() ? "" : " ") + word;
    }
    piece.clear();
    if (*c == 0) return words;
  }
}

struct Registration {
  Registration(const char* name, const std::string& rows, void (*run)(Report&)) {
    behaviours().push_back({name, rows, run});
  }
};

#define BEHAVIOUR(NAME, ROWS)                                              \
  static void run_##NAME(::suite::Report& report);                         \
  static ::suite::Registration registered_##NAME(#NAME, ROWS, run_##NAME); \
  static void run_##NAME(::suite::Report& report)

inline int run_program(int argc, char** argv) {
  int failed = 0, ran = 0;
  for (const Behaviour& b : behaviours()) {
    if (argc > 1 && std::string(argv[1]) == "--list") {
      printf("%s\t%s\n", b.name, b.rows.c_str());
      continue;
    }
    bool wanted = argc == 1;
    for (int k = 1; k < argc; ++k) wanted = wanted || std::string(argv[k]) == b.name;
    if (!wanted) continue;
    ++ran;
    Report report;
    try {
      b.run(report);
      MUST(cudaDeviceSynchronize());
    } catch (const std::exception& e) {
      report.fail("%s", e.what());
    }
    if (report.failures() == 0) {
      printf("ok %s\n", b.name);
    } else {
      ++failed;
      printf("FAIL %s: %s (%d)\n", b.name, report.text().c_str(), report.failures());
    }
    fflush(stdout);
  }
  return failed != 0 || (ran == 0 && argc > 1 && std::string(argv[1]) != "--list") ? 1 : 0;
}

}  // namespace suite

#define SUITE_MAIN                           \
  int main(int argc, char** argv) {          \
    return ::suite::run_program(argc, argv); \
  }
