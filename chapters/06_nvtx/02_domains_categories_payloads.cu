// 6.2  Domains, categories, payloads
//
// A loader whose ranges can be told from those of everybody else in the program, counted by what they are, and
// found by the number of their batch: without a new text for each of them.
//
// When it works, a tool that shows only "workbook.loader" shows these ranges and no others.
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

// TODO: a struct for the domain, two for the categories, two for the messages. You will see "no range is called
// read" go away when the ranges of load_batches use them.

// Loads batch 0, 1, ... of `size` numbers each from the disk.
//
// Each step of each batch is a range in the domain "workbook.loader": "read" in the category "reading", and
// "decode" in the category "decoding". Both texts are registered strings. The payload is the number of the
// batch, as int64. Categories are named once, and strings registered once, however many batches there are.
void load_batches(const unsigned char* disk, float* out, int batches, int size) {
  for (int b = 0; b < batches; ++b) {
    const std::vector<unsigned char> bytes = read_batch(disk, b, size);
    decode_batch(bytes, out + b * size);
  }
}
