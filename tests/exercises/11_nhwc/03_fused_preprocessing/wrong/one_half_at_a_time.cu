// wrong: one thread writes its eight halves one after the other: each store touches every sector
// verdict: wrong
// code: stores_more
// message: how many stores does it take to fill a sector
// seen: simulated
#include <cuda_fp16.h>
#include <cuda_runtime.h>

// out = in * scale + bias, for each of the three channels.
struct Normalisation {
  float scale[3], bias[3];
};

__global__ void preprocess_kernel(const unsigned char* d_in, uint4* d_out, int pixels, Normalisation how) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  union {
    __half halves[8];
    uint4 all;
  } pixel;
  pixel.all = make_uint4(0, 0, 0, 0);
#pragma unroll
  for (int c = 0; c < 3; ++c) pixel.halves[c] = __float2half_rn(d_in[3 * i + c] * how.scale[c] + how.bias[c]);
  volatile unsigned short* out = reinterpret_cast<unsigned short*>(d_out + i);
  for (int c = 0; c < 8; ++c) out[c] = __half_as_ushort(pixel.halves[c]);
}

// n images of h rows of w pixels: d_in has 3 bytes for each pixel, d_out 8 halves, of which 3 are the
// normalised channels, and 5 are +0. Computes in float and rounds once. d_out is aligned to 16 bytes;
// d_floats and d_halves have room for 3 numbers a pixel, for whoever needs it. Sizes from 0 up, less than
// 2^28 pixels. Does not wait for the device. Returns the first error.
cudaError_t preprocess(const unsigned char* d_in, __half* d_out, int n, int h, int w, Normalisation how,
                       float* d_floats, __half* d_halves) {
  const int pixels = n * h * w;
  if (pixels == 0) return cudaSuccess;
  preprocess_kernel<<<(pixels - 1) / 256 + 1, 256>>>(d_in, reinterpret_cast<uint4*>(d_out), pixels, how);
  return cudaGetLastError();
}
