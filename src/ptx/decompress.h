// The two compressions of a fatbin's images.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/bytes.h"

namespace workbook::ptx {

// Both throw FatbinError if the result is not exactly `size` bytes.
std::vector<std::uint8_t> decompress_zstd(Bytes packed, std::uint64_t size);
std::vector<std::uint8_t> decompress_lz4(Bytes packed, std::uint64_t size);

}  // namespace workbook::ptx
