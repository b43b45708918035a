// c = a + b, one thread per element: the kernel in the middle of the five steps.
#pragma once

#include <cuda_runtime_api.h>

namespace workbook::kernels {

// n elements from 0 up, blocks of 256 threads, on `stream`. Asynchronous; returns the launch's error.
cudaError_t vector_add(const float* a, const float* b, float* c, int n, cudaStream_t stream = nullptr);

void vector_add_reference(const float* a, const float* b, float* c, int n);

}  // namespace workbook::kernels
