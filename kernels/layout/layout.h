// NCHW and NHWC: the same images, with the channels outside or inside.
//
// In NCHW each channel of an image is a plane of H x W numbers; in NHWC each pixel is a row of C numbers. One
// becomes the other by transposing, image by image, a matrix of C x HW. What makes it harder than a transpose
// is the shape: C may be 3 or 256, and a tile of 32 x 32 is nine tenths empty where there are 3 channels.
// `nchw_to_nhwc` and `nhwc_to_nchw` are the best rungs; they are as good for 3 channels as for 256.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

namespace workbook::kernels {

/// A launcher of this ladder, in either direction. `in` and `out` hold n x c x h x w numbers without gaps,
/// one in NCHW (index ((i * c + j) * h + y) * w + x), the other in NHWC (index ((i * h + y) * w + x) * c +
/// j); they must not overlap.
///
/// Any sizes from 0; with 0 nothing is launched. Any alignment that a number has. Asynchronous on `stream`.
/// Returns cudaErrorInvalidValue for a negative size or for an image of 2^31 numbers or more, else the
/// launch's error.
template <class T>
using Layout = cudaError_t (*)(const T* in, T* out, int n, int c, int h, int w, cudaStream_t stream);

/// The best rungs. See Layout.
cudaError_t nchw_to_nhwc(const float* in, float* out, int n, int c, int h, int w,
                         cudaStream_t stream = nullptr);
cudaError_t nchw_to_nhwc(const __half* in, __half* out, int n, int c, int h, int w,
                         cudaStream_t stream = nullptr);
cudaError_t nhwc_to_nchw(const float* in, float* out, int n, int c, int h, int w,
                         cudaStream_t stream = nullptr);
cudaError_t nhwc_to_nchw(const __half* in, __half* out, int n, int c, int h, int w,
                         cudaStream_t stream = nullptr);

namespace rungs {
/// One number of the result a thread. Idea: write along the lines, and read from wherever the number is.
/// Limit: a warp's reads lie in up to 32 sectors, of which the other numbers are read again later. T: float
/// or __half.
template <class T>
cudaError_t nchw_to_nhwc_naive(const T* in, T* out, int n, int c, int h, int w,
                               cudaStream_t stream = nullptr);
template <class T>
cudaError_t nhwc_to_nchw_naive(const T* in, T* out, int n, int c, int h, int w,
                               cudaStream_t stream = nullptr);

/// A tile of 32 channels x 32 pixels in shared memory, rows of 33. Idea: the padded tile of the transpose,
/// once for each image. Limit: with few channels most of the tile is empty, and a thread moves 4 bytes
/// at a time (2 for __half).
template <class T>
cudaError_t nchw_to_nhwc_tile(const T* in, T* out, int n, int c, int h, int w, cudaStream_t stream = nullptr);
template <class T>
cudaError_t nhwc_to_nchw_tile(const T* in, T* out, int n, int c, int h, int w, cudaStream_t stream = nullptr);

/// A tile of 16 KiB whose shape follows the number of channels. Idea: take all channels up to 64 and as many
/// pixels as fit, so that both sides are long lines, moved 16 bytes an access with four loads in flight.
/// Where the shape does not allow 16 bytes, that side goes number by number.
template <class T>
cudaError_t nchw_to_nhwc_wide(const T* in, T* out, int n, int c, int h, int w, cudaStream_t stream = nullptr);
template <class T>
cudaError_t nhwc_to_nchw_wide(const T* in, T* out, int n, int c, int h, int w, cudaStream_t stream = nullptr);
}  // namespace rungs

/// What the conversions must produce, on the host. T: float or __half.
template <class T>
void nchw_to_nhwc_reference(const T* in, T* out, int n, int c, int h, int w);
template <class T>
void nhwc_to_nchw_reference(const T* in, T* out, int n, int c, int h, int w);

}  // namespace workbook::kernels
