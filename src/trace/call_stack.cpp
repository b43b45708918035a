#include "trace/call_stack.h"

#include <execinfo.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>

namespace workbook::trace {

namespace {

int note_executable(dl_phdr_info* info, std::size_t, void* data) {
  auto& out = *static_cast<Executable*>(data);
  out.base = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    out.begin = std::min<std::uint64_t>(out.begin, info->dlpi_addr + header.p_vaddr);
    out.end = std::max<std::uint64_t>(out.end, info->dlpi_addr + header.p_vaddr + header.p_memsz);
  }
  return 1;  // the others do not matter
}

}  // namespace

const Executable& executable() {
  static const Executable found = [] {
    Executable e;
    dl_iterate_phdr(note_executable, &e);
    return e;
  }();
  return found;
}

const std::string& executable_path() {
  static const std::string path = [] {
    char text[PATH_MAX];
    const ssize_t size = readlink("/proc/self/exe", text, sizeof text);
    return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : std::string();
  }();
  return path;
}

std::vector<std::uint64_t> call_stack(std::size_t most) {
  std::array<void*, 48> stack;
  const int depth = backtrace(stack.data(), static_cast<int>(stack.size()));
  std::vector<std::uint64_t> frames;
  for (int i = 0; i < depth && frames.size() < most; ++i) {
    const auto address = reinterpret_cast<std::uint64_t>(stack[static_cast<std::size_t>(i)]) - 1;
    if (executable().holds(address)) frames.push_back(address - executable().base);
  }
  return frames;
}

}  // namespace workbook::trace
