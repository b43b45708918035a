// right: the attributes of both steps before the loop, the payload set in it; ranges of start and end
#include <chrono>
#include <cstdint>
#include <nvtx3/nvtx3.hpp>
#include <thread>
#include <vector>

// Two steps of a loader: bytes from a slow disk, and numbers out of the bytes. Given.
inline std::vector<unsigned char> read_batch(const unsigned char* disk, int batch, int size) {
  std::this_thread::sleep_for(std::chrono::microseconds(200));
  return std::vector<unsigned char>(disk + batch * size, disk + (batch + 1) * size);
}
inline void decode_batch(const std::vector<unsigned char>& bytes, float* to) {
  std::this_thread::sleep_for(std::chrono::microseconds(100));
  for (const unsigned char byte : bytes) *to++ = byte / 255.0f;
}

struct LoaderDomain {
  static constexpr char const* name{"workbook.loader"};
};
// Loads batch 0, 1, ... of `size` numbers each from the disk.
//
// Each step of each batch is a range in the domain "workbook.loader": "read" in the category "reading", and
// "decode" in the category "decoding". Both texts are registered strings. The payload is the number of the
// batch, as int64. Categories are named once, and strings registered once, however many batches there are.
void load_batches(const unsigned char* disk, float* out, int batches, int size) {
  using Range = nvtx3::unique_range_in<LoaderDomain>;
  const nvtx3::registered_string_in<LoaderDomain> read{"read"}, decode{"decode"};
  const nvtx3::named_category_in<LoaderDomain> reading{7, "reading"}, decoding{9, "decoding"};
  for (int b = 0; b < batches; ++b) {
    const nvtx3::payload number{static_cast<std::int64_t>(b)};
    std::vector<unsigned char> bytes;
    {
      const Range range{number, reading, read};
      bytes = read_batch(disk, b, size);
    }
    const Range range{number, decoding, decode};
    decode_batch(bytes, out + b * size);
  }
}
