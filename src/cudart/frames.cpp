#include "cudart/frames.h"

#include <execinfo.h>
#include <fmt/format.h>

#include "trace/call_stack.h"
#include "trace/symbolize.h"

namespace workbook::cudart {

namespace {

constexpr std::size_t most_frames = 8;

}  // namespace

void prepare_frames() {
  trace::executable();  // a signal handler asks for it
  void* first[1];
  backtrace(first, 1);
}

std::vector<std::uint64_t> capture_frames() {
  return trace::call_stack(most_frames);
}

std::vector<std::uint64_t> frames_at(std::uint64_t pc) {
  if (!trace::executable().holds(pc)) return {};
  return {pc - trace::executable().base};
}

std::string describe_place(const std::vector<std::uint64_t>& frames, const std::string& kernel) {
  if (frames.empty()) return {};
  try {
    const auto laid_out = trace::frames_of(frames, trace::symbolize(trace::executable_path(), frames));
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
