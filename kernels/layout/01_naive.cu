#include "kernels/layout/layout.h"
#include "kernels/layout/shape.h"

namespace workbook::kernels::rungs {
namespace {

constexpr unsigned block = 256;

// An image is `inner_in` numbers after one another, `outer_in` times; the result has them the other way
// round.
template <class T>
__global__ void layout_naive_kernel(const T* in, T* out, std::size_t count, unsigned outer_in,
                                    unsigned inner_in) {
  const std::size_t i = blockIdx.x * std::size_t{block} + threadIdx.x;
  if (i >= count) return;
  const unsigned image_size = outer_in * inner_in;
  const std::size_t image = i / image_size;
  const unsigned place = i - image * image_size;
  const unsigned inner = place / outer_in, outer = place % outer_in;
  out[i] = in[image * image_size + outer * inner_in + inner];
}

template <class T>
cudaError_t launch(const T* in, T* out, const LayoutShape& shape, int outer_in, int inner_in,
                   cudaStream_t stream) {
  const std::size_t blocks = pieces(shape.count(), std::size_t{block});
  if (blocks > most_blocks) return cudaErrorInvalidValue;
  layout_naive_kernel<<<static_cast<unsigned>(blocks), block, 0, stream>>>(in, out, shape.count(), outer_in,
                                                                           inner_in);
  return cudaGetLastError();
}

}  // namespace

template <class T>
cudaError_t nchw_to_nhwc_naive(const T* in, T* out, int n, int c, int h, int w, cudaStream_t stream) {
  const LayoutShape shape = layout_shape(n, c, h, w);
  if (!shape.valid) return cudaErrorInvalidValue;
  return shape.empty() ? cudaSuccess : launch(in, out, shape, shape.channels, shape.pixels, stream);
}

template <class T>
cudaError_t nhwc_to_nchw_naive(const T* in, T* out, int n, int c, int h, int w, cudaStream_t stream) {
  const LayoutShape shape = layout_shape(n, c, h, w);
  if (!shape.valid) return cudaErrorInvalidValue;
  return shape.empty() ? cudaSuccess : launch(in, out, shape, shape.pixels, shape.channels, stream);
}

template cudaError_t nchw_to_nhwc_naive(const float*, float*, int, int, int, int, cudaStream_t);
template cudaError_t nchw_to_nhwc_naive(const __half*, __half*, int, int, int, int, cudaStream_t);
template cudaError_t nhwc_to_nchw_naive(const float*, float*, int, int, int, int, cudaStream_t);
template cudaError_t nhwc_to_nchw_naive(const __half*, __half*, int, int, int, int, cudaStream_t);

}  // namespace workbook::kernels::rungs
