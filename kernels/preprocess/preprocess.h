// Preparing images for a network: bytes in, normalised halves out, channels inside and padded to eight.
//
// A framework does it step by step: bytes to float, scale and shift, float to half, pad to eight channels.
// Each step reads and writes every number once more. Fused into one kernel it reads 3 bytes a pixel and
// writes 16: no step in between ever meets memory. `preprocess` is the best rung.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

namespace workbook::kernels {

/// Channels of the result: 3, and 5 that hold +0, so that a pixel is 16 bytes.
constexpr int preprocess_channels = 8;

/// out = scale[c] x in + bias[c], in float with one rounding (fma), for in from 0 to 255. For the usual mean
/// and deviation of values in [0, 1]: scale = 1 / (255 deviation), bias = -mean / deviation.
struct Normalisation {
  float scale[3];  ///< by channel
  float bias[3];   ///< by channel
};

/// A launcher of the fused rungs: out[((i h + y) w + x) 8 + c] = half(in[((i h + y) w + x) 3 + c] scale[c] +
/// bias[c]) for c < 3, and +0 for the other five.
///
/// `in` holds n x h x w x 3 bytes at any alignment, `out` n x h x w x 8 halves aligned to 16 bytes; they must
/// not overlap. Any sizes from 0. Asynchronous on `stream`. Returns cudaErrorInvalidValue for a negative size
/// or for an `out` that is not aligned, else the launch's error.
using Preprocess = cudaError_t (*)(const unsigned char* in, __half* out, int n, int h, int w,
                                   Normalisation how, cudaStream_t stream);

/// The best rung. See Preprocess.
cudaError_t preprocess(const unsigned char* in, __half* out, int n, int h, int w, Normalisation how,
                       cudaStream_t stream = nullptr);

namespace rungs {
/// Four kernels, one after another: the chain that frameworks run when asked step by step. `floats` and
/// `halves` are work space of n x h x w x 3 numbers each; the rest as in Preprocess. Idea: none, each step is
/// the simplest kernel for itself. Limit: every step moves all numbers through memory.
cudaError_t preprocess_eager(const unsigned char* in, __half* out, int n, int h, int w, Normalisation how,
                             float* floats, __half* halves, cudaStream_t stream = nullptr);

/// One kernel, one pixel a thread. Idea: a pixel's eight halves are one store of 16 bytes, and nothing else
/// is written. Limit: three loads of one byte each.
cudaError_t preprocess_fused(const unsigned char* in, __half* out, int n, int h, int w, Normalisation how,
                             cudaStream_t stream = nullptr);

/// Four pixels a thread, the bytes by way of shared memory. Idea: 32 threads read the 384 bytes of 128 pixels
/// as words of 4 bytes, and each takes its pixels' bytes from there, so 4 stores of 16 bytes are in flight.
/// `in` is read in words of 4 bytes only where it is aligned to 4, else as in preprocess_fused.
cudaError_t preprocess_staged(const unsigned char* in, __half* out, int n, int h, int w, Normalisation how,
                              cudaStream_t stream = nullptr);
}  // namespace rungs

/// What the kernels must produce, on the host.
void preprocess_reference(const unsigned char* in, __half* out, int n, int h, int w, Normalisation how);

}  // namespace workbook::kernels
