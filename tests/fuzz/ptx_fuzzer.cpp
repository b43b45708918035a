// Any text given to the PTX reader ends in a module or in a ptx::Error; never in a crash, a hang or a leak.
// What was read is looked at further, as the simulated device would: its control flow.
#include <cstddef>
#include <cstdint>
#include <string>

#include "ptx/control_flow.h"
#include "ptx/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 1 << 16) return 0;
  try {
    const workbook::ptx::Module module =
        workbook::ptx::read(std::string(reinterpret_cast<const char*>(data), size));
    for (const auto& function : module.functions) (void)workbook::ptx::analyze(function);
  } catch (const workbook::ptx::Error&) {
  }
  return 0;
}
