// Addresses of an executable to functions, files and lines, by one run of binutils' addr2line for a whole
// batch.
//
//   auto places = symbolize("build/runner", addresses);      // Event::frames, of one or many events
//   const Frame* where = first_frame_in({"01_five_steps.cu"}, frames_of(event, places), "add");
//
// Addresses are relative to the executable's load base and lie inside the call instruction (a return address
// minus one), as producers of a trace write them. Line numbers need an object compiled with at least -g1.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace workbook::trace {

struct Frame {
  std::string function;    // demangled, with parameters; empty when unknown
  std::string file;        // as the compiler recorded it; empty when unknown
  std::uint32_t line = 0;  // 0 = unknown
  std::uint64_t address = 0;
  bool inlined = false;  // stands in the function of the next frame
};

// One address gives one frame, or several when functions were inlined there (innermost first).
using Places = std::map<std::uint64_t, std::vector<Frame>>;

// Throws std::runtime_error when addr2line can't be run. An address without debug information gives one frame
// with an empty file. The program is $WORKBOOK_ADDR2LINE, else addr2line on PATH.
Places symbolize(const std::string& executable, const std::vector<std::uint64_t>& addresses);

// The call stack of an event, innermost first, inlined frames laid out.
std::vector<Frame> frames_of(const std::vector<std::uint64_t>& addresses, const Places& places);

// The innermost frame that lies in one of the files and that the learner wrote: what nvcc makes for a launch
// (the stub `__device_stub__...`, and the host function with the kernel's own name that calls it) is skipped.
// Files match by their last path component. `kernel` is the kernel's name without parameters, for a launch
// whose stub the compiler inlined away. Null when there is none. Points into `frames`.
const Frame* first_frame_in(const std::vector<std::string>& files, const std::vector<Frame>& frames,
                            std::string_view kernel = {});

// A C++ name as a person writes it; what is no mangled name comes back as it is.
std::string demangled(const std::string& name);

// "a::saxpy" of "void a::saxpy<float>(int, float const*)".
std::string function_name(std::string_view with_parameters);

// The text of addr2line -a -f -C -i, parsed; exposed for tests.
Places parse_addr2line(std::string_view text);

}  // namespace workbook::trace
