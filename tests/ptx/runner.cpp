// Runs each .ptx file of this folder on the simulated device, as its `//!` lines say (case.h): in three
// orders of blocks and warps, with one host thread and with two.
#include <gtest/gtest.h>

#include <map>

#include "case.h"
#include "ptx/reader.h"
#include "sim/device.h"

using namespace workbook;
using ptx_tests::Buffer;
using ptx_tests::Case;

namespace {

std::uint64_t counter(const sim::Counters& c, const std::string& name) {
  const std::map<std::string, std::uint64_t> all{{"inst_executed", c.inst_executed},
                                                 {"thread_inst_executed", c.thread_inst_executed},
                                                 {"branches", c.branches},
                                                 {"divergent_branches", c.divergent_branches},
                                                 {"global_load.requests", c.global_load.requests},
                                                 {"global_load.sectors", c.global_load.sectors},
                                                 {"global_load.bytes", c.global_load.bytes},
                                                 {"global_store.requests", c.global_store.requests},
                                                 {"global_store.sectors", c.global_store.sectors},
                                                 {"local_load.requests", c.local_load.requests},
                                                 {"local_store.requests", c.local_store.requests},
                                                 {"shared_load.requests", c.shared_load.requests},
                                                 {"shared_load.wavefronts", c.shared_load.wavefronts},
                                                 {"shared_store.requests", c.shared_store.requests},
                                                 {"shared_store.wavefronts", c.shared_store.wavefronts},
                                                 {"atomic_requests", c.atomic_requests},
                                                 {"atomic_lanes", c.atomic_lanes},
                                                 {"atomic_sectors", c.atomic_sectors},
                                                 {"atomic_hottest_integer", c.atomic_hottest_integer},
                                                 {"atomic_hottest_float", c.atomic_hottest_float},
                                                 {"written_sectors", c.written_sectors},
                                                 {"l1_hit_sectors", c.l1_hit_sectors},
                                                 {"first_read_sectors_dram", c.first_read_sectors_dram}};
  const auto it = all.find(name);
  if (it == all.end()) ADD_FAILURE() << "no counter " << name;
  return it == all.end() ? 0 : it->second;
}

void place_buffers(Case& c, sim::Device& device) {
  for (std::size_t n = 0; n < c.buffers.size(); ++n) {
    Buffer& b = c.buffers[n];
    const std::size_t size = b.element_bytes();
    b.address = device.memory().allocate(b.bytes(), sim::AllocationKind::device,
                                         std::string("b").append(std::to_string(n)));
    for (std::size_t k = 0; b.initialised && k < b.count; ++k)
      device.memory().write(b.address + k * size, &b.values[k], size);
  }
}

void check_fault(const Case& c, const sim::LaunchResult& r) {
  if (c.fault.empty()) {
    EXPECT_FALSE(r.fault) << sim::name_of(r.fault->kind) << ": " << r.fault->text;
    return;
  }
  ASSERT_TRUE(r.fault) << "expected the fault " << c.fault;
  EXPECT_EQ(sim::name_of(r.fault->kind), c.fault) << r.fault->text;
  for (const auto& [key, value] : c.where) {
    const auto number = [&] { return static_cast<std::uint32_t>(std::stoul(value)); };
    if (key == "thread")
      EXPECT_EQ(r.fault->thread[0], number());
    else if (key == "block")
      EXPECT_EQ(r.fault->block[0], number());
    else if (key == "line")
      EXPECT_EQ(r.fault->at.line, number());
    else if (key == "lanes")
      EXPECT_EQ(r.fault->threads_at_fault, number());
    else if (key == "other")
      EXPECT_EQ(r.fault->other_thread[0], number());
    else if (key == "offset")
      EXPECT_EQ(r.fault->allocation.offset, std::stol(value));
    else
      ADD_FAILURE() << "unknown: " << key;
  }
  EXPECT_NE(r.fault->text.find(c.says), std::string::npos) << r.fault->text;
}

void check_launch(Case& c, sim::Device& device, sim::FunctionId kernel) {
  place_buffers(c, device);
  const std::vector<std::byte> parameters = c.parameter_block();
  const sim::LaunchResult r = device.launch({.function = kernel,
                                             .grid = {c.grid[0], c.grid[1], c.grid[2]},
                                             .block = {c.block[0], c.block[1], c.block[2]},
                                             .dynamic_shared_bytes = c.shared,
                                             .parameters = parameters,
                                             .cooperative = c.cooperative});
  check_fault(c, r);
  EXPECT_EQ(r.output, c.prints);
  for (const auto& [name, value] : c.counters) EXPECT_EQ(counter(r.counters, name), value) << name;
  for (std::size_t n = 0; n < c.buffers.size(); ++n) {
    const Buffer& b = c.buffers[n];
    std::vector<std::byte> got(b.bytes());
    device.memory().read(b.address, got.data(), got.size());
    EXPECT_EQ(b.difference(got), "") << "buffer " << n;
  }
}

void run_file(const std::filesystem::path& path, std::uint64_t seed, std::uint32_t host_threads) {
  Case c = ptx_tests::read_case(path);
  sim::Limits limits;
  limits.memory_bytes = 1ull << 30;
  sim::Options options;
  options.seed = seed;
  options.instruction_budget = 200'000;
  options.host_threads = host_threads;
  sim::Device device(limits, {}, options);
  const sim::ModuleId module = device.load(ptx::read(c.text));
  const std::optional<sim::FunctionId> kernel = device.find_function(module, c.kernel);
  ASSERT_TRUE(kernel) << c.kernel;
  const std::string why = device.unsupported(*kernel);
  if (c.unsupported.empty()) {
    ASSERT_EQ(why, "");
    check_launch(c, device, *kernel);
  } else {
    EXPECT_NE(why.find(c.unsupported), std::string::npos) << why;
  }
}

class FileTest : public testing::Test {
 public:
  explicit FileTest(std::filesystem::path path) : path_(std::move(path)) {}
  void TestBody() override {
    constexpr struct {
      std::uint64_t seed;
      std::uint32_t threads;
    } ways[] = {{0, 1}, {0, 2}, {1, 1}, {2, 2}};
    for (const auto& [seed, threads] : ways) {
      SCOPED_TRACE("order " + std::to_string(seed) + ", host threads: " + std::to_string(threads));
      run_file(path_, seed, threads);
    }
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const auto files = ptx_tests::find_cases(argc > 1 ? argv[1] : WORKBOOK_PTX_TESTS);
  for (const auto& path : files)
    testing::RegisterTest(path.parent_path().filename().c_str(), path.stem().c_str(), nullptr, nullptr,
                          __FILE__, __LINE__, [path] { return new FileTest(path); });
  if (files.empty()) {
    std::fprintf(stderr, "no .ptx files\n");
    return 1;
  }
  return RUN_ALL_TESTS();
}
