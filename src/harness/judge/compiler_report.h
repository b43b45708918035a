// What `nvcc -Xptxas -v` prints, as numbers.
#pragma once

#include <string_view>
#include <vector>

#include "workbook/compiled.h"

namespace workbook::judge {

// The kernels in the order of the text; one of them for each architecture it was compiled for. Lines that
// belong to no kernel are passed over.
std::vector<CompiledKernel> parse_ptxas_report(std::string_view text);

// How many instructions of a PTX text carry the type: "f64" counts fma.rn.f64 and cvt.f64.f32.
std::size_t instructions_of_type(std::string_view ptx, std::string_view type);

}  // namespace workbook::judge
