// What a process pays for once, and when, under the driver's variables: as the trace tells it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "trace/reader.h"

namespace workbook {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// A folder for a trace and a cache.
class FirstUses : public testing::Test {
 protected:
  FirstUses() {
    std::string name = testing::TempDir() + "first-uses-XXXXXX";
    folder_ = ::mkdtemp(name.data());
    fs::create_directory(cache());
  }
  ~FirstUses() override { fs::remove_all(folder_); }

  fs::path cache() const { return folder_ / "cache"; }
  std::string with_cache() const { return "CUDA_CACHE_PATH='" + cache().string() + "' "; }

  // Operations and first uses by the order in which they began: "context", "jit: ...", "K" for a launch.
  Words run(const std::string& program, const std::string& how, const std::string& environment) {
    const std::string path = (folder_ / "trace").string(), output = (folder_ / "output").string();
    const std::string command = environment +
                                " WORKBOOK_QUIET=1 WORKBOOK_TRACE_FD=9 LD_LIBRARY_PATH='" WORKBOOK_SIMULATED
                                "' '" WORKBOOK_PROGRAMS "/cudart_" +
                                program + "' " + how + " 9>'" + path + "' >'" + output + "' 2>&1";
    EXPECT_EQ(std::system(("sh -c \"" + command + "\"").c_str()), 0);
    std::vector<std::pair<std::int64_t, std::string>> found;
    microseconds_ = {};
    for (const auto& event : trace::read_trace(path).events) {
      if (event.kind == trace::EventKind::kernel) found.emplace_back(event.host_begin_ns, "K");
      if (event.kind != trace::EventKind::note || event.name != "overhead") continue;
      const std::string kind = nlohmann::json::parse(event.detail_json).value("kind", "");
      found.emplace_back(event.host_begin_ns, kind == "jit" ? event.text : kind);
      microseconds_.push_back(static_cast<double>(event.host_end_ns - event.host_begin_ns) / 1000);
    }
    // A call begins before what it needs; both may stand at the same nanosecond.
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
      return std::pair(a.first, a.second != "K") < std::pair(b.first, b.second != "K");
    });
    Words words;
    for (auto& [at, word] : found) words.push_back(word);
    return words;
  }

  std::size_t cached_files() const {
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(cache()))
      count += entry.is_regular_file() && entry.path().filename() != "index" ? 1 : 0;
    return count;
  }

  fs::path folder_;
  std::vector<double> microseconds_;
};

constexpr const char* compiled = "PTX is compiled for this GPU";
constexpr const char* stored = "compiled PTX goes to the cache";
constexpr const char* found_there = "compiled PTX comes from the cache";

TEST_F(FirstUses, LazilyAModuleComesWithItsFirstKernel) {
  // A launch begins before what it has to load.
  EXPECT_EQ(run("first_uses", "plain", ""),
            (Words{"driver", "context", "K", "module_load", "module_data", "function_load", "first_launch",
                   "K", "K", "function_load"}));
}

TEST_F(FirstUses, EagerlyAllComesWithTheContext) {
  EXPECT_EQ(run("first_uses", "plain", "CUDA_MODULE_LOADING=EAGER"),
            (Words{"driver", "context", "module_load", "module_data", "K", "first_launch", "K", "K"}));
}

TEST_F(FirstUses, AVariableSetAfterTheFirstCallIsTooLate) {
  EXPECT_EQ(run("first_uses", "setenv", ""), run("first_uses", "plain", ""));
}

TEST_F(FirstUses, AskingAboutAKernelLoadsIt) {
  EXPECT_EQ(run("first_uses", "preload", ""),
            (Words{"driver", "context", "module_load", "module_data", "function_load", "K", "first_launch",
                   "K", "K", "function_load"}));
}

TEST_F(FirstUses, TextIsCompiledStoredAndFound) {
  const Words cold = run("first_uses_text", "plain", with_cache());
  EXPECT_EQ(Words(cold.begin() + 3, cold.begin() + 6), (Words{compiled, stored, "module_load"}));
  const double compiling = microseconds_[2];
  EXPECT_EQ(cached_files(), 1u);
  const Words warm = run("first_uses_text", "plain", with_cache());
  EXPECT_EQ(Words(warm.begin() + 3, warm.begin() + 5), (Words{found_there, "module_load"}));
  EXPECT_LT(microseconds_[2], compiling / 10);
}

TEST_F(FirstUses, TheCacheCanBeOffOrTooSmall) {
  for (const std::string variable : {"CUDA_CACHE_DISABLE=1", "CUDA_CACHE_MAXSIZE=16"}) {
    const Words words = run("first_uses_text", "plain", with_cache() + variable);
    EXPECT_EQ(Words(words.begin() + 3, words.begin() + 5), (Words{compiled, "module_load"})) << variable;
    EXPECT_EQ(cached_files(), 0u) << variable;
  }
}

// As seen on an H200: what is forced is stored, and never found.
TEST_F(FirstUses, ForcedTheCacheIsWrittenAndNotRead) {
  const Words first = run("first_uses_text", "plain", with_cache() + "CUDA_FORCE_PTX_JIT=1");
  EXPECT_EQ(Words(first.begin() + 3, first.begin() + 6), (Words{compiled, stored, "module_load"}));
  const Words again = run("first_uses_text", "plain", with_cache() + "CUDA_FORCE_PTX_JIT=1");
  EXPECT_EQ(Words(again.begin() + 3, again.begin() + 5), (Words{compiled, "module_load"}));
}

TEST_F(FirstUses, MachineCodeIsNotCompiledUnlessForced) {
  run("first_uses", "plain", with_cache());
  EXPECT_EQ(cached_files(), 0u);
  const Words forced = run("first_uses", "plain", with_cache() + "CUDA_FORCE_PTX_JIT=1");
  EXPECT_EQ(forced[3], compiled);
}

// As seen on an H200: the compiler is forbidden, the cache isn't.
TEST_F(FirstUses, WithoutACompilerOnlyWhatIsCachedRuns) {
  const std::string forbidden = with_cache() + "CUDA_DISABLE_PTX_JIT=1";
  const Words nothing = run("first_uses_text", "plain", forbidden);
  EXPECT_EQ(std::count(nothing.begin(), nothing.end(), std::string("module_load")), 0);
  run("first_uses_text", "plain", with_cache());
  const Words words = run("first_uses_text", "plain", forbidden);
  EXPECT_EQ(std::count(words.begin(), words.end(), std::string(found_there)), 1);
}

}  // namespace
}  // namespace workbook
