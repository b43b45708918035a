// right: waits for an event behind the copy; the whole device is idle before
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
  cudaEvent_t end;
  cudaEventCreateWithFlags(&end, cudaEventDisableTiming);
  cudaDeviceSynchronize();
  const double begin = host_us();
  cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, stream);
  const double returned = host_us();
  cudaEventRecord(end, stream);
  cudaEventSynchronize(end);
  const double done = host_us();
  cudaEventDestroy(end);
  reuse();
  return {returned - begin, done - begin};
}
