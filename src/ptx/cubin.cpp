// What a cubin says about its kernels. A cubin is an ELF file: a section `.text.NAME` for each kernel, one
// `.nv.shared.NAME` as large as its shared memory, and `.nv.info` with attributes: registers (0x2f) and stack
// (0x12), each as {symbol, value}.
#include <algorithm>
#include <string>

#include "ptx/bytes.h"
#include "ptx/fatbin.h"

namespace workbook::ptx {

namespace {

constexpr std::uint8_t sized_attribute = 4;
constexpr std::uint8_t attribute_registers = 0x2f;
constexpr std::uint8_t attribute_stack = 0x12;
constexpr std::uint64_t reserved_shared = 1024;     // from sm_90 on, counted in the kernel's own section
constexpr std::uint32_t section_without_bytes = 8;  // SHT_NOBITS

struct Section {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint32_t info = 0;
  std::uint64_t size = 0;
  Bytes bytes;
};

std::string_view text_at(Bytes strings, std::uint64_t offset) {
  const Bytes tail =
      part_of(strings, offset, strings.size() - std::min<std::uint64_t>(offset, strings.size()), "a name");
  const auto end = std::find(tail.begin(), tail.end(), 0);
  return {reinterpret_cast<const char*>(tail.data()), static_cast<std::size_t>(end - tail.begin())};
}

class Cubin {
 public:
  explicit Cubin(Bytes bytes) : bytes_(bytes) {
    constexpr const char* what = "the cubin's header";
    const Bytes mark = part_of(bytes, 0, 5, what);
    const std::uint8_t elf64[] = {0x7f, 'E', 'L', 'F', 2};
    if (!std::equal(mark.begin(), mark.end(), elf64))
      throw FatbinError("this is not a cubin (no 64-bit ELF file)");
    const auto table = number_at<std::uint64_t>(bytes, 40, what);
    const auto entry_size = number_at<std::uint16_t>(bytes, 58, what);
    const auto count = number_at<std::uint16_t>(bytes, 60, what);
    const auto names = number_at<std::uint16_t>(bytes, 62, what);
    if (entry_size < 64 || names >= count) throw FatbinError("the cubin's section table is damaged");
    const Bytes entries =
        part_of(bytes, table, std::uint64_t{entry_size} * count, "the cubin's section table");
    const Bytes strings = read_section(entries.subspan(std::size_t{names} * entry_size)).bytes;
    for (std::size_t i = 0; i < count; ++i) {
      const Bytes entry = entries.subspan(i * entry_size, entry_size);
      sections_.push_back(read_section(entry));
      sections_.back().name = text_at(strings, number_at<std::uint32_t>(entry, 0, "a section"));
    }
  }

  std::vector<KernelResources> kernels() const {
    std::vector<KernelResources> kernels;
    constexpr std::string_view prefix = ".text.";
    for (const Section& section : sections_) {
      if (!section.name.starts_with(prefix)) continue;
      KernelResources& kernel = kernels.emplace_back();
      kernel.name = section.name.substr(prefix.size());
      kernel.registers = section.info >> 24;  // CUDA 13 writes it here up to sm_8x only
      kernel.static_shared = shared_of(kernel.name);
    }
    read_attributes(kernels);
    return kernels;
  }

 private:
  Section read_section(Bytes entry) const {
    constexpr const char* what = "a section";
    Section section;
    section.type = number_at<std::uint32_t>(entry, 4, what);
    section.info = number_at<std::uint32_t>(entry, 44, what);
    section.size = number_at<std::uint64_t>(entry, 32, what);
    if (section.type != section_without_bytes && section.type != 0) {
      section.bytes = part_of(bytes_, number_at<std::uint64_t>(entry, 24, what), section.size, what);
    }
    return section;
  }

  const Section* find(std::string_view name) const {
    const auto found = std::find_if(sections_.begin(), sections_.end(),
                                    [&](const Section& section) { return section.name == name; });
    return found == sections_.end() ? nullptr : &*found;
  }

  std::uint64_t shared_of(const std::string& kernel) const {
    const Section* shared = find(".nv.shared." + kernel);
    if (shared == nullptr) return 0;
    const bool counted = find(".nv.shared.reserved.0") != nullptr && shared->size >= reserved_shared;
    return shared->size - (counted ? reserved_shared : 0);
  }

  std::string_view symbol_name(std::uint32_t index) const {
    const Section* symbols = find(".symtab");
    const Section* strings = find(".strtab");
    if (symbols == nullptr || strings == nullptr) return {};
    constexpr std::uint64_t symbol_size = 24;
    return text_at(strings->bytes, number_at<std::uint32_t>(symbols->bytes, index * symbol_size, "a symbol"));
  }

  void read_attributes(std::vector<KernelResources>& kernels) const {
    const Section* info = find(".nv.info");
    if (info == nullptr) return;
    Bytes left = info->bytes;
    while (left.size() >= 4) {
      const std::uint8_t form = left[0];
      const std::uint8_t attribute = left[1];
      if (form != sized_attribute) {
        left = left.subspan(4);
        continue;
      }
      const Bytes value = part_of(left, 4, number_at<std::uint16_t>(left, 2, "an attribute"), "an attribute");
      if (value.size() >= 8 && (attribute == attribute_registers || attribute == attribute_stack)) {
        set(kernels, attribute, symbol_name(number_at<std::uint32_t>(value, 0, "an attribute")),
            number_at<std::uint32_t>(value, 4, "an attribute"));
      }
      left = left.subspan(4 + value.size());
    }
  }

  static void set(std::vector<KernelResources>& kernels, std::uint8_t attribute, std::string_view name,
                  std::uint32_t value) {
    for (KernelResources& kernel : kernels) {
      if (kernel.name != name) continue;
      if (attribute == attribute_registers) kernel.registers = value;
      if (attribute == attribute_stack) kernel.stack = value;
    }
  }

  Bytes bytes_;
  std::vector<Section> sections_;
};

}  // namespace

std::vector<KernelResources> read_cubin(std::span<const std::uint8_t> cubin) {
  return Cubin(cubin).kernels();
}

}  // namespace workbook::ptx
