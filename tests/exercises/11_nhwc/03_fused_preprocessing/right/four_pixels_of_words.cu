// right: four pixels a thread: three words of bytes in, four stores out; the rest pixel by pixel
#include <cuda_fp16.h>
#include <cuda_runtime.h>

// out = in * scale + bias, for each of the three channels.
struct Normalisation {
  float scale[3], bias[3];
};

__device__ uint4 normalised(unsigned r, unsigned g, unsigned b, const Normalisation& how) {
  const __half2 first = __floats2half2_rn(r * how.scale[0] + how.bias[0], g * how.scale[1] + how.bias[1]);
  const __half2 second = __floats2half2_rn(b * how.scale[2] + how.bias[2], 0.0f);
  return make_uint4(*reinterpret_cast<const unsigned*>(&first), *reinterpret_cast<const unsigned*>(&second),
                    0, 0);
}

__global__ void preprocess_kernel(const unsigned char* d_in, uint4* d_out, int pixels, Normalisation how) {
  __shared__ uint4 out[4 * 128];
  const int first = blockIdx.x * 4 * 128, mine = first + 4 * threadIdx.x;
  if (mine + 4 <= pixels) {
    const unsigned* words = reinterpret_cast<const unsigned*>(d_in) + mine / 4 * 3;
    const unsigned a = words[0], b = words[1], c = words[2];
    out[4 * threadIdx.x] = normalised(a & 255, a >> 8 & 255, a >> 16 & 255, how);
    out[4 * threadIdx.x + 1] = normalised(a >> 24, b & 255, b >> 8 & 255, how);
    out[4 * threadIdx.x + 2] = normalised(b >> 16 & 255, b >> 24, c & 255, how);
    out[4 * threadIdx.x + 3] = normalised(c >> 8 & 255, c >> 16 & 255, c >> 24, how);
  } else {
    for (int i = mine; i < pixels; ++i) {
      out[i - first] = normalised(d_in[3 * i], d_in[3 * i + 1], d_in[3 * i + 2], how);
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 4 * 128 && first + i < pixels; i += 128) d_out[first + i] = out[i];
}

// n images of h rows of w pixels: d_in has 3 bytes for each pixel, d_out 8 halves, of which 3 are the
// normalised channels, and 5 are +0. Computes in float and rounds once. d_out is aligned to 16 bytes;
// d_floats and d_halves have room for 3 numbers a pixel, for whoever needs it. Sizes from 0 up, less than
// 2^28 pixels. Does not wait for the device. Returns the first error.
cudaError_t preprocess(const unsigned char* d_in, __half* d_out, int n, int h, int w, Normalisation how,
                       float* d_floats, __half* d_halves) {
  const int pixels = n * h * w;
  if (pixels == 0) return cudaSuccess;
  preprocess_kernel<<<(pixels - 1) / 512 + 1, 128>>>(d_in, reinterpret_cast<uint4*>(d_out), pixels, how);
  return cudaGetLastError();
}
