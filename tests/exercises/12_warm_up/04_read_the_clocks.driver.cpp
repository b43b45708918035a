#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <chrono>
#include <string>
#include <vector>

enum class State { idle, ramp, steady, throttled };
std::vector<State> read_clocks(const std::string& text);
int begin_at(const std::vector<State>& states);

WORKBOOK_DRIVER(read) {
  std::string states;
  call.learner([&] {
    for (const State state : read_clocks(call.text("text")))
      states += std::to_string(static_cast<int>(state));
  });
  call.result("states", states);
}

WORKBOOK_DRIVER(begin) {
  std::vector<State> states;
  for (const char c : call.text("states")) states.push_back(static_cast<State>(c - '0'));
  int at = 0;
  call.learner([&] { at = begin_at(states); });
  call.result("at", at);
}

// Work for a GPU, for so many milliseconds.
WORKBOOK_DRIVER(busy) {
  using namespace std::chrono;
  constexpr std::size_t bytes = std::size_t{256} << 20;
  void* d = nullptr;
  cudaMalloc(&d, bytes);
  const auto until = steady_clock::now() + milliseconds(call.value<int>("ms"));
  while (steady_clock::now() < until) {
    for (int i = 0; i < 20; ++i) cudaMemsetAsync(d, i, bytes);
    cudaDeviceSynchronize();
  }
  cudaFree(d);
}
