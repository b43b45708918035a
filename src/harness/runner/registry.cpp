#include "harness/runner/registry.h"

#include "workbook/driver.h"

namespace workbook {

namespace runner {

std::map<std::string, DriverFunction, std::less<>>& drivers() {
  static std::map<std::string, DriverFunction, std::less<>> instance;  // filled by static constructors
  return instance;
}

}  // namespace runner

DriverRegistration::DriverRegistration(const char* name, DriverFunction function) {
  runner::drivers()[name] = function;
}

}  // namespace workbook
