// 14.4  Remove the layout work
//
// The device is busy all the time now. So what is left is to give it less to do. This is the preprocessing as it was
// found: step by step, and in NCHW, so that the model converts its input for every convolution.
//
// TODO: one kernel, bytes to NHWC. When it works, the scores are what they were, and the device needs at most nine tenths
// of the time for a batch.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <workbook/pipeline.h>

#include <cstdint>

using workbook::Layout;
using workbook::Normalisation;
using workbook::Pictures;

// All of a picture's reds, then its greens, then its blues.
__global__ void bytes_to_planes(const std::uint8_t* d_bytes, float* d_floats, Pictures p, int numbers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= numbers) return;
  const int plane = p.side * p.side, picture = i / plane / 3, colour = i / plane % 3;
  const int row = i % plane / p.side, column = i % p.side, edge = (p.stored - p.side) / 2;
  d_floats[i] = d_bytes[3 * ((picture * p.stored + edge + row) * p.stored + edge + column) + colour];
}

__global__ void scale_planes(float* d_floats, Normalisation how, int plane, int numbers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < numbers) d_floats[i] *= how.scale[i / plane % 3];
}

__global__ void shift_planes(float* d_floats, Normalisation how, int plane, int numbers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < numbers) d_floats[i] += how.bias[i / plane % 3];
}

__global__ void planes_to_halves(const float* d_floats, __half* d_halves, int numbers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < numbers) d_halves[i] = __float2half_rn(d_floats[i]);
}

// Launches what makes the model's input at d_input, which is aligned to 256 bytes, of a batch's bytes at d_bytes; says in
// which layout the input then is. d_input has room for the input in either layout, 8 halves a pixel, and behind that for
// 3 floats a pixel more. Fewer than 2^27 pixels; there may be no pictures at all. Does not wait for the device.
Layout preprocess(const std::uint8_t* d_bytes, void* d_input, const Pictures& p, const Normalisation& how,
                  cudaStream_t stream) {
  const int numbers = static_cast<int>(3 * p.pixels()), plane = p.side * p.side, blocks = (numbers + 255) / 256;
  __half* const d_halves = static_cast<__half*>(d_input);
  float* const d_floats = reinterpret_cast<float*>(d_halves + 8 * p.pixels());
  if (numbers == 0) return Layout::nchw;
  bytes_to_planes<<<blocks, 256, 0, stream>>>(d_bytes, d_floats, p, numbers);
  scale_planes<<<blocks, 256, 0, stream>>>(d_floats, how, plane, numbers);
  shift_planes<<<blocks, 256, 0, stream>>>(d_floats, how, plane, numbers);
  planes_to_halves<<<blocks, 256, 0, stream>>>(d_floats, d_halves, numbers);
  return Layout::nchw;
}
