#include "grader/elf.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace workbook::grader {

namespace {

template <class T>
std::optional<T> at(const std::string& bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string text_at(const std::string& bytes, std::uint64_t offset) {
  if (offset >= bytes.size()) return {};
  return bytes.substr(offset, std::min<std::size_t>(bytes.find('\0', offset), bytes.size()) - offset);
}

// A 64-bit ELF file in memory, and the way to its sections.
struct ElfFile {
  std::string bytes;
  Elf64_Ehdr header;
  std::optional<Elf64_Shdr> section(unsigned i) const {
    return at<Elf64_Shdr>(bytes, header.e_shoff + std::uint64_t{i} * header.e_shentsize);
  }
};

std::optional<ElfFile> open_elf(const fs::path& path) {
  auto bytes = read_file(path);
  const auto header = bytes ? at<Elf64_Ehdr>(*bytes, 0) : std::nullopt;
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64)
    return std::nullopt;
  return ElfFile{std::move(*bytes), *header};
}

}  // namespace

std::optional<ProgramFacts> program_facts(const fs::path& path) {
  const auto file = open_elf(path);
  if (!file) return std::nullopt;
  ProgramFacts facts;
  bool runpath = false;
  const auto names = file->section(file->header.e_shstrndx);
  for (unsigned i = 0; i < file->header.e_shnum; ++i) {
    const auto s = file->section(i);
    if (!s) break;
    const std::string name = names ? text_at(file->bytes, names->sh_offset + s->sh_name) : "";
    facts.has_device_code = facts.has_device_code || name == ".nv_fatbin" || name == ".nvFatBinSegment";
    if (s->sh_type != SHT_DYNAMIC) continue;
    const auto strings = file->section(s->sh_link);
    for (std::uint64_t offset = 0; strings && offset + sizeof(Elf64_Dyn) <= s->sh_size;
         offset += sizeof(Elf64_Dyn)) {
      const auto entry = at<Elf64_Dyn>(file->bytes, s->sh_offset + offset);
      if (!entry || entry->d_tag == DT_NULL) break;
      if (entry->d_tag == DT_NEEDED)
        facts.needed.push_back(text_at(file->bytes, strings->sh_offset + entry->d_un.d_val));
      facts.has_rpath = facts.has_rpath || entry->d_tag == DT_RPATH;
      runpath = runpath || entry->d_tag == DT_RUNPATH;
    }
  }
  facts.has_rpath = facts.has_rpath && !runpath;
  return facts;
}

std::vector<ElfSymbol> global_symbols(const fs::path& object) {
  std::vector<ElfSymbol> symbols;
  const auto file = open_elf(object);
  if (!file) return symbols;
  for (unsigned i = 0; i < file->header.e_shnum; ++i) {
    const auto table = file->section(i);
    if (!table || table->sh_type != SHT_SYMTAB) continue;
    const auto strings = file->section(table->sh_link);
    for (std::uint64_t offset = 0; strings && offset + sizeof(Elf64_Sym) <= table->sh_size;
         offset += sizeof(Elf64_Sym)) {
      const auto s = at<Elf64_Sym>(file->bytes, table->sh_offset + offset);
      if (!s) break;
      const auto binding = ELF64_ST_BIND(s->st_info);
      const auto type = ELF64_ST_TYPE(s->st_info);
      if (binding == STB_LOCAL && type != STT_GNU_IFUNC) continue;
      symbols.push_back({.name = text_at(file->bytes, strings->sh_offset + s->st_name),
                         .defined = s->st_shndx != SHN_UNDEF,
                         .weak = binding != STB_GLOBAL,
                         .is_function = type == STT_FUNC || type == STT_GNU_IFUNC,
                         .is_chosen_at_start = type == STT_GNU_IFUNC});
    }
  }
  return symbols;
}

std::vector<ElfSection> sections_of(const fs::path& object) {
  std::vector<ElfSection> sections;
  const auto file = open_elf(object);
  if (!file) return sections;
  const auto names = file->section(file->header.e_shstrndx);
  for (unsigned i = 0; names && i < file->header.e_shnum; ++i) {
    const auto s = file->section(i);
    if (!s) break;
    ElfSection section;
    section.name = text_at(file->bytes, names->sh_offset + s->sh_name);
    section.executable = (s->sh_flags & SHF_EXECINSTR) != 0;
    section.writable = (s->sh_flags & SHF_WRITE) != 0;
    if (section.executable && s->sh_type != SHT_NOBITS && s->sh_offset <= file->bytes.size())
      section.bytes = file->bytes.substr(s->sh_offset, s->sh_size);
    sections.push_back(std::move(section));
  }
  return sections;
}

std::string redirect_problem(const fs::path& path) {
  const auto facts = program_facts(path);
  if (!facts) return {};  // a script may start anything
  const auto runtime = std::find_if(facts->needed.begin(), facts->needed.end(),
                                    [](const auto& n) { return n.starts_with("libcudart.so"); });
  const std::string name = path.filename().string();
  if (runtime == facts->needed.end()) {
    if (!facts->has_device_code) return {};
    return fmt::format(
        "{} carries NVIDIA's runtime inside (nvcc links it statically unless told otherwise), so it cannot "
        "be "
        "sent to the simulated device. Build it with: nvcc -cudart shared ..., or give its .cu file to "
        "./workbook run.",
        name);
  }
  if (*runtime != "libcudart.so.13")
    return fmt::format(
        "{} was built for {}; the simulated device stands in for libcudart.so.13. Build it with CUDA 13.",
        name, *runtime);
  if (facts->has_rpath)
    return fmt::format(
        "{} has an RPATH, which goes before LD_LIBRARY_PATH, so it would find NVIDIA's library first. Link "
        "it "
        "with -Wl,--enable-new-dtags, or without -rpath.",
        name);
  return {};
}

}  // namespace workbook::grader
