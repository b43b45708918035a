// wrong: counts the batches from one
// verdict: wrong
// code: payload
// message: is 1, expected 0
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
struct Reading {
  static constexpr char const* name{"reading"};
  static constexpr std::uint32_t id{1};
};
struct Decoding {
  static constexpr char const* name{"decoding"};
  static constexpr std::uint32_t id{2};
};
struct ReadMessage {
  static constexpr char const* message{"read"};
};
struct DecodeMessage {
  static constexpr char const* message{"decode"};
};

// Loads batch 0, 1, ... of `size` numbers each from the disk.
//
// Each step of each batch is a range in the domain "workbook.loader": "read" in the category "reading", and
// "decode" in the category "decoding". Both texts are registered strings. The payload is the number of the
// batch, as int64. Categories are named once, and strings registered once, however many batches there are.
void load_batches(const unsigned char* disk, float* out, int batches, int size) {
  for (int b = 0; b < batches; ++b) {
    std::vector<unsigned char> bytes;
    {
      nvtx3::scoped_range_in<LoaderDomain> range{
          nvtx3::registered_string_in<LoaderDomain>::get<ReadMessage>(),
          nvtx3::named_category_in<LoaderDomain>::get<Reading>(), nvtx3::payload{std::int64_t{b} + 1}};
      bytes = read_batch(disk, b, size);
    }
    {
      nvtx3::scoped_range_in<LoaderDomain> range{
          nvtx3::registered_string_in<LoaderDomain>::get<DecodeMessage>(),
          nvtx3::named_category_in<LoaderDomain>::get<Decoding>(), nvtx3::payload{std::int64_t{b} + 1}};
      decode_batch(bytes, out + b * size);
    }
  }
}
