// wrong: fetches the bytes, and does the work on the host
// verdict: wrong
// code: on_the_host
// message: bytes of a batch were copied back to the host
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <workbook/pipeline.h>

#include <cstdint>
#include <vector>

using workbook::Layout;
using workbook::Normalisation;
using workbook::Pictures;

// Launches what makes the model's input at d_input, which is aligned to 256 bytes, of a batch's bytes at d_bytes; says in
// which layout the input then is. d_input has room for the input in either layout, 8 halves a pixel, and behind that for
// 3 floats a pixel more. Fewer than 2^27 pixels; there may be no pictures at all. Does not wait for the device.
Layout preprocess(const std::uint8_t* d_bytes, void* d_input, const Pictures& p, const Normalisation& how,
                  cudaStream_t stream) {
  const int pixels = static_cast<int>(p.pixels());
  std::vector<std::uint8_t> bytes(p.bytes());
  std::vector<__half> out(8 * pixels, __half(0.0f));
  cudaMemcpyAsync(bytes.data(), d_bytes, p.bytes(), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  const int edge = (p.stored - p.side) / 2;
  for (int i = 0; i < pixels; ++i) {
    const int picture = i / (p.side * p.side), row = i / p.side % p.side, column = i % p.side;
    const std::uint8_t* from = bytes.data() + 3 * ((picture * p.stored + edge + row) * p.stored + edge + column);
    for (int c = 0; c < 3; ++c) out[8 * i + c] = __float2half_rn(from[c] * how.scale[c] + how.bias[c]);
  }
  cudaMemcpyAsync(d_input, out.data(), out.size() * sizeof(__half), cudaMemcpyHostToDevice, stream);
  cudaStreamSynchronize(stream);
  return Layout::nhwc;
}
