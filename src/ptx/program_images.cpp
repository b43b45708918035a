// The device code inside a program or an object file: nvcc's host compiler puts each file's fatbin into the
// section .nv_fatbin, and the linker lines them up there.
#include <algorithm>
#include <string_view>

#include "ptx/bytes.h"
#include "ptx/fatbin.h"

namespace workbook::ptx {

namespace {

constexpr std::uint32_t fatbin_magic = 0xba55ed50;
constexpr std::uint32_t section_without_bytes = 8;  // SHT_NOBITS

// A section of a 64-bit ELF file.
struct Section {
  std::uint32_t name, type;
  std::uint64_t offset, size;
};

Section section_at(Bytes elf, std::uint64_t at) {
  constexpr const char* what = "its section table";
  return {number_at<std::uint32_t>(elf, at, what), number_at<std::uint32_t>(elf, at + 4, what),
          number_at<std::uint64_t>(elf, at + 24, what), number_at<std::uint64_t>(elf, at + 32, what)};
}

bool is_named(Bytes names, std::uint32_t at, std::string_view name) {
  if (at > names.size() || names.size() - at <= name.size()) return false;
  return std::equal(name.begin(), name.end(), names.begin() + at) && names[at + name.size()] == 0;
}

void read_row(Bytes row, std::vector<Image>& images) {
  constexpr const char* what = "its header";
  // Between two fatbins lie zeros, up to the next multiple of eight.
  for (std::size_t at = 0; at + 16 <= row.size();) {
    if (number_at<std::uint32_t>(row, at, what) != fatbin_magic) {
      at += 8;
      continue;
    }
    for (Image& image : read_fatbin(row.subspan(at))) images.push_back(std::move(image));
    at += number_at<std::uint16_t>(row, at + 6, what) + number_at<std::uint64_t>(row, at + 8, what);
    at = (at + 7) / 8 * 8;
  }
}

}  // namespace

std::vector<Image> read_program_images(std::span<const std::uint8_t> elf) {
  constexpr const char* what = "its header";
  const std::uint8_t elf64[] = {0x7f, 'E', 'L', 'F', 2};
  if (elf.size() < 64 || !std::equal(std::begin(elf64), std::end(elf64), elf.begin()))
    throw FatbinError("this is no program and no object file (not a 64-bit ELF file)");
  const auto table = number_at<std::uint64_t>(elf, 40, what);
  const auto entry_size = number_at<std::uint16_t>(elf, 58, what);
  const auto count = number_at<std::uint16_t>(elf, 60, what);
  const auto names_index = number_at<std::uint16_t>(elf, 62, what);
  std::vector<Image> images;
  if (count == 0) return images;
  const Section names_section = section_at(elf, table + std::uint64_t{names_index} * entry_size);
  const Bytes names = part_of(elf, names_section.offset, names_section.size, "its list of names");
  for (std::uint64_t i = 0; i < count; ++i) {
    const Section section = section_at(elf, table + i * entry_size);
    if (section.type == section_without_bytes || !is_named(names, section.name, ".nv_fatbin")) continue;
    read_row(part_of(elf, section.offset, section.size, "its device code"), images);
  }
  return images;
}

}  // namespace workbook::ptx
