#include "kernels/common/tensor_matmul.cuh"
#include "kernels/convolution/convolution.h"
#include "kernels/convolution/pixels.h"

namespace workbook::kernels::rungs {

cudaError_t conv_1x1_tensor(const __half* in, const __half* weights, __half* out, int n, int h, int w, int c,
                            int k, cudaStream_t stream) {
  const int pixels = conv_pixels(n, h, w, c, k);
  if (pixels < 0) return cudaErrorInvalidValue;
  if (pixels == 0 || k == 0) return cudaSuccess;
  return tensor::matmul<true>(in, weights, out, pixels, k, c, stream);
}

}  // namespace workbook::kernels::rungs
