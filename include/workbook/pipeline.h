// The pipeline of chapter 14: what a batch goes through, from its bytes to its score.
//
//        host                            device
//   decode ──► bytes ──── copy ────► bytes ─ preprocess ─► input ─ model ─► score ──── copy ────► check
//
// Everything in it is given; how it is put together is not. A batch is a number of square pictures of three
// bytes a pixel. `preprocess` takes the middle of each picture and normalises it; `model` reads all of that
// and what the batch before it left in the model, and gives one number, the batch's score; so a score depends
// on every byte of its batch, on the order of the batches, and on nothing else. Whoever calls `check` with
// it has gone the whole way.
//
//   for (int n = 0; n < p.batches; ++n) {                       // the plainest way, and the slowest
//     p.decode(n, bytes);
//     cudaMemcpy(d_bytes, bytes, p.bytes, cudaMemcpyHostToDevice);
//     p.preprocess(d_bytes, d_input, stream);
//     p.model(n, d_input, workbook::Layout::nchw, d_score, stream);
//     cudaMemcpy(&score, d_score, sizeof score, cudaMemcpyDeviceToHost);
//     p.check(n, score);
//   }
//
// How long decode and model take is chosen where the pipeline runs, so that this device has something to wait
// for. The numbers are chosen so that no operation rounds: whatever the order of scale and bias, of float and
// half, the score is the same, bit for bit. C++17.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>

namespace workbook {

// A batch as it is decoded: pictures of stored x stored pixels, three bytes each (red, green, blue), rows
// from the top, no gaps. Of each the side x side pixels in the middle are used: from row and column (stored -
// side) / 2 on.
struct Pictures {
  int count;                                                               // pictures
  int stored;                                                              // pixels of a side, as stored
  int side;                                                                // pixels of a side, that are used
  std::size_t pixels() const { return std::size_t(count) * side * side; }  // that are used
  std::size_t bytes() const { return std::size_t(count) * stored * stored * 3; }  // as stored
};

// out = byte * scale + bias, for each of the three colours.
struct Normalisation {
  float scale[3], bias[3];  // red, green, blue
};

// In which order the model's input lies in memory. Either way it is halves.
enum class Layout {
  nchw,  // 3 channels: all of a picture's reds, then its greens, then its blues
  nhwc,  // 8 channels: a pixel's red, green, blue, and five times +0; aligned to 16 bytes
};

using Score = std::uint64_t;  // what the model says of a batch

// What is given: sizes, and the four things that a batch goes through.
struct Pipeline {
  int batches = 0;                // numbered from 0
  Pictures pictures{};            // of each batch
  Normalisation normalisation{};  // what preprocess does to each byte
  std::size_t bytes = 0;          // of a batch as decoded
  std::size_t input_bytes = 0;    // device memory for what preprocess makes, with its work space: 28 a pixel

  // Makes batch n at `to`, in host memory. Takes the time of the calling thread; any thread may call it,
  // several at once for different batches.
  std::function<void(int n, std::uint8_t* to)> decode;

  // Launches what makes the model's input at d_input (Layout::nchw) of the bytes at d_bytes. Returns at once.
  std::function<void(const std::uint8_t* d_bytes, void* d_input, cudaStream_t stream)> preprocess;

  // Launches the model on batch n; its score will be in *d_score. The model needs the input in nhwc, as
  // tensor cores do; from nchw it makes that for itself, each time. Batch n needs what batch n - 1 left.
  // Returns at once.
  std::function<void(int n, const void* d_input, Layout layout, Score* d_score, cudaStream_t stream)> model;

  // Takes batch n's score, n = 0, 1, 2, ..., from the thread that runs the pipeline.
  std::function<void(int n, Score score)> check;
};

}  // namespace workbook
