// y = a*x + y, one thread per element: the baseline of the grid-stride loop.
#pragma once

#include <cuda_runtime_api.h>

namespace workbook::kernels {

/// y[i] = a * x[i] + y[i] for n elements from 0 up, blocks of 256 threads, on `stream`. Asynchronous; returns
/// the launch's error.
cudaError_t saxpy(int n, float a, const float* x, float* y, cudaStream_t stream = nullptr);

/// The same on the host, with one rounding an element.
void saxpy_reference(int n, float a, const float* x, float* y);

}  // namespace workbook::kernels
