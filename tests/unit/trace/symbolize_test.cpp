// Addresses become places; what nvcc makes for a launch is not the learner's code.
#include "trace/symbolize.h"

#include <gtest/gtest.h>
#include <link.h>

namespace workbook::trace {
namespace {

[[gnu::noinline]] std::uint64_t here() {
  return reinterpret_cast<std::uint64_t>(__builtin_return_address(0)) - 1;
}

std::uint64_t load_base() {
  std::uint64_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        *static_cast<std::uint64_t*>(out) = info->dlpi_addr;
        return 1;
      },
      &base);
  return base;
}

TEST(Symbolize, FindsThisFile) {
  const std::uint64_t address = here() - load_base();
  const int line = __LINE__ - 1;
  const auto places = symbolize("/proc/self/exe", {address, address});
  const auto frames = frames_of({address}, places);
  const Frame* frame = first_frame_in({"somewhere/symbolize_test.cpp"}, frames);
  ASSERT_NE(frame, nullptr);
  EXPECT_EQ(frame->line, static_cast<std::uint32_t>(line));
  EXPECT_EQ(first_frame_in({"other.cpp"}, frames), nullptr);
}

TEST(Symbolize, MissingProgramIsSaid) {
  setenv("WORKBOOK_ADDR2LINE", "/nonexistent/addr2line", 1);
  EXPECT_THROW(symbolize("/proc/self/exe", {1}), std::runtime_error);
  unsetenv("WORKBOOK_ADDR2LINE");
}

TEST(Symbolize, NoAddressesRunNothing) {
  EXPECT_TRUE(symbolize("/nonexistent", {}).empty());
}

constexpr const char* text =
    "0x0000000000001683\n"
    "__device_stub__ZN1a5saxpyEifPKfPf(int, float, float const*, float*)\n"
    "/tmp/t.cudafe1.stub.c:16 (discriminator 2)\n"
    "0x000000000000185d\n"
    "a::saxpy(int, float, float const*, float*)\n"
    "/home/x/t.cu:4\n"
    "0x00000000000012f1\n"
    "inner(float*)\n"
    "/home/x/t.cu:9\n"
    "go(int, float*, float*)\n"
    "/home/x/t.cu:20\n"
    "0x0000000000000001\n"
    "??\n"
    "??:0\n";

TEST(Symbolize, ReadsInlinedFramesAndUnknownOnes) {
  const auto places = parse_addr2line(text);
  ASSERT_EQ(places.size(), 4u);
  EXPECT_EQ(places.at(0x1683).at(0).line, 16u);
  ASSERT_EQ(places.at(0x12f1).size(), 2u);
  EXPECT_TRUE(places.at(0x12f1)[0].inlined);
  EXPECT_FALSE(places.at(0x12f1)[1].inlined);
  EXPECT_EQ(places.at(1).at(0).function, "");
  EXPECT_EQ(places.at(1).at(0).line, 0u);
}

TEST(Symbolize, SkipsTheLaunchStubs) {
  const auto places = parse_addr2line(text);
  const auto frames = frames_of({0x1683, 0x185d, 0x12f1, 0x1, 0x77}, places);
  ASSERT_EQ(frames.size(), 6u);
  const Frame* frame = first_frame_in({"t.cu"}, frames);
  ASSERT_NE(frame, nullptr);
  EXPECT_EQ(frame->line, 9u);
  // the stub itself was optimized away: only the kernel's name tells
  const auto rest = frames_of({0x185d, 0x12f1}, places);
  EXPECT_EQ(first_frame_in({"t.cu"}, rest, "saxpy")->line, 9u);
  EXPECT_EQ(first_frame_in({"t.cu"}, rest)->line, 4u);
}

TEST(Symbolize, FunctionNames) {
  EXPECT_EQ(function_name("void a::tk<float, (int)3>(float*)"), "a::tk");
  EXPECT_EQ(function_name("go(int, float*)"), "go");
  EXPECT_EQ(function_name("main"), "main");
  EXPECT_EQ(function_name("(anonymous namespace)::f(int)"), "(anonymous namespace)::f");
}

}  // namespace
}  // namespace workbook::trace
