#include <algorithm>

#include "fixture.h"

namespace workbook::sim {
namespace {

constexpr const char* store_id = "mad.wide.u32 %rd1, %gid, 4, %a0;\nst.global.u32 [%rd1], %gid;";

TEST(Device, RunsAKernel) {
  Kernel k(kernel_text(1, store_id));
  const std::uint64_t out = k.buffer(1000);
  const LaunchResult r = k.launch({10}, {100}, {out});
  ASSERT_FALSE(r.fault) << r.fault->text;
  const auto v = k.read(out, 1000);
  for (std::uint32_t i = 0; i < 1000; ++i) ASSERT_EQ(v[i], i);
  EXPECT_EQ(r.counters.warps, 40u);
  EXPECT_EQ(r.counters.thread_inst_executed, 8000u);
  EXPECT_EQ(r.counters.inst_executed, 320u);
}

TEST(Device, KnowsFunctionsAndVariables) {
  Kernel k(kernel_text(2, "", ".global .align 4 .u32 counter[3];\n.const .align 4 .f32 weights[5];\n"));
  EXPECT_FALSE(k.device.find_function(k.module, "other"));
  const FunctionFacts& f = k.device.facts(k.function);
  EXPECT_EQ(f.parameter_bytes, 16u);
  EXPECT_EQ(f.parameters.size(), 2u);
  EXPECT_TRUE(f.registers_estimated);
  k.device.set_registers(k.function, 40);
  EXPECT_EQ(f.registers, 40u);
  EXPECT_FALSE(f.registers_estimated);
  const auto counter = k.device.find_variable(k.module, "counter");
  ASSERT_TRUE(counter);
  EXPECT_EQ(counter->size, 12u);
  EXPECT_FALSE(counter->constant);
  EXPECT_TRUE(k.device.find_variable(k.module, "weights")->constant);
  EXPECT_EQ(k.read(counter->address, 3), (std::vector<std::uint32_t>{0, 0, 0}));
}

TEST(Device, UnloadFreesVariables) {
  Kernel k(kernel_text(0, "", ".global .align 4 .u32 counter[3];\n"));
  const std::uint64_t used = k.device.memory().used();
  k.device.unload(k.module);
  EXPECT_LT(k.device.memory().used(), used);
  EXPECT_FALSE(k.device.find_function(k.module, "kernel"));
}

TEST(Device, OccupancyByEachLimit) {
  Kernel k(kernel_text(0, ""));
  k.device.set_registers(k.function, 32);
  EXPECT_EQ(k.device.blocks_per_sm(k.function, 1024, 0), 2u);
  EXPECT_EQ(k.device.blocks_per_sm(k.function, 32, 0), 32u);
  EXPECT_EQ(k.device.blocks_per_sm(k.function, 256, 0), 8u);
  EXPECT_EQ(k.device.blocks_per_sm(k.function, 256, 100'000), 2u);
  k.device.set_registers(k.function, 128);
  EXPECT_EQ(k.device.blocks_per_sm(k.function, 256, 0), 2u);
}

TEST(Device, DemanglesNames) {
  Device device(small_limits());
  const ModuleId m =
      device.load(ptx::read(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry "
                            "_Z5saxpyifPKfPf() { ret; }\n.visible .entry _Z4copyIiEvPKT_PS0_() { ret; }\n"));
  EXPECT_EQ(device.facts(*device.find_function(m, "_Z5saxpyifPKfPf")).display_name, "saxpy");
  EXPECT_EQ(device.facts(*device.find_function(m, "_Z4copyIiEvPKT_PS0_")).display_name, "copy<int>");
}

TEST(Device, BlocksDoNotArriveInOrder) {
  Kernel k(
      kernel_text(2,
                  "setp.ne.u32 %q1, %tid, 0;\n@%q1 bra OUT;\natom.global.add.u32 %r1, [%a0], 1;\nmov.u32 "
                  "%r2, %ctaid.x;\nmad.wide.u32 %rd1, %r1, 4, %a1;\nst.global.u32 [%rd1], %r2;\nOUT:"));
  for (const std::uint32_t blocks : {2u, 3u, 5u, 16u, 17u, 100u}) {
    const std::uint64_t ticket = k.buffer(1, true), order = k.buffer(blocks);
    ASSERT_FALSE(k.launch({blocks}, {32}, {ticket, order}).fault);
    auto v = k.read(order, blocks);
    EXPECT_FALSE(std::is_sorted(v.begin(), v.end())) << blocks;
    std::sort(v.begin(), v.end());
    for (std::uint32_t i = 0; i < blocks; ++i) ASSERT_EQ(v[i], i);
  }
}

TEST(Device, SeedPermutesBlocksAndPlaces) {
  const std::string text =
      kernel_text(2,
                  "atom.global.add.u32 %r1, [%a0], 1;\nmov.u32 %r2, %ctaid.x;\nmad.wide.u32 %rd1, %r1, 4, "
                  "%a1;\nst.global.u32 [%rd1], %r2;");
  std::vector<std::vector<std::uint32_t>> orders;
  for (const std::uint64_t seed : {0ull, 1ull, 2ull, 1ull}) {
    Options options;
    options.seed = seed;
    Kernel k(text, options);
    const std::uint64_t ticket = k.buffer(1, true), order = k.buffer(64);
    ASSERT_FALSE(k.launch({64}, {1}, {ticket, order}).fault);
    orders.push_back(k.read(order, 64));
  }
  EXPECT_NE(orders[0], orders[1]);
  EXPECT_NE(orders[1], orders[2]);
  EXPECT_EQ(orders[1], orders[3]);
}

TEST(Device, MappedHostMemoryIsReached) {
  Kernel k(kernel_text(1, store_id));
  std::vector<std::uint32_t> host(64);
  k.device.memory().map_host(host.data(), host.size() * 4);
  ASSERT_FALSE(k.launch({2}, {32}, {reinterpret_cast<std::uint64_t>(host.data())}).fault);
  EXPECT_EQ(host[63], 63u);
}

}  // namespace
}  // namespace workbook::sim
