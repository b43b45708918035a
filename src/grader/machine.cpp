#include "grader/machine.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdio>

#include "grader/process.h"

namespace workbook::grader {

namespace {

constexpr int oldest_driver = 13000;  // what CUDA 13's runtime asks for

bool device_nodes() {
  return fs::exists("/dev/nvidiactl") || fs::exists("/dev/nvidia0") || fs::exists("/dev/dxg");
}

// A card that no driver has taken yet: vendor 0x10de, class display or 3D.
bool card_without_driver() {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/sys/bus/pci/devices", error)) {
    const auto vendor = read_file(entry.path() / "vendor"), sort = read_file(entry.path() / "class");
    if (vendor && sort && vendor->starts_with("0x10de") && sort->starts_with("0x03")) return true;
  }
  return false;
}

template <class Function>
Function* symbol(void* library, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(library, name));
}

// "GPU-01234567-89ab-cdef-0123-456789abcdef", as CUDA_VISIBLE_DEVICES takes it.
std::string in_words_of_the_driver(const unsigned char (&bytes)[16]) {
  std::string text = "GPU";
  for (int i = 0; i < 16; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", bytes[i]);
  }
  return text;
}

}  // namespace

int probe_gpu() {
  void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::printf("problem the driver's library libcuda.so.1 is missing\n"), 1;
  auto* init = symbol<int(unsigned)>(library, "cuInit");
  auto* version = symbol<int(int*)>(library, "cuDriverGetVersion");
  auto* count = symbol<int(int*)>(library, "cuDeviceGetCount");
  auto* name = symbol<int(char*, int, int)>(library, "cuDeviceGetName");
  if (init == nullptr || version == nullptr || count == nullptr || name == nullptr)
    return std::printf("problem libcuda.so.1 is not NVIDIA's driver\n"), 1;
  int number = 0, devices = 0;
  if (version(&number) == 0) std::printf("driver %d\n", number);
  if (const int result = init(0); result != 0)
    return std::printf("problem the driver does not start (cuInit gives %d)\n", result), 1;
  if (count(&devices) != 0 || devices == 0) return std::printf("problem the driver finds no GPU\n"), 1;
  char text[256] = "";
  name(text, sizeof text - 1, 0);
  std::printf("count %d\nname %s\n", devices, text);
  auto* uuid = symbol<int(unsigned char*, int)>(library, "cuDeviceGetUuid_v2");
  for (int device = 0; uuid != nullptr && device < devices; ++device) {
    unsigned char bytes[16] = {};
    if (uuid(bytes, device) == 0) std::printf("uuid %s\n", in_words_of_the_driver(bytes).c_str());
  }
  return 0;
}

Gpu find_gpu(const fs::path& self) {
  Gpu gpu;
  if (!device_nodes()) {
    if (card_without_driver()) gpu.problem = "there is an NVIDIA card, but no driver for it";
    return gpu;
  }
  Command command;
  command.arguments = {self.string(), "--probe-gpu"};
  command.seconds = 20;
  const Ended ended = run(command);
  for (const auto& line : split_lines(ended.output)) {
    const std::size_t space = line.find(' ');
    const std::string key = line.substr(0, space),
                      value = space == std::string::npos ? "" : line.substr(space + 1);
    if (key == "driver") gpu.driver_version = std::atoi(value.c_str());
    if (key == "count") gpu.count = std::atoi(value.c_str());
    if (key == "name") gpu.name = value;
    if (key == "uuid") gpu.uuids.push_back(value);
    if (key == "problem") gpu.problem = value;
  }
  if (gpu.problem.empty() && !ended.ok()) gpu.problem = "asking the driver " + in_words(ended);
  if (gpu.driver_version != 0 && gpu.driver_version < oldest_driver)
    gpu.problem = fmt::format("the driver is made for CUDA {}.{}; programs of CUDA 13 need a newer one",
                              gpu.driver_version / 1000, gpu.driver_version % 1000 / 10);
  gpu.usable = gpu.problem.empty() && gpu.count > 0;
  return gpu;
}

std::string settle_device(const std::string& wish, const fs::path& self) {
  if (wish != "auto") return wish;
  return find_gpu(self).usable ? "gpu" : "simulated";
}

}  // namespace workbook::grader
