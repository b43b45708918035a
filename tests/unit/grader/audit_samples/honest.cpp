// Names of its own, some of which look like others': templates of the library, a variable named like a
// function of the C library, static helpers, C++ functions with C names, and a replaced operator new.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

double y0 = 1;
static int kill(int pid) {
  return pid + 1;
}
int read(const std::vector<int>& values) {
  std::vector<int> copy = values;
  copy.erase(std::remove(copy.begin(), copy.end(), 3), copy.end());
  std::sort(copy.begin(), copy.end());
  return copy.empty() ? kill(0) : copy.front();
}
struct copy_image {
  std::unique_ptr<float[]> pixels;
  void write() const { std::printf("%f\n", pixels[0]); }
};
void* operator new(std::size_t bytes) {
  void* memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
extern "C" int saxpy_of_mine(int n) {
  copy_image image{std::make_unique<float[]>(static_cast<std::size_t>(n))};
  image.write();
  std::thread([] {}).join();
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return static_cast<int>(std::to_string(now).size() + y0);
}
