#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <functional>
#include <string>
#include <vector>

#include "host.h"

using Produce = std::function<void(void* h, std::size_t bytes)>;
struct Routes {
  double pageable_us, staged_us, pinned_us;
};
double gigabytes_per_second(std::size_t bytes, double us);
Routes measure_routes(int mib, void* d_data, const Produce& produce);

namespace {

using namespace pinned_memory;

bool is_pinned(const void* h) {
  cudaPointerAttributes attributes{};
  return cudaPointerGetAttributes(&attributes, h) == cudaSuccess && attributes.type == cudaMemoryTypeHost;
}

// What the harness finds for the same routes in the same process: median, and how far its samples lie apart.
struct Own {
  double median, least, most;
};
Own own_us(const std::function<void()>& once) {
  once();
  std::vector<double> times(7);
  for (double& t : times) {
    const double begin = host_us();
    once();
    t = host_us() - begin;
  }
  std::sort(times.begin(), times.end());
  return {times[3], times.front(), times.back()};
}

void give(workbook::Call& call, const std::string& route, double said, const Own& own) {
  call.result("said." + route, said);
  call.result("ours." + route, own.median);
  call.result("least." + route, own.least);
  call.result("most." + route, own.most);
}

}  // namespace

WORKBOOK_DRIVER(rate) {
  call.result("rate", gigabytes_per_second(call.value<std::uint64_t>("bytes"), call.value<double>("us")));
}

// The producer notes what memory it was given, and whether the data of the time before had arrived by then.
WORKBOOK_DRIVER(routes) {
  const int mib = call.value<int>("mib");
  const std::size_t bytes = static_cast<std::size_t>(mib) << 20;
  Device d(bytes);
  std::vector<unsigned char> back(bytes);
  struct Round {
    bool pinned = false;
    std::int64_t bytes = 0, wrong_at = -1;
  };
  std::vector<Round> rounds;
  const auto look = [&] {
    if (rounds.empty()) return;
    Round& last = rounds.back();
    cudaDeviceSynchronize();
    cudaMemcpy(back.data(), d.data(), bytes, cudaMemcpyDeviceToHost);
    last.wrong_at = first_other(back.data(), bytes, static_cast<unsigned>(rounds.size()));
  };
  const Produce produce = [&](void* h, std::size_t how_many) {
    look();
    rounds.push_back({is_pinned(h), static_cast<std::int64_t>(how_many), -1});
    fill(h, how_many, static_cast<unsigned>(rounds.size()));
  };
  Routes said{};
  call.learner([&] { said = measure_routes(mib, d.data(), produce); });
  look();
  call.result("rounds", static_cast<int>(rounds.size()));
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const std::string name = "round" + std::to_string(i);
    call.result(name + ".pinned", rounds[i].pinned ? 1 : 0);
    call.result(name + ".bytes", rounds[i].bytes);
    call.result(name + ".wrong_at", rounds[i].wrong_at);
  }
  std::vector<unsigned char> pageable(bytes, 1);
  Pinned pinned(bytes);
  fill(pinned.data(), bytes, 99);
  const auto to_device = [&](const void* h) { cudaMemcpy(d.data(), h, bytes, cudaMemcpyHostToDevice); };
  give(call, "pageable", said.pageable_us, own_us([&] { to_device(pageable.data()); }));
  give(call, "staged", said.staged_us, own_us([&] {
         cudaMemcpy(pinned.data(), pageable.data(), bytes, cudaMemcpyHostToHost);
         to_device(pinned.data());
       }));
  give(call, "pinned", said.pinned_us, own_us([&] { to_device(pinned.data()); }));
}
