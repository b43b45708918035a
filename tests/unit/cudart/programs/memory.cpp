// Error codes of the memory calls, as an NVIDIA H200 with CUDA 13.0 gave them.
#include <cstdlib>
#include <vector>

#include "program.h"

namespace {

enum Kind { pageable, pinned, device, managed, kinds };

void copy_kinds() {
  char *from[kinds], *to[kinds];
  for (char** side : {from, to}) {
    side[pageable] = static_cast<char*>(std::malloc(64));
    CHECK_OK(cudaMallocHost(&side[pinned], 64));
    CHECK_OK(cudaMalloc(&side[device], 64));
    CHECK_OK(cudaMallocManaged(&side[managed], 64));
  }
  for (int kind = cudaMemcpyHostToHost; kind <= cudaMemcpyDefault; ++kind) {
    for (int f = 0; f < kinds; ++f) {
      for (int t = 0; t < kinds; ++t) {
        const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
        const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
        const bool refused = (from_device && f == pageable) || (to_device && t == pageable);
        const cudaError_t expected = refused ? cudaErrorInvalidValue : cudaSuccess;
        CHECK(cudaMemcpy(to[t], from[f], 64, static_cast<cudaMemcpyKind>(kind)) == expected);
        CHECK(cudaGetLastError() == expected);
      }
    }
  }
}

void frees() {
  char *memory = nullptr, *host = nullptr;
  CHECK_OK(cudaMalloc(&memory, 1000));
  CHECK_OK(cudaMallocHost(&host, 1000));
  CHECK(cudaFree(memory + 256) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(memory) == cudaErrorInvalidValue);
  CHECK(cudaFree(host) == cudaErrorInvalidValue);
  CHECK_OK(cudaFree(memory));
  CHECK(cudaFree(memory) == cudaErrorInvalidValue);
  CHECK_OK(cudaFreeHost(host));
  CHECK(cudaFreeHost(host) == cudaErrorInvalidValue);
  int local = 0;
  CHECK(cudaFree(&local) == cudaErrorInvalidValue);
  CHECK_OK(cudaFree(nullptr));
  CHECK_OK(cudaFreeHost(nullptr));
  CHECK_OK(cudaMallocAsync(reinterpret_cast<void**>(&memory), 16, nullptr));
  CHECK_OK(cudaFreeAsync(memory, nullptr));
  CHECK(cudaFreeAsync(memory, nullptr) == cudaErrorInvalidValue);
}

// Whichever way three arrays were allocated: what runs over the one in the middle meets nothing.
void overruns() {
  constexpr std::size_t bytes = 16384;
  std::vector<char> host(bytes + 4096 * 4);
  for (const int way : {0, 1, 2}) {
    char* arrays[3] = {};
    for (char*& array : arrays) {
      if (way == 0) CHECK_OK(cudaMalloc(&array, bytes));
      if (way == 1) CHECK_OK(cudaMallocAsync(reinterpret_cast<void**>(&array), bytes, nullptr));
      if (way == 2) CHECK_OK(cudaMallocManaged(&array, bytes));
      CHECK(reinterpret_cast<std::size_t>(array) % 256 == 0);
      CHECK_OK(cudaMemset(array, 1, bytes));
    }
    char* const b = arrays[1];
    if (way == 2) continue;  // the system's own check of host memory is the process's
    for (const std::size_t by : {1, 256, 4096}) {
      CHECK(cudaMemcpy(b, host.data(), bytes + 4 * by, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
      CHECK(cudaMemcpy(host.data(), b + bytes + 4 * by - 4, 4, cudaMemcpyDeviceToHost) ==
            cudaErrorInvalidValue);
      CHECK(cudaMemcpy(host.data(), b - 4 * by, 4, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
      CHECK(cudaMemset(b + bytes + 4 * by - 4, 0, 4) == cudaErrorInvalidValue);
    }
    for (char* array : arrays) CHECK_OK(cudaFree(array));
  }
  cudaGetLastError();
}

// The gaps are nobody's: cudaMemGetInfo counts what was asked for, in steps of 256 bytes.
void room() {
  std::size_t before = 0, after = 0, total = 0;
  char *small = nullptr, *large = nullptr;
  CHECK_OK(cudaMemGetInfo(&before, &total));
  CHECK_OK(cudaMalloc(&small, 100));
  CHECK_OK(cudaMalloc(&large, 3 << 20));
  CHECK_OK(cudaMemGetInfo(&after, &total));
  CHECK(before - after == 256 + (3 << 20));
  CHECK_OK(cudaFree(small));
  CHECK_OK(cudaFree(large));
  CHECK_OK(cudaMemGetInfo(&after, &total));
  CHECK(before == after);
}

void sizes() {
  char *memory = nullptr, *block = nullptr;
  std::vector<char> host(2000);
  CHECK_OK(cudaMalloc(&memory, 1000));
  CHECK(cudaMemcpy(memory, host.data(), 1001, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host.data(), memory + 990, 11, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemset(memory, 0, 1001) == cudaErrorInvalidValue);
  CHECK_OK(cudaMemcpy(nullptr, host.data(), 0, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(nullptr, host.data(), 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(memory, host.data(), 4, static_cast<cudaMemcpyKind>(9)) ==
        cudaErrorInvalidMemcpyDirection);
  block = memory;
  CHECK_OK(cudaMalloc(&block, 0));
  CHECK(block == nullptr);
  CHECK(cudaMalloc(&block, std::size_t{1} << 45) == cudaErrorMemoryAllocation);
  std::size_t before = 0, after = 0, total = 0;
  CHECK_OK(cudaMemGetInfo(&before, &total));
  CHECK_OK(cudaMalloc(&block, 100u << 20));
  CHECK_OK(cudaMemGetInfo(&after, &total));
  CHECK(before - after >= 100u << 20);
}

void never_written_is_poison() {
  unsigned char* memory = nullptr;
  unsigned char byte = 0;
  CHECK_OK(cudaMalloc(&memory, 16));
  CHECK_OK(cudaMemcpy(&byte, memory + 3, 1, cudaMemcpyDeviceToHost));
  CHECK(byte == 0xff);
  CHECK_OK(cudaMemset(memory, 5, 16));
  CHECK_OK(cudaMemcpy(&byte, memory + 3, 1, cudaMemcpyDeviceToHost));
  CHECK(byte == 5);
}

void pointers() {
  char *memory = nullptr, *host = nullptr;
  int local = 0;
  CHECK_OK(cudaMalloc(&memory, 64));
  CHECK_OK(cudaMallocHost(&host, 64));
  cudaPointerAttributes a{};
  CHECK_OK(cudaPointerGetAttributes(&a, &local));
  CHECK(a.type == cudaMemoryTypeUnregistered && a.devicePointer == nullptr);
  CHECK_OK(cudaPointerGetAttributes(&a, memory + 63));
  CHECK(a.type == cudaMemoryTypeDevice && a.hostPointer == nullptr);
  CHECK_OK(cudaPointerGetAttributes(&a, memory + 64));
  CHECK(a.type == cudaMemoryTypeUnregistered);
  CHECK_OK(cudaPointerGetAttributes(&a, host + 5));
  CHECK(a.type == cudaMemoryTypeHost && a.devicePointer == host + 5);
  std::vector<char> own(8192);
  CHECK_OK(cudaHostRegister(own.data(), own.size(), 0));
  CHECK(cudaHostRegister(own.data(), own.size(), 0) == cudaErrorHostMemoryAlreadyRegistered);
  CHECK_OK(cudaHostUnregister(own.data()));
  CHECK(cudaHostUnregister(own.data()) == cudaErrorHostMemoryNotRegistered);
}

void rows() {
  char* memory = nullptr;
  std::size_t pitch = 0;
  CHECK_OK(cudaMallocPitch(&memory, &pitch, 100, 3));
  CHECK(pitch == 512);
  std::vector<char> in(300), out(300);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<char>(i);
  CHECK_OK(cudaMemcpy2D(memory, pitch, in.data(), 100, 100, 3, cudaMemcpyHostToDevice));
  CHECK_OK(cudaMemcpy2D(out.data(), 100, memory, pitch, 100, 3, cudaMemcpyDeviceToHost));
  CHECK(in == out);
  CHECK(cudaMemcpy2D(memory, 8, in.data(), 16, 16, 2, cudaMemcpyHostToDevice) == cudaErrorInvalidPitchValue);
}

void devices() {
  int n = 0;
  CHECK_OK(cudaGetDeviceCount(&n));
  CHECK(n == 1);
  CHECK(cudaSetDevice(7) == cudaErrorInvalidDevice);
  cudaDeviceProp p{};
  CHECK_OK(cudaGetDeviceProperties(&p, 0));
  CHECK(p.warpSize == 32 && p.maxThreadsPerBlock == 1024 && p.multiProcessorCount == 132);
  CHECK_OK(cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, 0));
  CHECK(n == 132);
  CHECK(cudaDeviceGetAttribute(&n, static_cast<cudaDeviceAttr>(9999), 0) == cudaErrorInvalidValue);
  cudaArray_t array{};
  const cudaChannelFormatDesc format{};
  CHECK(cudaMallocArray(&array, &format, 4, 4, 0) == cudaErrorNotSupported);
  cudaGetLastError();
}

}  // namespace

int main() {
  copy_kinds();
  frees();
  sizes();
  overruns();
  room();
  never_written_is_poison();
  pointers();
  rows();
  devices();
  return failures;
}
