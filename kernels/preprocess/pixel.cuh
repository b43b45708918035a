// One pixel: three bytes to eight halves.
#pragma once

#include "kernels/preprocess/preprocess.h"

namespace workbook::kernels::rungs {

__device__ inline uint4 prepared_pixel(unsigned red, unsigned green, unsigned blue,
                                       const Normalisation& how) {
  const __half2 first =
      __floats2half2_rn(fmaf(red, how.scale[0], how.bias[0]), fmaf(green, how.scale[1], how.bias[1]));
  const __half2 second = __floats2half2_rn(fmaf(blue, how.scale[2], how.bias[2]), 0.0f);
  return make_uint4(*reinterpret_cast<const unsigned*>(&first), *reinterpret_cast<const unsigned*>(&second),
                    0, 0);
}

}  // namespace workbook::kernels::rungs
