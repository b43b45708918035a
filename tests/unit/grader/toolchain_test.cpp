#include "grader/toolchain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/build.h"

namespace workbook::grader {
namespace {

constexpr const char* written = R"({
  "schema": "workbook-toolchain/1", "source_dir": "/old/place", "nvcc": "/no/such/nvcc", "cxx": "g++",
  "nvcc_flags": ["-std=c++17", "-gencode", "arch=compute_75,code=[compute_75,sm_90]"],
  "include_dirs": ["/old/place/include"], "link_options": ["-Wl,--wrap=cudaMalloc"],
  "link_libraries": ["/old/place/.build/librunner.a", "/usr/lib/x86_64-linux-gnu/libfmt.so"],
  "cudart_to_link": "/cuda/lib/libcudart.so.13", "real_cudart_dir": "/cuda/lib",
  "simulated_cudart_dir": "/old/place/.build/lib/simulated", "system_libraries": ["-ldl"],
  "exercises": [{"id": "2.1", "chapter": "02_grids", "stem": "01_one", "judge": "/old/place/.build/check_02_01",
                 "driver": "/old/place/.build/driver.o", "extra_libraries": []}]
})";

TEST(Toolchain, ABuildThatWasCarriedFindsItsFiles) {
  const TemporaryFolder folder("toolchain-test");
  write_file(folder.path() / "workbook_toolchain.json", written);
  const Toolchain t = load_toolchain(folder.path(), "/new");
  const std::string build = folder.path().string();
  EXPECT_EQ(t.exercises.at("02_grids/01_one").judge, build + "/check_02_01");
  EXPECT_EQ(t.exercises.at("02_grids/01_one").drivers, std::vector<std::string>{build + "/driver.o"});
  EXPECT_EQ(t.include_dirs, std::vector<std::string>{"/new/include"});
  EXPECT_EQ(t.link_libraries[0], build + "/librunner.a");
  EXPECT_EQ(t.link_libraries[1], "/usr/lib/x86_64-linux-gnu/libfmt.so");
  EXPECT_EQ(t.simulated_cudart_dir, build + "/lib/simulated");
  EXPECT_EQ(t.real_cudart_dir, "/cuda/lib");
  EXPECT_EQ(t.flags.size(), 3u);
}

TEST(Toolchain, AMissingOrBrokenFileSaysWhatToDo) {
  const TemporaryFolder folder("toolchain-test");
  auto complaint = [&] {
    try {
      load_toolchain(folder.path(), "/new");
    } catch (const SetupError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(complaint(), testing::HasSubstr("start"));
  write_file(folder.path() / "workbook_toolchain.json", "{");
  EXPECT_THAT(complaint(), testing::HasSubstr("Remove"));
  write_file(folder.path() / "workbook_toolchain.json", R"({"schema": "workbook-toolchain/9"})");
  EXPECT_THAT(complaint(), testing::HasSubstr("another version"));
}

TEST(Cache, TheOldestGoFirstAndOnlyOnceADay) {
  const TemporaryFolder folder("cache-test");
  const auto now = fs::file_time_type::clock::now();
  auto entry = [&](const std::string& name, int hours_old) {
    write_file(folder.path() / "cache/ab" / name, std::string(1000, 'x'));
    fs::last_write_time(folder.path() / "cache/ab" / name, now - std::chrono::hours(hours_old));
  };
  entry("old.o", 50);
  entry("middle.runner", 40);
  entry("new.o", 0);
  prune_cache(folder.path(), 2500);
  EXPECT_FALSE(fs::exists(folder.path() / "cache/ab/old.o"));
  EXPECT_TRUE(fs::exists(folder.path() / "cache/ab/middle.runner"));
  prune_cache(folder.path(), 0);  // a second time on the same day does nothing
  EXPECT_TRUE(fs::exists(folder.path() / "cache/ab/middle.runner"));
  fs::remove(folder.path() / "cache/pruned");
  prune_cache(folder.path(), 0);  // the young one stays whatever the limit
  EXPECT_FALSE(fs::exists(folder.path() / "cache/ab/middle.runner"));
  EXPECT_TRUE(fs::exists(folder.path() / "cache/ab/new.o"));
}

}  // namespace
}  // namespace workbook::grader
