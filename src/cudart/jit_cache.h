// What the driver keeps of PTX that it has compiled: one file for each piece of code, in a folder on the
// disk.
//
// The variables are the driver's own, read once, when the program first calls the library: CUDA_CACHE_PATH
// says where, CUDA_CACHE_DISABLE=1 that nothing is read or written, CUDA_CACHE_MAXSIZE (bytes) how much may
// lie there; what was not used for longest goes first. Without CUDA_CACHE_PATH the folder is
// ~/.cache/cuda-workbook: what lies in NVIDIA's own is the driver's. An entry of the simulated device holds
// no code. It stands for it, and has its size.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace workbook::cudart {

class JitCache {
 public:
  static JitCache from_environment();

  bool enabled() const { return !folder_.empty(); }
  // Whether this text was compiled before, and is still there. Marks the entry as used.
  bool holds(std::string_view ptx) const;
  // False when nothing was kept: the cache is off, the code is larger than the cache, or the folder can't be
  // written.
  bool keep(std::string_view ptx) const;

 private:
  std::filesystem::path entry_of(std::string_view ptx) const;
  void make_room(std::uint64_t bytes) const;
  std::filesystem::path folder_;  // empty: off
  std::uint64_t most_bytes_ = std::uint64_t{1} << 30;
};

}  // namespace workbook::cudart
