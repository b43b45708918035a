// Names and descriptions of CUDA 13's error codes. The names are the enumerators of driver_types.h; the
// texts are those of NVIDIA's library, so that a program says the same on both devices.
#pragma once

#include <string_view>

namespace workbook::cudart {

const char* error_name(int code);  // "unrecognized error code" when there is none, as NVIDIA's library says
const char* error_description(int code);

}  // namespace workbook::cudart
