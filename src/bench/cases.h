// The benchmarks of one file: loaded, set up for one combination of parameters at a time.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/sampler.h"
#include "workbook/bench.h"

namespace workbook::bench {

using Values = std::map<std::string, long long>;

// A shared library made from a user's file.
class File {
 public:
  explicit File(const std::string& library);  // throws std::runtime_error
  const std::vector<const BenchEntry*>& entries() const { return entries_; }
  const BenchEntry* find(const std::string& name) const;

 private:
  std::vector<const BenchEntry*> entries_;
};

// Walks through all combinations of a benchmark's parameters. They become known as the benchmark asks for
// them.
class Combinations {
 public:
  explicit Combinations(Values fixed) : fixed_(std::move(fixed)) {}
  long long choose(const std::string& name, const long long* values, std::size_t count);
  bool next();  // false when all have been there
  // Those that the benchmark has asked for so far, in their order, with their values now.
  std::vector<std::pair<std::string, long long>> now() const;

 private:
  struct Axis {
    std::string name;
    std::vector<long long> values;
    std::size_t at = 0;
  };
  Values fixed_;
  std::vector<Axis> axes_;
};

// One benchmark, set up. Owns its device memory.
class Case final : public Bench {
 public:
  // Calls the benchmark's function. Throws what it throws.
  Case(const BenchEntry& entry, Combinations& combinations);
  ~Case();
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  const Work& work() const { return work_; }
  const std::string& skipped() const { return skipped_; }  // empty: not
  double has_bytes() const { return bytes_; }
  double has_flops() const { return flops_; }

  void bytes(double how_many) override { bytes_ = how_many; }
  void flops(double how_many) override { flops_ = how_many; }
  void run(std::function<void(cudaStream_t)> once) override { work_ = std::move(once); }
  void skip(const char* why) override { skipped_ = why; }

 protected:
  long long choose(const char* name, const long long* values, std::size_t count) override;
  void* allocate(std::size_t bytes, std::size_t element, Numbers kind) override;
  void* copy_to_device(const void* data, std::size_t bytes) override;

 private:
  Combinations& combinations_;
  Work work_;
  std::string skipped_;
  double bytes_ = 0, flops_ = 0;
  std::vector<void*> blocks_;
};

}  // namespace workbook::bench
