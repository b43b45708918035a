// right: one stream is enough here: the loop decodes longer than copy and kernels of a batch take together
#include <cuda_runtime.h>
#include <workbook/pipeline.h>

#include <cstdint>
#include <vector>

using workbook::Layout;
using workbook::Score;

struct Slot {
  std::uint8_t *host, *device;
  cudaEvent_t copied;  // its host half has been read; its device half has
};

// Every batch through the whole pipeline, in order. When run returns, every score has been checked, and what it made is
// given back. There may be no batches at all.
void run(const workbook::Pipeline& p) {
  std::vector<Slot> ring(3);
  for (Slot& s : ring) {
    cudaMallocHost(&s.host, p.bytes);
    cudaMalloc(&s.device, p.bytes);
    cudaEventCreateWithFlags(&s.copied, cudaEventDisableTiming);
  }
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  void* d_input = nullptr;
  Score *d_scores = nullptr;  // one for each batch
  std::vector<Score> scores(p.batches);
  cudaMalloc(&d_input, p.input_bytes);
  cudaMalloc(&d_scores, p.batches * sizeof(Score));

  for (int n = 0; n < p.batches; ++n) {
    Slot& s = ring[n % ring.size()];
    cudaEventSynchronize(s.copied);  // of the slot's batch before; done at once if there was none
    p.decode(n, s.host);
    cudaMemcpyAsync(s.device, s.host, p.bytes, cudaMemcpyHostToDevice, stream);
    cudaEventRecord(s.copied, stream);
    p.preprocess(s.device, d_input, stream);
    p.model(n, d_input, Layout::nchw, d_scores + n, stream);
  }
  cudaStreamSynchronize(stream);
  cudaMemcpy(scores.data(), d_scores, p.batches * sizeof(Score), cudaMemcpyDeviceToHost);
  for (int n = 0; n < p.batches; ++n) p.check(n, scores[n]);

  for (Slot& s : ring) {
    cudaFreeHost(s.host);
    cudaFree(s.device);
    cudaEventDestroy(s.copied);
  }
  cudaStreamDestroy(stream);
  cudaFree(d_input);
  cudaFree(d_scores);
}
