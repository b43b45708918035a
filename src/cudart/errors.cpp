#include "cudart/errors.h"

#include "cudart/api.h"

namespace workbook::cudart {

const char* error_name(int code) {
  switch (code) {
#define ERROR(name, description) \
  case name:                     \
    return #name;
#include "cudart/errors.inc"
#undef ERROR
    default:
      return "unrecognized error code";
  }
}

const char* error_description(int code) {
  switch (code) {
#define ERROR(name, description) \
  case name:                     \
    return description;
#include "cudart/errors.inc"
#undef ERROR
    default:
      return "unrecognized error code";
  }
}

}  // namespace workbook::cudart
