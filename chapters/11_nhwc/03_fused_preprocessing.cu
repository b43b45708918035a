// 11.3  Fused preprocessing
//
// Bytes become what a network wants: scaled and shifted, in half, eight channels a pixel. Four kernels, as a
// framework runs them when it is asked step by step. Right, and slow: everything goes to memory and back four
// times.
//
// TODO: make one kernel of the four. When it works, the results are the same, the whole takes at most two
// fifths of the time, and d_floats and d_halves are not needed any more.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

// out = in * scale + bias, for each of the three channels.
struct Normalisation {
  float scale[3], bias[3];
};

__global__ void to_float(const unsigned char* d_in, float* d_floats, int numbers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < numbers) d_floats[i] = d_in[i];
}

__global__ void normalise(float* d_floats, int numbers, Normalisation how) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < numbers) d_floats[i] = d_floats[i] * how.scale[i % 3] + how.bias[i % 3];
}

__global__ void to_half(const float* d_floats, __half* d_halves, int numbers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < numbers) d_halves[i] = __float2half_rn(d_floats[i]);
}

// From 3 channels a pixel to 8.
__global__ void pad(const __half* d_halves, __half* d_out, int numbers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < numbers) d_out[i] = i % 8 < 3 ? d_halves[i / 8 * 3 + i % 8] : __half(0.0f);
}

// n images of h rows of w pixels: d_in has 3 bytes for each pixel, d_out 8 halves, of which 3 are the
// normalised channels, and 5 are +0. Computes in float and rounds once. d_out is aligned to 16 bytes;
// d_floats and d_halves have room for 3 numbers a pixel, for whoever needs it. Sizes from 0 up, less than
// 2^28 pixels. Does not wait for the device. Returns the first error.
cudaError_t preprocess(const unsigned char* d_in, __half* d_out, int n, int h, int w, Normalisation how,
                       float* d_floats, __half* d_halves) {
  const int pixels = n * h * w, numbers = 3 * pixels;
  if (pixels == 0) return cudaSuccess;
  to_float<<<(numbers - 1) / 256 + 1, 256>>>(d_in, d_floats, numbers);
  normalise<<<(numbers - 1) / 256 + 1, 256>>>(d_floats, numbers, how);
  to_half<<<(numbers - 1) / 256 + 1, 256>>>(d_floats, d_halves, numbers);
  pad<<<(8 * pixels - 1) / 256 + 1, 256>>>(d_halves, d_out, 8 * pixels);
  return cudaGetLastError();
}
