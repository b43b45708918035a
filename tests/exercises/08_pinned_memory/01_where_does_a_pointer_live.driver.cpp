#include <cuda_runtime.h>
#include <sys/mman.h>
#include <workbook/driver.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "host.h"

enum class Place { pageable, pinned, device, managed };
Place place_of(const void* p);

namespace {

struct Spot {
  std::string name;
  const void* p;
};

unsigned char at_file_scope[1000];

// What the learner's function says of each spot, and the first error that it leaves behind.
void ask(workbook::Call& call, const std::vector<Spot>& spots) {
  std::vector<int> said(spots.size());
  std::string left_by, left;
  call.learner([&] {
    for (std::size_t i = 0; i < spots.size(); ++i) {
      said[i] = static_cast<int>(place_of(spots[i].p));
      const cudaError_t error = cudaGetLastError();
      if (error == cudaSuccess || !left.empty()) continue;
      left_by = spots[i].name;
      left = cudaGetErrorName(error);
    }
  });
  for (std::size_t i = 0; i < spots.size(); ++i) call.result("said." + spots[i].name, said[i]);
  call.result("left_by", left_by);
  call.result("left", left);
}

void add_block(std::vector<Spot>& spots, const std::string& name, const void* begin, std::size_t bytes) {
  const auto* const p = static_cast<const unsigned char*>(begin);
  spots.push_back({name + ".first", p});
  spots.push_back({name + ".middle", p + bytes / 2 + 1});
  spots.push_back({name + ".last", p + bytes - 1});
}

}  // namespace

// Every way to get memory: first byte, one in the middle, last byte.
WORKBOOK_DRIVER(kinds) {
  constexpr std::size_t bytes = 100'003, large = 3'000'017;
  std::vector<Spot> spots;
  unsigned char on_stack[64] = {};
  const std::unique_ptr<unsigned char[]> small(new unsigned char[100]), big(new unsigned char[large]);
  add_block(spots, "stack", on_stack, sizeof on_stack);
  add_block(spots, "file_scope", at_file_scope, sizeof at_file_scope);
  add_block(spots, "new_small", small.get(), 100);
  add_block(spots, "new_large", big.get(), large);
  void *malloc_host = nullptr, *portable = nullptr, *combined = nullptr, *device = nullptr,
       *device_large = nullptr, *ordered = nullptr, *managed = nullptr;
  cudaMallocHost(&malloc_host, bytes);
  cudaHostAlloc(&portable, bytes, cudaHostAllocPortable);
  cudaHostAlloc(&combined, bytes, cudaHostAllocWriteCombined);
  cudaMalloc(&device, bytes);
  cudaMalloc(&device_large, large);
  cudaMallocAsync(&ordered, bytes, nullptr);
  cudaMallocManaged(&managed, bytes);
  cudaDeviceSynchronize();
  add_block(spots, "malloc_host", malloc_host, bytes);
  add_block(spots, "host_alloc_portable", portable, bytes);
  add_block(spots, "host_alloc_combined", combined, bytes);
  add_block(spots, "device", device, bytes);
  add_block(spots, "device_large", device_large, large);
  add_block(spots, "device_async", ordered, bytes);
  add_block(spots, "managed", managed, bytes);
  ask(call, spots);
  for (void* p : {malloc_host, portable, combined}) cudaFreeHost(p);
  for (void* p : {device, device_large, managed}) cudaFree(p);
  cudaFreeAsync(ordered, nullptr);
}

// Pages in the middle of a block become pinned, and pageable again, and pinned again.
WORKBOOK_DRIVER(registered) {
  constexpr std::size_t page = 65536, pages = 6;
  void* const block = std::aligned_alloc(page, pages * page);
  std::memset(block, 1, pages * page);
  auto* const p = static_cast<unsigned char*>(block);
  const auto round = [&](const std::string& name) {
    return std::vector<Spot>{{name + ".before", p + 2 * page - 1},
                             {name + ".first", p + 2 * page},
                             {name + ".middle", p + 3 * page + 5},
                             {name + ".last", p + 4 * page - 1},
                             {name + ".after", p + 4 * page}};
  };
  std::string left_by, left;
  std::vector<std::pair<std::string, int>> said;
  const auto all = [&](const std::string& name) {
    for (const Spot& spot : round(name)) said.emplace_back(spot.name, static_cast<int>(place_of(spot.p)));
  };
  cudaError_t failed = cudaSuccess;
  call.learner([&] {
    all("not_yet");
    failed = cudaHostRegister(p + 2 * page, 2 * page, cudaHostRegisterDefault);
    all("registered");
    cudaHostUnregister(p + 2 * page);
    all("unregistered");
  });
  for (const auto& [name, place] : said) call.result("said." + name, place);
  call.result("register", static_cast<int>(failed));
  call.result("left_by", left_by);
  call.result("left", left);
  std::free(block);
}

// The caller has an error of their own.
WORKBOOK_DRIVER(pending) {
  pinned_memory::Pinned pinned(4096);
  pinned_memory::Device device(4096);
  int pinned_is = -1, device_is = -1;
  cudaError_t before = cudaSuccess, after = cudaSuccess;
  call.learner([&] {
    cudaEventQuery(nullptr);  // no event
    before = cudaPeekAtLastError();
    pinned_is = static_cast<int>(place_of(pinned.data()));
    device_is = static_cast<int>(place_of(device.data() + 17));
    after = cudaGetLastError();
  });
  call.result("pinned", pinned_is);
  call.result("device", device_is);
  call.result("before", cudaGetErrorName(before));
  call.result("after", cudaGetErrorName(after));
}
