// Copying device memory: the yardstick of every bandwidth bound.
//
// A kernel that reads and writes each byte once cannot beat a copy of as many bytes; so a bound "1.25 x copy"
// means: at most a quarter more time than moving the data takes. The rungs go from one float a thread to the
// best we can write; `copy` is the best rung.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace workbook::kernels {

// to[i] = from[i] for `bytes` bytes, on `stream`. Any alignment, any size from 0; the regions must not
// overlap. Asynchronous; returns the launch's error.
cudaError_t copy(const void* from, void* to, std::size_t bytes, cudaStream_t stream = nullptr);

namespace rungs {
// One byte a thread: for pointers that no wider type fits. Idea: whatever the alignment, neighbouring threads
// touch neighbouring bytes. Limit: a warp's request moves a single sector, so most of the machine is busy
// counting.
cudaError_t copy_bytes(const void* from, void* to, std::size_t bytes, cudaStream_t stream = nullptr);

// One 4-byte word a thread. Idea: neighbouring threads read neighbouring words, so each warp's 32 loads are
// four sectors' worth of whole lines. Limit: 128 bytes in flight per warp are too few to keep DRAM busy.
cudaError_t copy_scalar(const float* from, float* to, std::size_t count, cudaStream_t stream = nullptr);

// Sixteen bytes a load, four loads a thread before the first store. Idea: four independent loads in flight
// per thread hide the latency of DRAM. Both pointers must be aligned to 16 bytes; the tail goes byte by byte.
cudaError_t copy_vector(const void* from, void* to, std::size_t bytes, cudaStream_t stream = nullptr);
}  // namespace rungs

// What the copy must produce, on the host.
void copy_reference(const void* from, void* to, std::size_t bytes);

}  // namespace workbook::kernels
