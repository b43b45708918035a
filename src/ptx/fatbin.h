// The device code inside an nvcc-built program: a fatbin is a list of images, each PTX text or a cubin
// (machine code for one architecture), each stored plain or compressed with zstd or as an LZ4 block.
//
// The program hands a small wrapper to __cudaRegisterFatBinary; the fatbin is what it points to. All sizes
// come from the file itself, so everything is checked against the bytes there are before it is read.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace workbook::ptx {

class FatbinError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class ImageKind : std::uint8_t { ptx, cubin };

struct Image {
  ImageKind kind = ImageKind::ptx;
  std::uint32_t arch = 0;           // 75, 90, ...
  char variant = 0;                 // 'a' (sm_90a: this one architecture), 'f' (sm_100f: its family), or 0
  std::string source_name;          // "vector_add.cu", or empty: nvcc writes it with -lineinfo and -G only
  std::vector<std::uint8_t> bytes;  // decompressed
  std::string_view text() const;    // the bytes as PTX, without the padding
  // A device of this compute capability can take it: PTX as text to compile, a cubin as it is.
  bool fits(std::uint32_t device) const;
  std::string name() const;  // "compute_90", "sm_90a"
};

// The fatbin at the start of `bytes`; what follows it is ignored. Throws FatbinError.
std::vector<Image> read_fatbin(std::span<const std::uint8_t> bytes);
// The same by the wrapper that a program registers. The sizes in the fatbin's own header are trusted.
std::vector<Image> read_fatbin_wrapper(const void* wrapper);
// All images inside a program or an object file: an ELF file whose section .nv_fatbin holds one fatbin after
// the other. Empty when it has no such section. Throws FatbinError.
std::vector<Image> read_program_images(std::span<const std::uint8_t> elf);
// The PTX image to run on a device of compute capability `arch`: the newest that is not newer than the
// device. Throws FatbinError with what to do, if there is none.
const Image& choose_ptx(std::span<const Image> images, std::uint32_t arch);

// What a kernel takes of a multiprocessor, as the assembler decided it for one architecture.
struct KernelResources {
  std::string name;                 // the mangled name
  std::uint32_t registers = 0;      // per thread
  std::uint64_t static_shared = 0;  // bytes per block, without what the system reserves
  std::uint64_t stack = 0;          // bytes of local memory per thread
};
// All kernels of a cubin. Throws FatbinError if it isn't one.
std::vector<KernelResources> read_cubin(std::span<const std::uint8_t> cubin);

}  // namespace workbook::ptx
