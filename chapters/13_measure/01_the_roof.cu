// 13.1  The roof of this machine
//
// Four functions: a copy and a loop of multiply-adds, each as fast as this machine lets them be; what they reach; and
// where any other kernel stands below that.
//
// When it works, the copy has at least 0.85 of the rate of a copy by the driver, the multiply-adds at least 0.8 of what
// the units can do, and your figures agree with the workbook's.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

// What this machine can do at best.
struct Roof {
  double gigabytes_per_second;  // bytes read plus bytes written, 10^9 a second
  double gigaflops;             // additions and multiplications of floats, 10^9 a second
};

// Where a kernel stands under the roof.
struct Place {
  double least_us;  // no kernel that moves as much and computes as much can take less
  bool memory;      // that is because of the memory, not because of the arithmetic
  double share;     // least_us / the time it took: 1 is the roof
};

// How long one run takes on the device, warm: the median of three. The run before the first event keeps the device busy
// until the second one has been queued. Given; 13.2 is about what it leaves out.
inline double device_us(const std::function<void()>& work) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> times(3);
  for (float& milliseconds : times) {
    work();
    cudaEventRecord(begin);
    work();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&milliseconds, begin, end);
  }
  cudaEventDestroy(end);
  cudaEventDestroy(begin);
  std::sort(times.begin(), times.end());
  return 1000.0 * times[1];
}

// TODO: copy_kernel, and copy. You will see "every size" pass, and then what share of the roof it reaches.

// Copies `bytes` bytes, a multiple of 16 from 0 up. Both addresses are multiples of 16. Does not wait for the device.
void copy(const void* d_from, void* d_to, std::size_t bytes) {
  // TODO
  (void)d_from, (void)d_to, (void)bytes;
}

// TODO: multiply_add_kernel, and multiply_add.

// d_x[i] = d_x[i] * a + b, `rounds` times one after the other, for n numbers; both from 0 up. Each multiply-add rounds once
// (fmaf). Does not wait for the device.
void multiply_add(float* d_x, int n, float a, float b, int rounds) {
  // TODO
  (void)d_x, (void)n, (void)a, (void)b, (void)rounds;
}

// The roof, by the two above: a copy of `bytes` bytes from d_from to d_to, and `rounds` rounds on the n numbers at d_x.
Roof measure_roof(const void* d_from, void* d_to, std::size_t bytes, float* d_x, int n, int rounds) {
  // TODO: time both with device_us, and count what they move and compute.
  (void)d_from, (void)d_to, (void)bytes, (void)d_x, (void)n, (void)rounds;
  return {};
}

// A kernel took `us` microseconds. It has to move `bytes` bytes (read plus written) and to do `flops` operations.
Place place(double bytes, double flops, double us, const Roof& roof) {
  // TODO: which of the two takes longer at the roof?
  (void)bytes, (void)flops, (void)us, (void)roof;
  return {};
}
