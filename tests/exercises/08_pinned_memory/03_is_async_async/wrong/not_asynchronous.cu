// wrong: copies by cudaMemcpy
// verdict: wrong
// code: not_async
// message: cudaMemcpyAsync
#include <cuda_runtime.h>

#include <chrono>
#include <functional>

// Microseconds since just before the call of cudaMemcpyAsync.
struct CopyTimes {
  double returned_us;  // the call has returned
  double done_us;      // the data is on the device
};

// Now, by the host's clock. Given.
inline double host_us() {
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

// Copies `bytes` bytes from h straight to d by cudaMemcpyAsync, in `stream`, and says when the call returned and when
// the copy was done. h is pageable or pinned; d belongs to the device. The stream may still be busy with earlier work:
// that is not part of the times. Calls reuse() once, when h may be overwritten: that is what it does.
CopyTimes time_copy(void* d, void* h, std::size_t bytes, cudaStream_t stream, const std::function<void()>& reuse) {
  cudaStreamSynchronize(stream);
  const double begin = host_us();
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  const double returned = host_us();
  cudaStreamSynchronize(stream);
  const double done = host_us();
  reuse();
  return {returned - begin, done - begin};
}
