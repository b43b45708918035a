#include <cuda_runtime.h>
#include <malloc.h>
#include <workbook/driver.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "host.h"

struct Block {
  void* data;
  std::size_t bytes;
  bool pinned;
};
struct Pool;
Pool* make_pool(std::size_t cap_bytes);
Block acquire(Pool* pool, std::size_t bytes);
void give_back(Pool* pool, Block block, cudaStream_t stream);
std::size_t locked_bytes(Pool* pool);
void destroy_pool(Pool* pool);

namespace {

using namespace pinned_memory;
constexpr std::size_t mebi = 1u << 20;

bool is_pinned(const void* h) {
  cudaPointerAttributes attributes{};
  return cudaPointerGetAttributes(&attributes, h) == cudaSuccess && attributes.type == cudaMemoryTypeHost;
}

bool overlap(const Block& a, const Block& b) {
  const auto *p = static_cast<const unsigned char*>(a.data), *q = static_cast<const unsigned char*>(b.data);
  return p < q + b.bytes && q < p + a.bytes;
}

// Notes the first block whose flag is not the truth.
class Truth {
 public:
  void look(const Block& block, std::size_t asked) {
    if (block.data == nullptr) {
      nothing_ = true;
      return;
    }
    const bool begins = is_pinned(block.data),
               ends = is_pinned(static_cast<unsigned char*>(block.data) + asked - 1);
    if (begins && !ends) {
      too_small_ = true;
      return;
    }
    std::memset(block.data, 1, asked);  // as many bytes as were asked for are there
    if (begins && !block.pinned) says_pageable_ = true;
    if (!begins && block.pinned) says_pinned_ = true;
  }
  void give(workbook::Call& call) const {
    call.result("nothing", nothing_ ? 1 : 0);
    call.result("says_pinned", says_pinned_ ? 1 : 0);
    call.result("says_pageable", says_pageable_ ? 1 : 0);
    call.result("too_small", too_small_ ? 1 : 0);
  }

 private:
  bool nothing_ = false, says_pinned_ = false, says_pageable_ = false, too_small_ = false;
};

// Bytes of the host's memory that are allocated and not given back; 0 where the C library does not say.
std::size_t allocated_on_the_host() {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  const struct mallinfo2 now = mallinfo2();
  return now.uordblks + now.hblkhd;
#else
  return 0;
#endif
}

}  // namespace

// `rounds` times the same requests, all held at the same time, the device idle in between. With `one_by_one`
// each request is a round of its own. Which of the requests were pinned comes back as text, one letter each:
// P or -.
WORKBOOK_DRIVER(requests) {
  const auto cap = call.value<std::uint64_t>("cap");
  const int rounds = call.value<int>("rounds");
  const std::uint64_t* sizes = call.host_in<std::uint64_t>("sizes");
  const std::size_t count = call.count("sizes");
  const int refuse = call.value<int>("refuse"), one_by_one = call.value<int>("one_by_one");
  if (refuse > 0) call.fail_allocation(refuse);
  Stream stream;
  Truth truth;
  std::string kinds, left;
  bool overlapping = false;
  std::size_t locked = 0;
  const std::size_t before = allocated_on_the_host();
  call.learner([&] {
    Pool* const pool = make_pool(cap);
    const auto return_all = [&](std::vector<Block>& held) {
      locked = std::max(locked, locked_bytes(pool));
      for (const Block& block : held) give_back(pool, block, stream.get());
      held.clear();
      cudaDeviceSynchronize();
    };
    for (int round = 0; round < rounds; ++round) {
      std::vector<Block> held;
      for (std::size_t i = 0; i < count; ++i) {
        const Block block = acquire(pool, sizes[i]);
        const cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess && error != cudaErrorNotReady && left.empty())
          left = cudaGetErrorName(error);
        truth.look(block, sizes[i]);
        if (round == 0) kinds += block.pinned ? 'P' : '-';
        if (block.data == nullptr) continue;
        for (const Block& other : held) overlapping = overlapping || overlap(block, other);
        held.push_back(block);
        if (one_by_one != 0) return_all(held);
      }
      return_all(held);
    }
    destroy_pool(pool);
  });
  const std::size_t after = allocated_on_the_host();
  call.result("kept", static_cast<std::int64_t>(after > before ? after - before : 0));
  truth.give(call);
  call.result("kinds", kinds);
  call.result("left", left);
  call.result("overlapping", overlapping ? 1 : 0);
  call.result("locked", static_cast<std::int64_t>(locked));
}

