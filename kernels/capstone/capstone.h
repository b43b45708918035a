// The device's side of the capstone's pipeline (include/workbook/pipeline.h): preprocessing step by step, as
// a framework does it when it is asked so, preprocessing in one kernel, and a model that stands for a
// network.
//
// The model reads its whole input and then takes as long as it is told to. On the way from NCHW it converts
// the input for each of its convolutions, as a library does for tensor cores. Its time does not depend on
// what the bytes are; its result depends on all of them, and on the result of the batch before.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace workbook::kernels::capstone {

/// Fewer than 2^29 pixels.
struct Pictures {
  int count, stored, side;  ///< side x side pixels from the middle of stored x stored are used
  /// That are used.
  std::size_t pixels() const { return std::size_t(count) * side * side; }
  /// As stored.
  std::size_t bytes() const { return std::size_t(count) * stored * stored * 3; }
};

/// out = byte x scale + bias, for each of the three colours.
struct Normalisation {
  float scale[3], bias[3];  ///< red, green, blue
};

/// Bytes to floats in NCHW, scale, bias, floats to halves: four kernels. `out` gets 3 halves a pixel,
/// `floats` is work space for 3 floats a pixel. Asynchronous; returns the first error of the launches.
cudaError_t preprocess_step_by_step(const std::uint8_t* in, __half* out, float* floats, Pictures pictures,
                                    Normalisation how, cudaStream_t stream);

/// Bytes to 8 halves a pixel (three colours, five times +0), NHWC, in one kernel. `out` is aligned to 16.
cudaError_t preprocess_fused(const std::uint8_t* in, __half* out, Pictures pictures, Normalisation how,
                             cudaStream_t stream);

/// 3 halves a pixel in NCHW to 8 in NHWC, as the model's convolutions do it for themselves.
cudaError_t to_nhwc(const __half* in, __half* out, Pictures pictures, cudaStream_t stream);

/// *state and *score become what `next_state` gives for the state before and the sum of the input: 8 halves a
/// pixel, aligned to 16. `sum` is work space for one number, and holds 0 before and after. `rounds` decides
/// about the time: each waits for the one before.
cudaError_t model(const __half* input, std::size_t pixels, int rounds, std::uint64_t* sum,
                  std::uint64_t* state, std::uint64_t* score, cudaStream_t stream);

/// What the model makes of a batch. The sum: of each 32-bit word w[i] of the input, w[i] * (2 i + 1).
std::uint64_t next_state(std::uint64_t state, std::uint64_t sum, int rounds);

}  // namespace workbook::kernels::capstone
