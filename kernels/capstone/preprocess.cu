#include "kernels/capstone/capstone.h"
#include "kernels/common/launch.h"

namespace workbook::kernels::capstone {

namespace {

constexpr int block = 256;

__device__ unsigned my_index() {
  return blockIdx.x * block + threadIdx.x;
}

// Where the first byte of a pixel lies that is used; `pixel` counts those of all pictures.
__device__ unsigned byte_of(unsigned pixel, const Pictures& p) {
  const unsigned side = p.side, edge = (p.stored - p.side) / 2;
  const unsigned line = pixel / side, picture = line / side;
  const unsigned row = picture * p.stored + edge + line % side;
  return 3 * (row * p.stored + edge + pixel % side);
}

// Indexing an argument by what a thread computes would send it through local memory.
__device__ float one_of(const float (&three)[3], unsigned which) {
  return which == 0 ? three[0] : which == 1 ? three[1] : three[2];
}

__global__ void bytes_to_planes(const std::uint8_t* in, float* out, Pictures p, unsigned numbers) {
  const unsigned i = my_index();
  if (i >= numbers) return;
  const unsigned plane = p.side * p.side;
  out[i] = in[byte_of(i / (3 * plane) * plane + i % plane, p) + i / plane % 3];
}

__global__ void scale_planes(float* numbers, unsigned count, unsigned plane, Normalisation how) {
  const unsigned i = my_index();
  if (i < count) numbers[i] *= one_of(how.scale, i / plane % 3);
}

__global__ void shift_planes(float* numbers, unsigned count, unsigned plane, Normalisation how) {
  const unsigned i = my_index();
  if (i < count) numbers[i] += one_of(how.bias, i / plane % 3);
}

__global__ void planes_to_halves(const float* in, __half* out, unsigned count) {
  const unsigned i = my_index();
  if (i < count) out[i] = __float2half_rn(in[i]);
}

__global__ void bytes_to_pixels(const std::uint8_t* in, uint4* out, Pictures p, unsigned pixels,
                                Normalisation how) {
  const unsigned i = my_index();
  if (i >= pixels) return;
  const std::uint8_t* from = in + byte_of(i, p);
  union {
    __half halves[8];
    uint4 all;
  } pixel;
  pixel.all = make_uint4(0, 0, 0, 0);
#pragma unroll
  for (int c = 0; c < 3; ++c) pixel.halves[c] = __float2half_rn(from[c] * how.scale[c] + how.bias[c]);
  out[i] = pixel.all;
}

}  // namespace

cudaError_t preprocess_step_by_step(const std::uint8_t* in, __half* out, float* floats, Pictures pictures,
                                    Normalisation how, cudaStream_t stream) {
  const auto count = static_cast<unsigned>(3 * pictures.pixels());
  const auto plane = static_cast<unsigned>(pictures.side * pictures.side);
  if (count == 0) return cudaSuccess;
  const unsigned grid = pieces(count, unsigned{block});
  bytes_to_planes<<<grid, block, 0, stream>>>(in, floats, pictures, count);
  scale_planes<<<grid, block, 0, stream>>>(floats, count, plane, how);
  shift_planes<<<grid, block, 0, stream>>>(floats, count, plane, how);
  planes_to_halves<<<grid, block, 0, stream>>>(floats, out, count);
  return cudaGetLastError();
}

cudaError_t preprocess_fused(const std::uint8_t* in, __half* out, Pictures pictures, Normalisation how,
                             cudaStream_t stream) {
  const auto pixels = static_cast<unsigned>(pictures.pixels());
  if (pixels == 0) return cudaSuccess;
  bytes_to_pixels<<<pieces(pixels, unsigned{block}), block, 0, stream>>>(in, reinterpret_cast<uint4*>(out),
                                                                         pictures, pixels, how);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::capstone
