// What the device says of itself: cudaDeviceProp and the attributes, from a profile's limits.
#pragma once

#include "cudart/api.h"
#include "model/model.h"

namespace workbook::cudart {

cudaDeviceProp properties(const model::Profile& profile);

// False for an attribute that doesn't exist.
bool device_attribute(const model::Profile& profile, int attribute, int& value);

}  // namespace workbook::cudart
