#include "cudart/frames.h"

#include <execinfo.h>
#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include <array>
#include <climits>

#include "trace/symbolize.h"

namespace workbook::cudart {

namespace {

constexpr std::size_t most_frames = 8;

struct Range {
  std::uint64_t base = 0, begin = UINT64_MAX, end = 0;
  bool holds(std::uint64_t address) const { return address >= begin && address < end; }
};
Range executable;

// The first object that the loader lists is the executable.
int note_executable(dl_phdr_info* info, std::size_t, void*) {
  executable.base = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    executable.begin = std::min(executable.begin, info->dlpi_addr + header.p_vaddr);
    executable.end = std::max(executable.end, info->dlpi_addr + header.p_vaddr + header.p_memsz);
  }
  return 1;
}

}  // namespace

void prepare_frames() {
  dl_iterate_phdr(note_executable, nullptr);
  void* first[1];
  backtrace(first, 1);
}

std::vector<std::uint64_t> capture_frames() {
  std::array<void*, 40> stack;
  const int depth = backtrace(stack.data(), static_cast<int>(stack.size()));
  std::vector<std::uint64_t> frames;
  for (int i = 0; i < depth && frames.size() < most_frames; ++i) {
    const auto address = reinterpret_cast<std::uint64_t>(stack[static_cast<std::size_t>(i)]) - 1;
    if (executable.holds(address)) frames.push_back(address - executable.base);
  }
  return frames;
}

std::vector<std::uint64_t> frames_at(std::uint64_t pc) {
  if (!executable.holds(pc)) return {};
  return {pc - executable.base};
}

const std::string& executable_path() {
  static const std::string path = [] {
    char text[PATH_MAX];
    const ssize_t size = readlink("/proc/self/exe", text, sizeof text);
    return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : std::string();
  }();
  return path;
}

std::string describe_place(const std::vector<std::uint64_t>& frames, const std::string& kernel) {
  if (frames.empty()) return {};
  try {
    const auto laid_out = trace::frames_of(frames, trace::symbolize(executable_path(), frames));
    // Any file will do that isn't a header of the toolkit: the innermost one the program's own author may
    // know.
    std::vector<std::string> files;
    for (const auto& frame : laid_out) {
      const bool ours = frame.function.starts_with("__wrap_");  // the runner's interposer
      if (!ours && frame.file.find("/include/") == std::string::npos) files.push_back(frame.file);
    }
    const trace::Frame* frame = trace::first_frame_in(files, laid_out, kernel);
    if (frame == nullptr) return {};
    const auto slash = frame->file.rfind('/');
    const auto name = slash == std::string::npos ? frame->file : frame->file.substr(slash + 1);
    return fmt::format("{}:{} ({})", name, frame->line, trace::function_name(frame->function));
  } catch (const std::exception&) {
    return {};  // no addr2line: the report goes without
  }
}

}  // namespace workbook::cudart
