// The code of chapter 6. No tool listens here; that its ranges arrive as they should is what the chapter's
// exercises check.
#include "claims.h"

// --8<-- [start:a_range]
#include <nvtx3/nvtx3.hpp>
// --8<-- [end:a_range]

#include <cstdint>
#include <functional>
#include <utility>

struct Image {
  int* steps;
};

void compress(const Image& image) {
  *image.steps = *image.steps * 10 + 1;
}
void write(const Image& image) {
  *image.steps = *image.steps * 10 + 2;
}

// --8<-- [start:a_range]
void save(const Image& image) {
  nvtx3::scoped_range range{"save"};
  compress(image);
  write(image);
}  // here the range ends
// --8<-- [end:a_range]

void one_after_the_other(const Image& image) {
  // --8<-- [start:two_ranges]
  {
    nvtx3::scoped_range range{"compress"};
    compress(image);
  }
  {
    nvtx3::scoped_range range{"write"};
    write(image);
  }
  // --8<-- [end:two_ranges]
}

struct Batch {
  int loaded = 0;
  void load(int how_many) { loaded += how_many; }
};

void over_at_the_semicolon(Batch& b) {
  // --8<-- [start:no_name]
  nvtx3::scoped_range{"load"};
  b.load(64);
  // --8<-- [end:no_name]
}

// --8<-- [start:types]
struct Backup {
  static constexpr char const* name{"my.backup"};  // a domain
};
struct Network {
  static constexpr char const* name{"network"};  // a category of it
  static constexpr std::uint32_t id{3};
};
struct Sending {
  static constexpr char const* message{"send"};  // a text
};

// --8<-- [end:types]

void send(std::size_t bytes) {
  // --8<-- [start:types]
  nvtx3::scoped_range_in<Backup> range{nvtx3::registered_string_in<Backup>::get<Sending>(),
                                       nvtx3::named_category_in<Backup>::get<Network>(),
                                       nvtx3::payload{std::uint64_t{bytes}}};
  // --8<-- [end:types]
}

void in_c(nvtxDomainHandle_t domain, nvtxStringHandle_t handle) {
  // --8<-- [start:in_c]
  nvtxEventAttributes_t a{};
  a.version = NVTX_VERSION;
  a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  a.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  a.message.registered = handle;
  nvtxDomainRangePushEx(domain, &a);
  // --8<-- [end:in_c]
  nvtxDomainRangePop(domain);
}

int wrapped(int given) {
  // --8<-- [start:wrapped]
  std::function<int(int)> doubled = [](int x) { return 2 * x; };

  std::function<int(int)> loud = [inner = std::move(doubled)](int x) {
    nvtx3::scoped_range range{"doubled"};
    return inner(x);
  };
  // --8<-- [end:wrapped]
  return loud(given);
}

__global__ void clock_twice(unsigned long long* out) {
  // --8<-- [start:cycles]
  unsigned long long cycles;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
  // --8<-- [end:cycles]
  out[0] = cycles;
  out[1] = clock64();
}

int main() {
  int steps = 0;
  save({&steps});
  one_after_the_other({&steps});
  CLAIM(steps == 1212);
  Batch batch;
  over_at_the_semicolon(batch);
  CLAIM(batch.loaded == 64);
  send(1 << 20);
  nvtxDomainHandle_t domain = nvtxDomainCreateA("in.c");
  in_c(domain, nvtxDomainRegisterStringA(domain, "registered"));
  CLAIM(wrapped(21) == 42);
  auto* clocks = shared_by_both<unsigned long long>(2);
  clock_twice<<<1, 1>>>(clocks);
  CLAIM(all_well() && clocks[0] > 0 && clocks[1] >= clocks[0]);
  return broken_claims;
}
