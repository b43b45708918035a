// The arrays of one call: guarded, poisoned, put back, and collected.
//
// Host arrays, and device arrays on a GPU, lie between two guards of 4 KiB. On the simulated device an
// allocation has exactly the array's bytes and carries its name; the device itself sees every access outside.
// An array of 0 elements is one byte there that nobody wrote, so that a read is a fault, an access of more
// than one byte is a fault, and a written byte shows in the check afterwards. Outputs are poison (0xff): by
// memset, or on the simulated device by never having been written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/runner/exchange.h"

namespace workbook::runner {

class Buffers {
 public:
  explicit Buffers(Exchange& exchange) : exchange_(exchange) {}
  ~Buffers();
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

  // The same pointer for the same name each time. Throws GraderError when the judge set no such array, or in
  // another mode.
  void* host(std::string_view name, char mode);
  void* device(std::string_view name, char mode);
  void renew();
  // Moves the elements of that array round, from where the judge put them, by a number of places that depends
  // on all of them and on the number of the run: the same each time, and nobody knows it who has not looked
  // at the whole array. Nothing for an array that nobody asked for yet.
  void rotate(std::string_view name, std::size_t run);
  // The outputs as they are now, and those again, with the judge's inputs.
  void keep_outputs();
  void restore();
  // Copies the outputs to the response; adds "taken", "guards" and "changed".
  void collect(nlohmann::json& response);

 private:
  struct Buffer {
    const Item* item;
    bool on_device;
    std::byte* base;  // of the allocation, with guards
    std::byte* array;
    // Of an input that is rotated, on a GPU: the judge's values, so that a run's input comes from the
    // device's own memory and not through the bus each time. Null: they come from the host.
    std::byte* values = nullptr;
    std::uint64_t hash = 0;  // of the judge's values, once they have been rotated
    bool hashed = false;
  };
  void* get(std::string_view name, char mode, bool on_device);
  Buffer allocate_host(const Item& item);
  Buffer allocate_device(const Item& item);
  void fill(const Buffer& buffer, bool first);
  void keep_values(Buffer& buffer);
  void put_values(const Buffer& buffer, std::size_t offset, std::size_t from, std::size_t bytes);
  static void put(const Buffer& buffer, std::size_t offset, const std::byte* from, std::size_t bytes);
  void put_guard(std::byte* to, bool on_device);
  void check_guards(const Buffer& buffer, nlohmann::json& guards);
  void check_input(const Buffer& buffer, nlohmann::json& changed);

  Exchange& exchange_;
  std::deque<Buffer> buffers_;
  std::vector<std::vector<std::byte>> kept_;  // of `buffers_`; empty for inputs
};

}  // namespace workbook::runner
