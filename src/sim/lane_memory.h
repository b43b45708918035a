// Memory that every lane of a warp has for itself (local memory and call parameters).
//
// Stored as rows of words: word w of lane l is at words[w * 32 + l], so that an access of all lanes to the
// same offset, which is what compilers make, is one row.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace workbook::sim {

class LaneMemory {
 public:
  void reserve_bytes(std::uint32_t bytes) {
    const std::size_t need = (std::size_t{bytes} + 3) / 4 * 32;
    if (words_.size() < need) words_.resize(need + need / 2, 0xffffffffu);
  }
  std::uint32_t* row(std::uint32_t offset) { return words_.data() + offset / 4 * 32; }

  // `size` is 1, 2, 4 or 8, the offset aligned to it.
  std::uint64_t load(std::uint32_t lane, std::uint32_t offset, std::uint32_t size) const {
    const std::uint32_t* w = words_.data() + offset / 4 * 32 + lane;
    if (size == 4) return *w;
    if (size == 8) return *w | std::uint64_t{w[32]} << 32;
    return (*w >> offset % 4 * 8) & (size == 1 ? 0xffu : 0xffffu);
  }
  void store(std::uint32_t lane, std::uint32_t offset, std::uint32_t size, std::uint64_t value) {
    std::uint32_t* w = words_.data() + offset / 4 * 32 + lane;
    if (size == 8) w[32] = static_cast<std::uint32_t>(value >> 32);
    if (size >= 4) {
      *w = static_cast<std::uint32_t>(value);
      return;
    }
    const std::uint32_t shift = offset % 4 * 8, mask = (size == 1 ? 0xffu : 0xffffu) << shift;
    *w = (*w & ~mask) | (static_cast<std::uint32_t>(value) << shift & mask);
  }

 private:
  std::vector<std::uint32_t> words_;
};

}  // namespace workbook::sim