// A copy waits in a stream; its block is given back, and another one asked for and written to.
WORKBOOK_DRIVER(in_flight) {
  constexpr std::size_t bytes = mebi;
  const int held_up_us = call.value<int>("held_up_us");
  Device d(bytes);
  Stream stream;
  std::vector<unsigned char> back(bytes);
  double acquire_us = 0, give_us = 0;
  bool same = false, used_again = false;
  call.learner([&] {
    Pool* const pool = make_pool(4 * bytes);
    const Block first = acquire(pool, bytes);
    fill(first.data, bytes, 1);
    hold_up(stream.get(), held_up_us);
    cudaMemcpyAsync(d.data(), first.data, bytes, cudaMemcpyHostToDevice, stream.get());
    const double begin = host_us();
    give_back(pool, first, stream.get());
    give_us = host_us() - begin;
    // Long enough for an event that has nothing to do with the copy; the copy waits longer.
    std::this_thread::sleep_for(std::chrono::microseconds(held_up_us / 20));
    const double again = host_us();
    const Block second = acquire(pool, bytes);
    acquire_us = host_us() - again;
    same = overlap(first, second);
    if (second.data != nullptr) fill(second.data, bytes, 2);
    cudaStreamSynchronize(stream.get());
    give_back(pool, second, stream.get());
    cudaStreamSynchronize(stream.get());
    std::vector<Block> later;
    for (int i = 0; i < 2; ++i) later.push_back(acquire(pool, bytes));
    for (const Block& block : later) used_again = used_again || overlap(block, first);
    for (const Block& block : later) give_back(pool, block, stream.get());
    destroy_pool(pool);
  });
  cudaMemcpy(back.data(), d.data(), bytes, cudaMemcpyDeviceToHost);
  call.result("wrong_at", first_other(back.data(), bytes, 1));
  call.result("same", same ? 1 : 0);
  call.result("used_again", used_again ? 1 : 0);
  call.result("acquire_us", acquire_us);
  call.result("give_us", give_us);
}

// Threads that take blocks, write to them, copy from them, and give them back.
WORKBOOK_DRIVER(threads) {
  constexpr std::size_t bytes = 4096;
  constexpr int slots = 64;
  const int threads = call.value<int>("threads"), rounds = call.value<int>("rounds");
  Device d(threads * slots * bytes);
  std::vector<Stream> streams(threads);
  std::vector<int> spoiled(threads, 0);
  call.learner([&] {
    Pool* const pool = make_pool(threads * 2 * bytes);
    const auto work = [&](int t) {
      unsigned char* const to = d.data() + t * slots * bytes;
      for (int round = 0; round < rounds; ++round) {
        const Block block = acquire(pool, bytes);
        if (block.data == nullptr) return;
        const unsigned mark = 1000u * (t + 1) + round;
        fill(block.data, bytes, mark);
        std::this_thread::sleep_for(std::chrono::microseconds(1 + (t * 7 + round * 3) % 11));
        if (first_other(block.data, bytes, mark) >= 0) ++spoiled[t];
        cudaMemcpyAsync(to + round % slots * bytes, block.data, bytes, cudaMemcpyHostToDevice,
                        streams[t].get());
        give_back(pool, block, streams[t].get());
      }
    };
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t) all.emplace_back(work, t);
    for (std::thread& thread : all) thread.join();
    cudaDeviceSynchronize();
    destroy_pool(pool);
  });
  int sum = 0;
  for (const int s : spoiled) sum += s;
  std::vector<unsigned char> back(threads * slots * bytes);
  cudaMemcpy(back.data(), d.data(), back.size(), cudaMemcpyDeviceToHost);
  for (int t = 0; t < threads; ++t) {
    for (int round = std::max(0, rounds - slots); round < rounds; ++round) {
      const unsigned char* const got = back.data() + (t * slots + round % slots) * bytes;
      if (first_other(got, bytes, 1000u * (t + 1) + round) >= 0) ++sum;
    }
  }
  call.result("spoiled", sum);
}

// Taking a block and giving it back, against pinning one.
WORKBOOK_DRIVER(speed) {
  constexpr std::size_t bytes = 16 * mebi;
  Stream stream;
  Pool* const pool = make_pool(4 * bytes);
  std::vector<void*> pinned;
  call.measure_wall(
      "acquire",
      [&] {
        const Block block = acquire(pool, bytes);
        give_back(pool, block, stream.get());
      },
      [&] {
        void* p = nullptr;
        cudaHostAlloc(&p, bytes, cudaHostAllocDefault);
        pinned.push_back(p);
      });
  for (void* p : pinned) cudaFreeHost(p);
  destroy_pool(pool);
}
