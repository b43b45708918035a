#include "harness/judge/compiler_report.h"

#include <gtest/gtest.h>

#include "workbook/half.h"

namespace workbook::judge {
namespace {

TEST(CompilerReport, NumbersOfEachKernelAndArchitecture) {
  const auto kernels = parse_ptxas_report(R"(ptxas info    : 0 bytes gmem
ptxas warning : Value of threads per SM for entry _Z2lbPKhPiii is out of range. .minnctapersm will be ignored
ptxas info    : Compiling entry function '_Z12count_kernelPKhPiii' for 'sm_75'
ptxas info    : Function properties for _Z12count_kernelPKhPiii
    64 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 52 registers, used 0 barriers, 64 bytes cumulative stack size, 376 bytes cmem[0]
ptxas info    : Compile time = 40.576 ms
ptxas info    : Compiling entry function '_Z6kernelIfEvv' for 'sm_90'
ptxas info    : Function properties for helper
    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Function properties for _Z6kernelIfEvv
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers
)");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "count_kernel");
  EXPECT_EQ(kernels[0].arch, "sm_75");
  EXPECT_EQ(kernels[0].registers, 52u);
  EXPECT_EQ(kernels[0].stack, 64u);
  EXPECT_EQ(kernels[0].spill_stores, 4u);
  EXPECT_EQ(kernels[0].spill_loads, 8u);
  EXPECT_EQ(kernels[1].name, "kernel");
  EXPECT_EQ(kernels[1].arch, "sm_90");
  EXPECT_EQ(kernels[1].stack, 0u);
  EXPECT_TRUE(parse_ptxas_report("").empty());
}

TEST(CompilerReport, InstructionsByType) {
  const char* ptx =
      ".reg .f64 %fd<4>;\n\tfma.rn.f64 \t%fd1, %fd2, %fd3, %fd1;\n\t@%p1 cvt.f64.f32 %fd1, %f1;\n"
      "\tadd.f32 %f1, %f2, %f3;\n\tmov.f64x2 %x, %y; // fma.f64\n$L1:\n\t@!%p2 bra $L1;\n\tret;\n";
  EXPECT_EQ(instructions_of_type(ptx, "f64"), 2u);
  EXPECT_EQ(instructions_of_type(ptx, "f32"), 2u);
  EXPECT_EQ(instructions_of_type(ptx, "f16"), 0u);
}

TEST(Half, EveryValueThereAndBack) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto h = static_cast<HalfBits>(bits);
    const float x = half_to_float(h);
    if (std::isnan(x)) continue;
    ASSERT_EQ(half_from(x), h) << bits;
  }
  EXPECT_TRUE(std::isnan(half_to_float(half_from(std::nan("")))));
}

TEST(Half, RoundsToTheNearestAndTiesToEven) {
  EXPECT_EQ(half_from(2049.0), half_from(2048.0));
  EXPECT_EQ(half_from(2051.0), half_from(2052.0));
  EXPECT_EQ(half_from(2049.0001), half_from(2050.0));
  EXPECT_EQ(half_from(65519.9), 0x7bff);
  EXPECT_EQ(half_from(65520.0), 0x7c00);
  EXPECT_EQ(half_from(-1e9), 0xfc00);
  EXPECT_EQ(half_from(-0.0), 0x8000);
  EXPECT_EQ(half_from(std::ldexp(1.0, -25)), 0u);
  EXPECT_EQ(half_from(std::ldexp(1.001, -25)), 1u);
  EXPECT_EQ(half_from(1.9999), half_from(2.0));
}

}  // namespace
}  // namespace workbook::judge
