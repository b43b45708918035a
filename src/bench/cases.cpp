#include "bench/cases.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace workbook::bench {

File::File(const std::string& library) {
  // Local: two files may have the same names in them.
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw std::runtime_error(dlerror());
  const auto* list = static_cast<BenchEntry* const*>(dlsym(handle, "workbook_benchmarks"));
  for (const BenchEntry* e = list == nullptr ? nullptr : *list; e != nullptr; e = e->next)
    entries_.push_back(e);
  if (entries_.empty()) throw std::runtime_error("there is no WORKBOOK_BENCH in it");
}

const BenchEntry* File::find(const std::string& name) const {
  const auto at =
      std::find_if(entries_.begin(), entries_.end(), [&](const BenchEntry* e) { return name == e->name; });
  return at == entries_.end() ? nullptr : *at;
}

long long Combinations::choose(const std::string& name, const long long* values, std::size_t count) {
  const auto axis = std::find_if(axes_.begin(), axes_.end(), [&](const Axis& a) { return a.name == name; });
  if (axis != axes_.end()) return axis->values[axis->at];
  const auto fixed = fixed_.find(name);
  if (fixed != fixed_.end())
    axes_.push_back({name, {fixed->second}});
  else if (count == 0)
    throw std::runtime_error("parameter " + name + " has no values");
  else
    axes_.push_back({name, std::vector<long long>(values, values + count)});
  return axes_.back().values.front();
}

bool Combinations::next() {
  for (std::size_t i = axes_.size(); i-- > 0;) {
    if (++axes_[i].at < axes_[i].values.size()) return true;
    axes_[i].at = 0;
  }
  return false;
}

std::vector<std::pair<std::string, long long>> Combinations::now() const {
  std::vector<std::pair<std::string, long long>> all;
  for (const Axis& axis : axes_) all.emplace_back(axis.name, axis.values[axis.at]);
  return all;
}

Case::Case(const BenchEntry& entry, Combinations& combinations) : combinations_(combinations) {
  try {
    entry.function(*this);
    if (work_ == nullptr && skipped_.empty()) throw std::runtime_error("it never called bench.run");
    if (!skipped_.empty()) return;
    work_(nullptr);
    need(cudaGetLastError(), "its first run");
    need(cudaDeviceSynchronize(), "its first run");
  } catch (...) {
    for (void* block : blocks_) cudaFree(block);
    throw;
  }
}

Case::~Case() {
  work_ = nullptr;  // what it captured may free memory too
  for (void* block : blocks_) cudaFree(block);
}

long long Case::choose(const char* name, const long long* values, std::size_t count) {
  return combinations_.choose(name, values, count);
}

void* Case::copy_to_device(const void* data, std::size_t bytes) {
  void* block = nullptr;
  need(cudaMalloc(&block, std::max<std::size_t>(bytes, 1)), "bench.memory");
  blocks_.push_back(block);
  if (bytes > 0) need(cudaMemcpy(block, data, bytes, cudaMemcpyHostToDevice), "bench.memory");
  return block;
}

namespace {

// Bits of a number from 0.5 to 1.5 made of 32 random ones.
std::uint64_t bits_of(std::uint32_t random, int size, bool floating) {
  if (!floating) return random & 127u;
  const double value = 0.5 + random * 0x1p-32;
  if (size == 8) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, 8);
    return bits;
  }
  if (size == 2) return 0x3800u + (random >> 23 & 0x3ffu);  // a half from 0.5 to 1
  const float narrow = static_cast<float>(value);
  std::uint32_t bits;
  std::memcpy(&bits, &narrow, 4);
  return bits;
}

// A megabyte of numbers of `size` bytes each.
const std::vector<unsigned char>& numbers_of(int size, bool floating) {
  static std::map<std::pair<int, bool>, std::vector<unsigned char>> made;
  std::vector<unsigned char>& numbers = made[{size, floating}];
  if (!numbers.empty()) return numbers;
  const auto step = static_cast<std::size_t>(size);
  numbers.resize((std::size_t{1} << 20) / step * step);
  std::uint64_t state = 0x9e3779b97f4a7c15u;
  for (std::size_t at = 0; at < numbers.size(); at += step) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t bits = bits_of(static_cast<std::uint32_t>(state >> 32), size, floating);
    std::memcpy(numbers.data() + at, &bits, std::min<std::size_t>(step, 8));
  }
  return numbers;
}

}  // namespace

// A megabyte of them, over and over: nobody notices, and a comparison sets up many times.
void* Case::allocate(std::size_t bytes, std::size_t element, Numbers kind) {
  const int size = kind == Numbers::whole     ? static_cast<int>(element)
                   : kind == Numbers::doubles ? 8
                   : kind == Numbers::halves  ? 2
                                              : 4;
  const std::vector<unsigned char>& numbers = numbers_of(size, kind != Numbers::whole);
  const std::size_t period = std::min(bytes, numbers.size());
  void* block = nullptr;
  need(cudaMalloc(&block, std::max<std::size_t>(bytes, 1)), "bench.memory");
  blocks_.push_back(block);
  if (bytes == 0) return block;
  need(cudaMemcpy(block, numbers.data(), period, cudaMemcpyHostToDevice), "bench.memory");
  char* const begin = static_cast<char*>(block);
  for (std::size_t done = period; done < bytes; done *= 2)  // what is there, once more behind it
    need(cudaMemcpy(begin + done, begin, std::min(done, bytes - done), cudaMemcpyDeviceToDevice),
         "bench.memory");
  return block;
}

}  // namespace workbook::bench
