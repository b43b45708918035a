// Max-pooling 2 x 2 in NCHW: what a layout costs.
//
// In NCHW the channels of a window lie planes apart, so a thread has one channel in hand, and neighbours
// along a row load every second number. Exercise 11.4 measures its NHWC kernel against this one.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

namespace workbook::kernels {

/// One number of the result a thread: y[((i c + j) (h / 2) + r) (w / 2) + s] is the largest of the window of
/// x, which is NCHW; NaN when one of the four is. An odd last row or column belongs to no window. Any sizes
/// from 0 with less than 2^31 numbers. Asynchronous on `stream`. Returns the launch's error.
cudaError_t max_pool_nchw(const __half* x, __half* y, int n, int c, int h, int w,
                          cudaStream_t stream = nullptr);

}  // namespace workbook::kernels
