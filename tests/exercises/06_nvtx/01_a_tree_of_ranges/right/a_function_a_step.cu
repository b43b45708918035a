// right: each step is a function with a range of its own; a small object pushes and pops
#include <cuda_runtime.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <nvtx3/nvToolsExt.h>
#include <stdexcept>
#include <thread>

__global__ void refine(float* d_x, int n, int rounds) {
  if (threadIdx.x >= n) return;
  float v = d_x[threadIdx.x];
  for (int r = 0; r < rounds; ++r) v = v * 0.9999f + 0.0001f;
  d_x[threadIdx.x] = v;
}

// One buffer in host memory and one in device memory, and the steps of a batch between them. Given.
class Batch {
 public:
  explicit Batch(int room) {
    cudaMallocHost(&h_x_, room * sizeof(float));
    cudaMalloc(&d_x_, room * sizeof(float));
  }
  ~Batch() {
    cudaFree(d_x_);
    cudaFreeHost(h_x_);
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  // From a slow disk.
  void load(const float* from, int n) {
    std::this_thread::sleep_for(std::chrono::microseconds(300));
    std::memcpy(h_x_, from, n * sizeof(float));
    n_ = n;
  }
  void to_device() { cudaMemcpyAsync(d_x_, h_x_, bytes(), cudaMemcpyHostToDevice); }
  // Does not wait for the kernel. Throws when the batch begins with a number that is none.
  void launch() {
    if (std::isnan(h_x_[0])) throw std::runtime_error("a batch of nonsense");
    refine<<<1, 64>>>(d_x_, n_, 100000);
  }
  void wait() { cudaStreamSynchronize(nullptr); }
  void to_host(float* to) {
    cudaMemcpy(h_x_, d_x_, bytes(), cudaMemcpyDeviceToHost);
    std::memcpy(to, h_x_, bytes());
  }

 private:
  size_t bytes() const { return n_ * sizeof(float); }
  float *h_x_ = nullptr, *d_x_ = nullptr;
  int n_ = 0;
};

// `epochs` times over all batches. Batch k has sizes[k] numbers (0 to room, at most 64), from in + k * room;
// its results go to out + k * room. A batch without numbers is loaded and skipped. What a step throws goes on
// to the caller.
//
// The ranges form this tree, in each thread that calls it:   epoch > batch > load, h2d, compute > launch, d2h
// `launch` holds the launch alone. `compute` ends when the kernel has.
struct Named {
  explicit Named(const char* name) { nvtxRangePushA(name); }
  ~Named() { nvtxRangePop(); }
  Named(const Named&) = delete;
  Named& operator=(const Named&) = delete;
};

static void compute(Batch& b) {
  Named whole("compute");
  {
    Named launch("launch");
    b.launch();
  }
  b.wait();
}

static void one_batch(Batch& b, const float* from, float* to, int n) {
  Named batch("batch");
  {
    Named load("load");
    b.load(from, n);
  }
  if (n == 0) return;
  {
    Named h2d("h2d");
    b.to_device();
  }
  compute(b);
  Named d2h("d2h");
  b.to_host(to);
}

void train(const float* in, float* out, const int* sizes, int epochs, int batches, int room) {
  Batch b(room);
  for (int e = 0; e < epochs; ++e) {
    Named epoch("epoch");
    for (int k = 0; k < batches; ++k) one_batch(b, in + k * room, out + k * room, sizes[k]);
  }
}
