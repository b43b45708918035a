#include <cstddef>

#include "kernels/layout/layout.h"

namespace workbook::kernels {

cudaError_t nchw_to_nhwc(const float* in, float* out, int n, int c, int h, int w, cudaStream_t stream) {
  return rungs::nchw_to_nhwc_wide(in, out, n, c, h, w, stream);
}
cudaError_t nchw_to_nhwc(const __half* in, __half* out, int n, int c, int h, int w, cudaStream_t stream) {
  return rungs::nchw_to_nhwc_wide(in, out, n, c, h, w, stream);
}
cudaError_t nhwc_to_nchw(const float* in, float* out, int n, int c, int h, int w, cudaStream_t stream) {
  return rungs::nhwc_to_nchw_wide(in, out, n, c, h, w, stream);
}
cudaError_t nhwc_to_nchw(const __half* in, __half* out, int n, int c, int h, int w, cudaStream_t stream) {
  return rungs::nhwc_to_nchw_wide(in, out, n, c, h, w, stream);
}

namespace {

// Calls visit(index in NCHW, index in NHWC) for each number.
template <class Visit>
void each_number(int n, int c, int h, int w, Visit visit) {
  std::size_t planes = 0;
  for (std::size_t i = 0; i < std::size_t(n); ++i) {
    for (int j = 0; j < c; ++j) {
      for (int y = 0; y < h; ++y) {
        for (int x = 0; x < w; ++x) visit(planes++, ((i * h + y) * w + x) * c + j);
      }
    }
  }
}

}  // namespace

template <class T>
void nchw_to_nhwc_reference(const T* in, T* out, int n, int c, int h, int w) {
  each_number(n, c, h, w, [&](std::size_t planes, std::size_t rows) { out[rows] = in[planes]; });
}
template <class T>
void nhwc_to_nchw_reference(const T* in, T* out, int n, int c, int h, int w) {
  each_number(n, c, h, w, [&](std::size_t planes, std::size_t rows) { out[planes] = in[rows]; });
}

template void nchw_to_nhwc_reference(const float*, float*, int, int, int, int);
template void nchw_to_nhwc_reference(const __half*, __half*, int, int, int, int);
template void nhwc_to_nchw_reference(const float*, float*, int, int, int, int);
template void nhwc_to_nchw_reference(const __half*, __half*, int, int, int, int);

}  // namespace workbook::kernels
