// PTX for the tests: a body becomes a whole module with one kernel that has the usual registers.
#pragma once

#include <cstdint>
#include <string>

namespace workbook::ptx::test {

inline const char* header = ".version 9.0\n.target sm_75\n.address_size 64\n";

// The body begins in line 9 of the text.
inline std::string module_of(const std::string& body) {
  return std::string(header) +
         ".visible .entry k(.param .u64 k_param_0, .param .u32 k_param_1)\n"
         "{ .reg .pred %p<5>;\n"
         ".reg .b16 %rs<5>; .reg .b32 %r<10>; .reg .f32 %f<10>;\n"
         ".reg .b64 %rd<10>; .reg .f64 %fd<5>; .shared .align 4 .b8 tile[64];\n"
         "\n" +
         body + "\n}\n";
}

inline constexpr std::uint32_t first_body_line = 9;

}  // namespace workbook::ptx::test
