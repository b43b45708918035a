#include "ptx/fatbin.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "ptx/bytes.h"
#include "ptx/decompress.h"

namespace workbook::ptx {

namespace {

constexpr std::uint32_t wrapper_magic = 0x466243b1;
constexpr std::uint32_t fatbin_magic = 0xba55ed50;
constexpr std::uint64_t flag_lz4 = 0x2000;
constexpr std::uint64_t flag_zstd = 0x8000;
constexpr std::uint64_t flag_one_architecture = 0x100000;  // sm_90a
constexpr std::uint64_t flag_family = 0x200000;            // sm_100f
constexpr std::uint32_t smallest_entry_header = 64;

// What `__fatBinC_Wrapper_t` of CUDA's fatbinary_section.h lays down.
struct Wrapper {
  std::uint32_t magic;
  std::uint32_t version;
  const std::uint8_t* data;
  const void* more;
};

// The header of one image; the offsets are those of nvcc 12 and 13.
struct EntryHeader {
  std::uint16_t kind;
  std::uint32_t header_size;
  std::uint64_t stored_size;
  std::uint32_t compressed_size;
  std::uint32_t arch;
  std::uint32_t name_offset, name_size;
  std::uint64_t flags;
  std::uint64_t full_size;
};

EntryHeader read_entry_header(Bytes at) {
  constexpr const char* what = "an image's header";
  EntryHeader header{};
  header.kind = number_at<std::uint16_t>(at, 0, what);
  header.header_size = number_at<std::uint32_t>(at, 4, what);
  header.stored_size = number_at<std::uint64_t>(at, 8, what);
  header.compressed_size = number_at<std::uint32_t>(at, 16, what);
  header.arch = number_at<std::uint32_t>(at, 28, what);
  header.name_offset = number_at<std::uint32_t>(at, 32, what);
  header.name_size = number_at<std::uint32_t>(at, 36, what);
  header.flags = number_at<std::uint64_t>(at, 40, what);
  header.full_size = number_at<std::uint64_t>(at, 56, what);
  if (header.header_size < smallest_entry_header) {
    throw FatbinError("the device code in this program is damaged: an image's header is too short");
  }
  part_of(at, 0, header.header_size, what);
  part_of(at, header.header_size, header.stored_size, "an image");
  return header;
}

std::vector<std::uint8_t> unpack(const EntryHeader& header, Bytes stored) {
  if ((header.flags & (flag_zstd | flag_lz4)) == 0) return {stored.begin(), stored.end()};
  const Bytes packed = part_of(stored, 0, header.compressed_size, "a compressed image");
  return (header.flags & flag_zstd) ? decompress_zstd(packed, header.full_size)
                                    : decompress_lz4(packed, header.full_size);
}

std::string list_of(std::span<const Image> images, ImageKind kind) {
  std::set<std::pair<std::uint32_t, std::string>> names;
  for (const Image& image : images) {
    if (image.kind == kind) names.emplace(image.arch, image.name());
  }
  std::string list;
  for (const auto& [arch, name] : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace

std::string_view Image::text() const {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return all.substr(0, all.find('\0'));
}

bool Image::fits(std::uint32_t device) const {
  if (variant == 'a') return device == arch;
  const bool same_family = device / 10 == arch / 10 && device >= arch;
  if (kind == ImageKind::ptx) return variant == 'f' ? same_family : device >= arch;
  // A cubin runs on later members of its family. The small computers with a GPU inside (Xavier, Orin, ...)
  // are built apart: theirs run there only, and they take no others.
  const auto apart = [](std::uint32_t a) { return a == 72 || a == 87 || a == 88 || a == 110; };
  return apart(arch) || apart(device) ? device == arch : same_family;
}

std::string Image::name() const {
  const std::string letter = variant == 0 ? "" : std::string(1, variant);
  return fmt::format("{}{}{}", kind == ImageKind::ptx ? "compute_" : "sm_", arch, letter);
}

std::vector<Image> read_fatbin(std::span<const std::uint8_t> bytes) {
  constexpr const char* what = "its header";
  if (number_at<std::uint32_t>(bytes, 0, what) != fatbin_magic) {
    throw FatbinError("this is not device code as nvcc packs it (the mark at its beginning is another)");
  }
  const auto version = number_at<std::uint16_t>(bytes, 4, what);
  if (version != 1)
    throw FatbinError(fmt::format("device code is packed in a newer way (version {})", version));
  const auto header_size = number_at<std::uint16_t>(bytes, 6, what);
  const auto size = number_at<std::uint64_t>(bytes, 8, what);
  Bytes left = part_of(bytes, header_size, size, "its list of images");
  std::vector<Image> images;
  while (!left.empty()) {
    const EntryHeader header = read_entry_header(left);
    const std::uint64_t whole = header.header_size + header.stored_size;
    if (header.kind == 1 || header.kind == 2) {
      Image image;
      image.kind = header.kind == 1 ? ImageKind::ptx : ImageKind::cubin;
      image.arch = header.arch;
      image.variant = (header.flags & flag_one_architecture) ? 'a'
                      : (header.flags & flag_family)         ? 'f'
                                                             : '\0';
      if (header.name_size != 0) {
        const Bytes name = part_of(left, header.name_offset, header.name_size, "an image's name");
        image.source_name.assign(name.begin(), std::find(name.begin(), name.end(), 0));
      }
      image.bytes = unpack(header, left.subspan(header.header_size, header.stored_size));
      images.push_back(std::move(image));
    }
    left = left.subspan(static_cast<std::size_t>(whole));
  }
  return images;
}

std::vector<Image> read_fatbin_wrapper(const void* wrapper) {
  if (wrapper == nullptr) throw FatbinError("the program registered no device code (a null pointer)");
  Wrapper given;
  std::memcpy(&given, wrapper, sizeof(given));
  if (given.magic != wrapper_magic || given.data == nullptr) {
    throw FatbinError("the program registered device code in a form that is not nvcc's");
  }
  if (given.version != 1) {
    throw FatbinError(
        "the program was built with -rdc=true (relocatable device code), which the simulated device "
        "can't link; build it without");
  }
  const Bytes header(given.data, 16);
  const auto header_size = number_at<std::uint16_t>(header, 6, "its header");
  const auto size = number_at<std::uint64_t>(header, 8, "its header");
  return read_fatbin({given.data, static_cast<std::size_t>(header_size + size)});
}

const Image& choose_ptx(std::span<const Image> images, std::uint32_t arch) {
  const Image* best = nullptr;
  for (const Image& image : images) {
    if (image.kind != ImageKind::ptx || !image.fits(arch)) continue;
    if (best == nullptr || image.arch > best->arch) best = &image;
  }
  if (best != nullptr) return *best;
  const std::string ptx = list_of(images, ImageKind::ptx);
  if (!ptx.empty()) {
    throw FatbinError(
        fmt::format("the program has PTX for {} only, but the device is sm_{}; build it with "
                    "-gencode arch=compute_75,code=compute_75",
                    ptx, arch));
  }
  const std::string cubins = list_of(images, ImageKind::cubin);
  throw FatbinError(
      fmt::format("the program has no PTX inside{}, and the simulated device runs PTX; build it with "
                  "-gencode arch=compute_75,code=compute_75 (or without -code/-arch=sm_NN options)",
                  cubins.empty() ? "" : " (only machine code for " + cubins + ")"));
}

}  // namespace workbook::ptx
