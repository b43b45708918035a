#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <functional>
#include <string>
#include <vector>

#include "host.h"

struct CopyTimes {
  double returned_us, done_us;
};
CopyTimes time_copy(void* d, void* h, std::size_t bytes, cudaStream_t stream,
                    const std::function<void()>& reuse);

namespace {

using namespace pinned_memory;

// The harness's own times, in the same process.
CopyTimes own_times(void* d, const void* h, std::size_t bytes, cudaStream_t stream) {
  const auto once = [&] {
    cudaStreamSynchronize(stream);
    const double begin = host_us();
    cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, stream);
    const double returned = host_us();
    cudaStreamSynchronize(stream);
    return CopyTimes{returned - begin, host_us() - begin};
  };
  once();
  std::vector<CopyTimes> times(5);
  for (CopyTimes& t : times) t = once();
  std::sort(times.begin(), times.end(),
            [](const CopyTimes& a, const CopyTimes& b) { return a.done_us < b.done_us; });
  return times[2];
}

}  // namespace

// `pinned`: what h is. `busy_us`: for how long the stream has work when the function is called. The source is
// overwritten, from its end to its beginning, when the function says so.
WORKBOOK_DRIVER(copy) {
  const std::size_t bytes = call.value<std::uint64_t>("bytes");
  const bool is_pinned = call.value<int>("pinned") != 0;
  const int busy_us = call.value<int>("busy_us");
  Device d(bytes);
  Pinned pinned(bytes);
  std::vector<unsigned char> pageable(bytes), back(bytes);
  unsigned char* const h = is_pinned ? pinned.data() : pageable.data();
  fill(h, bytes, 7);
  Stream stream;
  own_times(d.data(), h, bytes, stream.get());  // wakes up what sleeps until its first use
  fill(h, bytes, 1);
  cudaMemset(d.data(), 0xff, bytes);
  cudaDeviceSynchronize();
  int reused = 0;
  const auto reuse = [&] {
    ++reused;
    for (std::size_t i = bytes; i > 0; --i) h[i - 1] = static_cast<unsigned char>(~h[i - 1]);
  };
  CopyTimes said{};
  call.learner([&] {
    if (busy_us > 0) hold_up(stream.get(), busy_us);
    said = time_copy(d.data(), h, bytes, stream.get(), reuse);
  });
  cudaMemcpy(back.data(), d.data(), bytes, cudaMemcpyDeviceToHost);
  call.result("wrong_at", first_other(back.data(), bytes, 1));
  call.result("wrong_byte_is_new", 0);
  if (const auto at = first_other(back.data(), bytes, 1); at >= 0) {
    std::vector<unsigned char> was(bytes);
    fill(was.data(), bytes, 1);
    call.result("wrong_byte_is_new", back[at] == static_cast<unsigned char>(~was[at]) ? 1 : 0);
  }
  call.result("reused", reused);
  call.result("h", static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(h)));
  call.result("said.returned", said.returned_us);
  call.result("said.done", said.done_us);
  const CopyTimes ours = own_times(d.data(), h, bytes, stream.get());
  call.result("ours.returned", ours.returned_us);
  call.result("ours.done", ours.done_us);
}
