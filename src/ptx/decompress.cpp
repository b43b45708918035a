#include "ptx/decompress.h"

#include <lz4.h>
#include <zstd.h>

namespace workbook::ptx {

namespace {

constexpr std::uint64_t largest_image = std::uint64_t{1} << 30;

std::vector<std::uint8_t> room_for(std::uint64_t size) {
  if (size > largest_image)
    throw FatbinError("the device code in this program is damaged: an image of over 1 GiB");
  return std::vector<std::uint8_t>(static_cast<std::size_t>(size));
}

[[noreturn]] void fail(const char* method) {
  throw FatbinError(std::string("the device code in this program is damaged: it does not unpack (") + method +
                    ")");
}

}  // namespace

std::vector<std::uint8_t> decompress_zstd(Bytes packed, std::uint64_t size) {
  std::vector<std::uint8_t> image = room_for(size);
  const std::size_t got = ZSTD_decompress(image.data(), image.size(), packed.data(), packed.size());
  if (ZSTD_isError(got) || got != image.size()) fail("zstd");
  return image;
}

std::vector<std::uint8_t> decompress_lz4(Bytes packed, std::uint64_t size) {
  std::vector<std::uint8_t> image = room_for(size);
  if (packed.size() > largest_image) fail("LZ4");
  const int got =
      LZ4_decompress_safe(reinterpret_cast<const char*>(packed.data()), reinterpret_cast<char*>(image.data()),
                          static_cast<int>(packed.size()), static_cast<int>(image.size()));
  if (got < 0 || static_cast<std::size_t>(got) != image.size()) fail("LZ4");
  return image;
}

}  // namespace workbook::ptx
