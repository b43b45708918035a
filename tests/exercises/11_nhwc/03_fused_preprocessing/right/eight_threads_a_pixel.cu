// right: one thread for two halves of a pixel: neighbours fill the sectors together
#include <cuda_fp16.h>
#include <cuda_runtime.h>

// out = in * scale + bias, for each of the three channels.
struct Normalisation {
  float scale[3], bias[3];
};

__global__ void preprocess_kernel(const unsigned char* d_in, __half2* d_out, int pairs, Normalisation how) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, pixel = i / 4, pair = i % 4;
  if (i >= pairs) return;
  __half2 out = __floats2half2_rn(0.0f, 0.0f);
  if (pair == 0) {
    out = __floats2half2_rn(fmaf(d_in[3 * pixel], how.scale[0], how.bias[0]),
                            fmaf(d_in[3 * pixel + 1], how.scale[1], how.bias[1]));
  } else if (pair == 1) {
    out = __floats2half2_rn(fmaf(d_in[3 * pixel + 2], how.scale[2], how.bias[2]), 0.0f);
  }
  d_out[i] = out;
}

// n images of h rows of w pixels: d_in has 3 bytes for each pixel, d_out 8 halves, of which 3 are the
// normalised channels, and 5 are +0. Computes in float and rounds once. d_out is aligned to 16 bytes;
// d_floats and d_halves have room for 3 numbers a pixel, for whoever needs it. Sizes from 0 up, less than
// 2^28 pixels. Does not wait for the device. Returns the first error.
cudaError_t preprocess(const unsigned char* d_in, __half* d_out, int n, int h, int w, Normalisation how,
                       float* d_floats, __half* d_halves) {
  const int pixels = n * h * w;
  if (pixels == 0) return cudaSuccess;
  preprocess_kernel<<<(4 * pixels - 1) / 512 + 1, 512>>>(d_in, reinterpret_cast<__half2*>(d_out), 4 * pixels,
                                                         how);
  return cudaGetLastError();
}
