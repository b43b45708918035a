#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <vector>

struct Buffers {
  float *u, *v, *w;
};
struct Streams {
  cudaStream_t load, work, side;
};
void launch_a(const float* d_x, Buffers b, int n, cudaStream_t s);
void launch_b(Buffers b, int n, cudaStream_t s);
void launch_c(Buffers b, int n, cudaStream_t s);
void launch_d(Buffers b, float* d_y, int n, cudaStream_t s);
void run_batches(const float* d_x, float* d_y, int batches, int n, Buffers b, Streams s);

namespace {

// Three non-blocking streams and the buffers of one batch.
class Stage {
 public:
  explicit Stage(int n) {
    for (cudaStream_t* s : {&streams.load, &streams.work, &streams.side})
      cudaStreamCreateWithFlags(s, cudaStreamNonBlocking);
    for (float** p : {&buffers.u, &buffers.v, &buffers.w}) {
      cudaMalloc(reinterpret_cast<void**>(p), (n + 1) * sizeof(float));
      cudaMemset(*p, 0xff, n * sizeof(float));
    }
    cudaDeviceSynchronize();
  }
  ~Stage() {
    for (cudaStream_t s : {streams.load, streams.work, streams.side}) cudaStreamDestroy(s);
    for (float* p : {buffers.u, buffers.v, buffers.w}) cudaFree(p);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  Streams streams{};
  Buffers buffers{};
};

void serial(const float* d_x, float* d_y, int batches, int n, const Stage& stage) {
  for (int k = 0; k < batches; ++k) {
    launch_a(d_x + k * n, stage.buffers, n, stage.streams.work);
    launch_b(stage.buffers, n, stage.streams.work);
    launch_c(stage.buffers, n, stage.streams.work);
    launch_d(stage.buffers, d_y + k * n, n, stage.streams.work);
  }
}

}  // namespace

WORKBOOK_DRIVER(diamond) {
  const int n = call.value<int>("n"), batches = call.value<int>("batches");
  const float* const d_x = call.device_in<float>("x");
  float* const d_y = call.device_out<float>("y");
  const Stage stage(n);
  call.learner([&] { run_batches(d_x, d_y, batches, n, stage.buffers, stage.streams); });
  call.result("returned", 1);
}

WORKBOOK_DRIVER(timed) {
  const int n = call.value<int>("n"), batches = call.value<int>("batches");
  const float* const d_x = call.device_in<float>("x");
  float* const d_y = call.device_out<float>("y");
  const Stage stage(n);
  // Both use the same buffers, so each ends before the next begins.
  call.measure_wall(
      "diamond",
      [&] {
        run_batches(d_x, d_y, batches, n, stage.buffers, stage.streams);
        cudaDeviceSynchronize();
      },
      [&] {
        serial(d_x, d_y, batches, n, stage);
        cudaDeviceSynchronize();
      });
}
