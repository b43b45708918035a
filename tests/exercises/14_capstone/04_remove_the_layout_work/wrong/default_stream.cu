// wrong: launches in the default stream
// verdict: wrong
// code: unordered
// message: is an edge
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <workbook/pipeline.h>

#include <cstdint>

using workbook::Layout;
using workbook::Normalisation;
using workbook::Pictures;

__global__ void bytes_to_pixels(const std::uint8_t* d_bytes, uint4* d_out, Pictures p, Normalisation how, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  const int picture = i / (p.side * p.side), row = i / p.side % p.side, column = i % p.side, edge = (p.stored - p.side) / 2;
  const std::uint8_t* from = d_bytes + 3 * ((picture * p.stored + edge + row) * p.stored + edge + column);
  union {
    __half halves[8];
    uint4 all;
  } pixel;
  pixel.all = make_uint4(0, 0, 0, 0);
#pragma unroll
  for (int c = 0; c < 3; ++c) pixel.halves[c] = __float2half_rn(from[c] * how.scale[c] + how.bias[c]);
  d_out[i] = pixel.all;
}

// Launches what makes the model's input at d_input, which is aligned to 256 bytes, of a batch's bytes at d_bytes; says in
// which layout the input then is. d_input has room for the input in either layout, 8 halves a pixel, and behind that for
// 3 floats a pixel more. Fewer than 2^27 pixels; there may be no pictures at all. Does not wait for the device.
Layout preprocess(const std::uint8_t* d_bytes, void* d_input, const Pictures& p, const Normalisation& how,
                  cudaStream_t stream) {
  const int pixels = static_cast<int>(p.pixels());
  if (pixels > 0)
    bytes_to_pixels<<<(pixels - 1) / 256 + 1, 256, 0>>>(d_bytes, static_cast<uint4*>(d_input), p, how, pixels);
  return Layout::nhwc;
}
