#include "grader/audit.h"

#include <gtest/gtest.h>

#include <sstream>

namespace workbook::grader {
namespace {

// The objects of audit_samples/, as CMake lists them.
fs::path object_of(const std::string& stem) {
  std::istringstream list(AUDIT_SAMPLES);
  for (std::string path; std::getline(list, path, '|');) {
    if (fs::path(path).filename().string().starts_with(stem + ".cpp")) return path;
  }
  ADD_FAILURE() << "no sample " << stem;
  return {};
}

std::string headline_of(const std::string& stem, const std::string& code) {
  const auto refused = refused_names(object_of(stem));
  if (!refused) return "";
  EXPECT_EQ(refused->code, code);
  return refused->headline;
}

TEST(Audit, RefusesNamesOfOthers) {
  EXPECT_EQ(headline_of("defines_cuda", "name.taken"),
            "The file defines cudaEventElapsedTime, a name of the CUDA runtime.");
  EXPECT_EQ(headline_of("defines_c_library", "name.taken"),
            "The file defines clock_gettime, a name of the C library.");
  EXPECT_NE(headline_of("defines_workbook", "name.taken").find("workbook::kernels::copy("),
            std::string::npos);
}

TEST(Audit, RefusesWhatReachesOut) {
  EXPECT_EQ(headline_of("uses_dlsym", "name.refused"), "The file uses dlsym.");
  EXPECT_NE(headline_of("uses_filesystem", "name.refused").find("std::filesystem::"), std::string::npos);
}

TEST(Audit, RefusesTheWorkbooksInsides) {
  EXPECT_EQ(headline_of("uses_a_door", "name.refused"), "The file uses wbHostWork, a part of the check.");
  EXPECT_NE(headline_of("uses_the_workbook", "name.refused").find("DriverRegistration"), std::string::npos);
}

TEST(Audit, RefusesWeakNamesToo) {
  EXPECT_EQ(headline_of("weak_cuda", "name.taken"),
            "The file defines cudaMemcpy, a name of the CUDA runtime.");
}

TEST(Audit, RefusesCodeThatCallsTheSystemOrRunsTooEarly) {
  EXPECT_NE(headline_of("calls_the_system", "system_call.refused"), "");
  EXPECT_NE(headline_of("early_constructor", "constructor.refused"), "");
  EXPECT_NE(headline_of("chosen_at_start", "constructor.refused"), "");
  EXPECT_NE(headline_of("writable_code", "code.refused"), "");
}

TEST(Audit, LeavesHonestNamesAlone) {
  for (const char* stem : {"honest", "only_looks_like_a_call"}) {
    const auto refused = refused_names(object_of(stem));
    EXPECT_FALSE(refused) << stem << ": " << refused->headline;
  }
}

TEST(Audit, NothingIsSaidOfWhatIsNoObject) {
  const TemporaryFolder folder("audit-test");
  write_file(folder.path() / "text.o", "not an object");
  EXPECT_FALSE(refused_names(folder.path() / "text.o"));
  EXPECT_FALSE(refused_names(folder.path() / "none.o"));
}

}  // namespace
}  // namespace workbook::grader
