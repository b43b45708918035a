// An image of bytes, copied one thread a pixel: the yardstick of kernels that work pixel by pixel.
//
// Such a kernel cannot come near the copy of kernels/copy, which moves sixteen bytes a load: what bounds it
// is the number of threads and of small loads, not the number of bytes. This copy has as many threads and the
// smallest possible work in each, so "2 x copy_bytes" means: at most twice the time of touching each pixel.
#pragma once

#include <cuda_runtime_api.h>

namespace workbook::kernels {

// to[i] = from[i] for width x height bytes without gaps, on `stream`; blocks of 32 x 8 threads, neighbours in
// x. Asynchronous; returns the launch's error. Width and height from 0 up; at most 65,535 x 8 rows.
cudaError_t copy_bytes(int width, int height, const unsigned char* from, unsigned char* to,
                       cudaStream_t stream = nullptr);

void copy_bytes_reference(int width, int height, const unsigned char* from, unsigned char* to);

}  // namespace workbook::kernels
