// Reading numbers out of a byte span, checked. For the readers of foreign files.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "ptx/fatbin.h"

namespace workbook::ptx {

using Bytes = std::span<const std::uint8_t>;

// A part of `bytes`; throws FatbinError that names `what` if there are not so many.
inline Bytes part_of(Bytes bytes, std::uint64_t offset, std::uint64_t size, const char* what) {
  if (offset > bytes.size() || size > bytes.size() - offset) {
    throw FatbinError(std::string("the device code in this program is damaged: ") + what + " is cut off");
  }
  return bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

template <typename T>
T number_at(Bytes bytes, std::uint64_t offset, const char* what) {
  T value;
  std::memcpy(&value, part_of(bytes, offset, sizeof(T), what).data(), sizeof(T));
  return value;
}

}  // namespace workbook::ptx
