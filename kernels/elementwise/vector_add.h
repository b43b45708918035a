// c = a + b: the element-wise ladder, and the kernel in the middle of the five steps.
//
// Nothing is computed that takes time: 12 bytes cross the memory for one addition. So all rungs differ only
// in how many bytes are on their way at once. What holds for the addition holds for every element-wise
// kernel.
#pragma once

#include <cuda_runtime_api.h>

namespace workbook::kernels {

/// A launcher of this ladder: c[i] = a[i] + b[i] for n elements from 0 up. `c` may be `a` or `b`. Any
/// alignment that a float has. Asynchronous on `stream`; returns cudaErrorInvalidValue for a negative n, else
/// the launch's error.
using VectorAdd = cudaError_t (*)(const float* a, const float* b, float* c, int n, cudaStream_t stream);

/// One element a thread, blocks of 256: what a first kernel looks like (rungs::vector_add_scalar). See
/// VectorAdd.
cudaError_t vector_add(const float* a, const float* b, float* c, int n, cudaStream_t stream = nullptr);

namespace rungs {
/// One element a thread. Idea: neighbouring threads take neighbouring elements. Limit: two loads of 4 bytes
/// in flight a thread, and a block to start for every 256 elements.
cudaError_t vector_add_scalar(const float* a, const float* b, float* c, int n, cudaStream_t stream = nullptr);

/// As many blocks as the device holds, each thread walking through the array. Idea: blocks start once and not
/// once for every 256 elements. Limit: the next loads wait for the turn of the loop.
cudaError_t vector_add_stride(const float* a, const float* b, float* c, int n, cudaStream_t stream = nullptr);

/// Sixteen bytes a load, two loads from each array in flight. Idea: 64 bytes on their way a thread instead
/// of 8. Pointers that are not all aligned to 16 bytes go the way of vector_add_scalar.
cudaError_t vector_add_vector(const float* a, const float* b, float* c, int n, cudaStream_t stream = nullptr);
}  // namespace rungs

/// What the addition must produce, on the host.
void vector_add_reference(const float* a, const float* b, float* c, int n);

}  // namespace workbook::kernels
