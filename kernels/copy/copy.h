// Copying device memory: the yardstick of every bandwidth bound.
//
// A kernel that reads and writes each byte once cannot beat a copy of as many bytes; so a bound "1.25 x copy"
// means: at most a quarter more time than moving the data takes. The rungs go from one element a thread to
// the best we can write; `copy` is the best rung.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace workbook::kernels {

/// to[i] = from[i] for `bytes` bytes, as fast as we can. Any alignment, any size from 0; the regions must not
/// overlap. Asynchronous on `stream`; returns the launch's error.
cudaError_t copy(const void* from, void* to, std::size_t bytes, cudaStream_t stream = nullptr);

namespace rungs {
/// One element of 1, 2, 4, 8 or 16 bytes a thread; both pointers must be aligned to that size. Idea:
/// neighbouring threads touch neighbouring elements, so a warp's request is 1 to 16 whole sectors. Limit:
/// with a byte a thread the machine is busy counting threads, and even 4 bytes are too few in flight to keep
/// DRAM busy. Returns cudaErrorInvalidValue for another size or a pointer that is not aligned, else the
/// launch's error.
cudaError_t copy_elements(const void* from, void* to, std::size_t count, int element_bytes,
                          cudaStream_t stream = nullptr);

/// Sixteen bytes a load, four loads a thread before the first store. Idea: four independent loads in flight
/// per thread hide the latency of DRAM. Both pointers must be aligned to 16 bytes, else
/// cudaErrorInvalidValue; the tail goes byte by byte.
cudaError_t copy_vector(const void* from, void* to, std::size_t bytes, cudaStream_t stream = nullptr);

/// For pointers that no 16 bytes fit. Idea: store 16 aligned bytes, and put them together from the aligned
/// words of 4 bytes that hold them, shifted by whole bytes; the two ends go byte by byte. Any alignment, any
/// size.
cudaError_t copy_shifted(const void* from, void* to, std::size_t bytes, cudaStream_t stream = nullptr);
}  // namespace rungs

/// What the copy must produce, on the host.
void copy_reference(const void* from, void* to, std::size_t bytes);

}  // namespace workbook::kernels
