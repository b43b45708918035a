// The drivers of this program, by name.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "workbook/driver.h"

namespace workbook::runner {

std::map<std::string, DriverFunction, std::less<>>& drivers();

}  // namespace workbook::runner
