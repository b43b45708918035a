// What a .ptx file of this folder says it does, in lines `//! ...`, read once for both runners: the one on
// the simulated device (runner.cpp) and the one on a GPU (on_gpu.cpp). Both take the same file and the same
// expectation.
//
//   //! shows bfe bfi                        the opcodes that the file is about; rows of docs/ptx-support.md
//   link to it
//   //! launch grid=2 block=64 shared=128    shape; left out: one block of one warp; `cooperative` as a word
//   //! in u32 1 2 3                         the next parameter: a buffer with these values
//   //! out u32 32                           the next parameter: a buffer of 32 elements that nobody wrote
//   //! scalar u32 7                         the next parameter: a value
//   //! is 1*4 2 3                           what the last buffer holds afterwards; v*n repeats, `nan` is any
//   NaN
//   //! holds 0 1 2 3                        the last buffer has these values, in any order
//   //! near 1e-6 0.5 0.25                   floats, each off by at most 1e-6 of the value (of 1 below 1)
//   //! fault out_of_bounds thread=3 line=12 the simulated device stops the kernel with this fault
//   //! says past the end                    a part of the fault's sentence
//   //! prints hello                         what device printf gave; \n for line ends
//   //! counter global_load.sectors 4        a counter of the simulated device
//   //! unsupported mma                      the simulated device refuses the kernel, and the reason names
//   this
//   //! gpu error                            a GPU stops this kernel too, with some error
//   //! gpu skip WHY                         a GPU has nothing to say: what happens there is open, or not
//   stopped
//
// Types: u8 s8 u16 s16 u32 s32 u64 s64 f32 f64; floats are decimal or a bit pattern (0x...). The first kernel
// is run.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace workbook::ptx_tests {

struct Buffer {
  enum class Match : std::uint8_t { exact, any_order, near };

  std::string type;
  std::vector<std::uint64_t> values, expected;  // bit patterns
  std::vector<bool> any_nan;                    // of `expected`: every NaN will do
  std::size_t count = 0;
  bool initialised = false;
  Match match = Match::exact;
  double tolerance = 0;
  std::uint64_t address = 0;  // for the runner

  std::size_t element_bytes() const;
  std::size_t bytes() const { return count * element_bytes(); }
  // What `got`, the buffer's bytes after the launch, has that was not expected; empty when nothing.
  std::string difference(const std::vector<std::byte>& got) const;
};

struct Parameter {
  bool is_buffer = false;
  std::uint64_t value = 0;  // or the buffer's number
  std::size_t size = 8;
};

enum class OnGpu : std::uint8_t { as_said, error, skip };

struct Case {
  std::string text, kernel;  // the whole file; the name of its first kernel
  std::vector<std::string> shows;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{32, 1, 1};
  std::uint32_t shared = 0;
  bool cooperative = false;
  std::vector<Buffer> buffers;
  std::vector<Parameter> parameters;
  std::string fault, says, prints, unsupported;
  std::map<std::string, std::string> where;  // of the fault
  std::vector<std::pair<std::string, std::uint64_t>> counters;
  OnGpu on_gpu = OnGpu::as_said;
  std::string why_not_on_gpu;

  // The kernel's parameters as they lie in memory, with the addresses that the runner gave the buffers.
  std::vector<std::byte> parameter_block() const;
};

// Throws std::runtime_error, FILE:LINE: what is wrong, for a line that says nothing known.
Case read_case(const std::filesystem::path& path);

// A number for what the file does and expects (FNV-1a, as hexadecimal digits): the same after a change of its
// comments or of `shows`. Results recorded on a GPU name it, and so count for this very file only (table.py).
std::string digest_of(const std::string& text);

// Every .ptx below the folder, sorted.
std::vector<std::filesystem::path> find_cases(const std::filesystem::path& folder);

}  // namespace workbook::ptx_tests
