// wrong: a range that belongs to no variable ends at once
// verdict: wrong
// code: empty
// message: loading takes 300 us
// message: How long does the object live
#include <cuda_runtime.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <nvtx3/nvtx3.hpp>
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
void train(const float* in, float* out, const int* sizes, int epochs, int batches, int room) {
  Batch b(room);
  for (int e = 0; e < epochs; ++e) {
    nvtx3::scoped_range epoch{"epoch"};
    for (int k = 0; k < batches; ++k) {
      nvtx3::scoped_range batch{"batch"};
      {
        nvtx3::scoped_range{"load"};
        b.load(in + k * room, sizes[k]);
      }
      if (sizes[k] == 0) continue;
      {
        nvtx3::scoped_range range{"h2d"};
        b.to_device();
      }
      {
        nvtx3::scoped_range range{"compute"};
        {
          nvtx3::scoped_range inner{"launch"};
          b.launch();
        }
        b.wait();
      }
      {
        nvtx3::scoped_range range{"d2h"};
        b.to_host(out + k * room);
      }
    }
  }
}
