// Any bytes given to the fatbin reader and to the cubin reader end in their answer or in a FatbinError.
#include <cstddef>
#include <cstdint>

#include "ptx/fatbin.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace workbook::ptx;
  if (size > 1 << 16) return 0;
  try {
    const auto images = read_fatbin({data, size});
    for (const Image& image : images) {
      if (image.kind != ImageKind::cubin) continue;
      try {
        (void)read_cubin(image.bytes);
      } catch (const FatbinError&) {
      }
    }
    (void)choose_ptx(images, 90);
  } catch (const FatbinError&) {
  }
  try {
    (void)read_cubin({data, size});
  } catch (const FatbinError&) {
  }
  return 0;
}
