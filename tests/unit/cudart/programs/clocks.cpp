// Loops on clocks and on the device end, waits with a limit end, and CPU time stays real.
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>

#include "program.h"

int main() {
  using namespace std::chrono_literals;
  now_us();
  const double begun = now_us();
  long reads = 0;
  while (now_us() - begun < 1000) ++reads;
  CHECK(reads > 1000);
  CHECK(reads < 100'000);

  std::mutex mutex;
  std::condition_variable condition;
  std::unique_lock lock(mutex);
  const double before_wait = now_us();
  CHECK(condition.wait_for(lock, 10ms) == std::cv_status::timeout);
  const double waited = now_us() - before_wait;
  CHECK(waited >= 10'000);
  CHECK(waited < 10'100);

  const double before_sleep = now_us();
  std::this_thread::sleep_for(2s);  // of virtual time
  CHECK(now_us() - before_sleep >= 2'000'000);
  timespec cpu{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  CHECK(cpu.tv_sec < 2);

  void* memory = nullptr;
  cudaEvent_t event{};
  CHECK_OK(cudaMalloc(&memory, 1 << 28));
  CHECK_OK(cudaEventCreate(&event));
  CHECK_OK(cudaMemsetAsync(memory, 0, 1 << 28, nullptr));
  CHECK_OK(cudaEventRecord(event));
  long polls = 0;
  while (cudaEventQuery(event) == cudaErrorNotReady) ++polls;
  CHECK(polls > 10);
  CHECK(cudaGetLastError() == cudaErrorNotReady);
  CHECK_OK(cudaFree(memory));

  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  CHECK(wall > 20000h * 20);  // it began at the real time
  return failures;
}
