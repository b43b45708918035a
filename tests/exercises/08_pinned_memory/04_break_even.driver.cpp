#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <cfenv>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "host.h"

struct Costs {
  double allocate_us, free_us, pageable_us, pinned_us;
};
long long break_even(const Costs& costs);
Costs measure_costs(std::size_t bytes, void* d_data);

namespace {

using namespace pinned_memory;
using Body = std::function<void()>;

struct Range {
  double median, least, most;
};
Range range_of(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front(), times.back()};
}

double once_us(const Body& body) {
  const double begin = host_us();
  body();
  return host_us() - begin;
}

// Getting and giving back a block, several times.
void own_pinning(workbook::Call& call, const std::string& way, const Body& get, const Body& give_back) {
  std::vector<double> gets(5), gives(5);
  for (int i = 0; i < 5; ++i) {
    gets[i] = once_us(get);
    gives[i] = once_us(give_back);
  }
  const Range g = range_of(gets), b = range_of(gives);
  call.result(way + ".allocate", g.median), call.result(way + ".allocate_least", g.least),
      call.result(way + ".allocate_most", g.most);
  call.result(way + ".free", b.median), call.result(way + ".free_least", b.least),
      call.result(way + ".free_most", b.most);
}

void own_copy(workbook::Call& call, const std::string& from, void* d, const void* h, std::size_t bytes) {
  std::vector<double> times(7);
  const auto copy = [&] { cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice); };
  copy();
  for (double& t : times) t = once_us(copy);
  const Range c = range_of(times);
  call.result("own." + from, c.median), call.result("own." + from + "_least", c.least),
      call.result("own." + from + "_most", c.most);
}

}  // namespace

WORKBOOK_DRIVER(numbers) {
  const Costs costs{call.value<double>("allocate"), call.value<double>("free"),
                    call.value<double>("pageable"), call.value<double>("pinned")};
  std::int64_t n = 0;
  bool invalid = false;
  call.learner([&] {
    std::feclearexcept(FE_ALL_EXCEPT);
    n = break_even(costs);
    invalid = std::fetestexcept(FE_INVALID) != 0;
  });
  call.result("n", n);
  call.result("invalid", invalid ? 1 : 0);
}

// The learner's costs, and the workbook's own. Then both ways, done: n copies, and one copy fewer, and half
// as many, and twice as many.
WORKBOOK_DRIVER(measured) {
  const std::size_t bytes = call.value<std::uint64_t>("bytes");
  Device d(bytes);
  {
    Pinned warm(bytes);  // what only a first use takes is nobody's cost
    std::memset(warm.data(), 1, bytes);
    cudaMemcpy(d.data(), warm.data(), bytes, cudaMemcpyHostToDevice);
  }
  Costs said{};
  std::int64_t n = 0;
  call.learner([&] {
    said = measure_costs(bytes, d.data());
    n = break_even(said);
  });
  call.result("n", n);
  call.result("said.allocate", said.allocate_us), call.result("said.free", said.free_us);
  call.result("said.pageable", said.pageable_us), call.result("said.pinned", said.pinned_us);

  void* p = nullptr;
  own_pinning(
      call, "alloc", [&] { cudaMallocHost(&p, bytes); }, [&] { cudaFreeHost(p); });
  std::vector<unsigned char> pageable(bytes, 1), registered(bytes, 1);
  own_pinning(
      call, "register", [&] { cudaHostRegister(registered.data(), bytes, cudaHostRegisterDefault); },
      [&] { cudaHostUnregister(registered.data()); });
  {
    Pinned pinned(bytes);
    std::memset(pinned.data(), 1, bytes);
    own_copy(call, "pageable", d.data(), pageable.data(), bytes);
    own_copy(call, "pinned", d.data(), pinned.data(), bytes);
  }
  if (n < 1 || n > 1000) return;
  const auto copies = [&](const void* h, std::int64_t how_many) {
    for (std::int64_t i = 0; i < how_many; ++i) cudaMemcpy(d.data(), h, bytes, cudaMemcpyHostToDevice);
  };
  for (const auto& [name, how_many] :
       {std::pair{"n", n}, {"less", n - 1}, {"half", n / 2}, {"double", 2 * n}}) {
    call.result(std::string("both.pageable.") + name, once_us([&] { copies(pageable.data(), how_many); }));
    call.result(std::string("both.pinned.") + name, once_us([&] {
                  cudaMallocHost(&p, bytes);
                  copies(p, how_many);
                  cudaFreeHost(p);
                }));
  }
}
