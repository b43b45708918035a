// Every error code of the header has a name and a text: NVIDIA's own, where NVIDIA's library is there to
// compare.
#include "cudart/errors.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace workbook::cudart {
namespace {

TEST(Errors, NamesAreTheEnumerators) {
  EXPECT_STREQ(error_name(cudaSuccess), "cudaSuccess");
  EXPECT_STREQ(error_name(1), "cudaErrorInvalidValue");
  EXPECT_STREQ(error_name(700), "cudaErrorIllegalAddress");
  EXPECT_STREQ(error_name(801), "cudaErrorNotSupported");
  EXPECT_STREQ(error_name(999), "cudaErrorUnknown");
  EXPECT_STREQ(error_name(12345), "unrecognized error code");
  EXPECT_STREQ(error_description(-1), "unrecognized error code");
}

TEST(Errors, AllOfTheHeaderAndNoNameTwice) {
  std::set<std::string> names;
  for (int code = 0; code < 1000; ++code) {
    const std::string name = error_name(code);
    if (name == "unrecognized error code") continue;
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_STRNE(error_description(code), "") << name;
  }
  EXPECT_EQ(names.size(), 133u);  // the enumerators of CUDA 13.0's cudaError
}

// Asking for a text needs no GPU.
TEST(Errors, TextsAreThoseOfTheRealLibrary) {
  void* const library = dlopen(WORKBOOK_REAL_CUDART, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) GTEST_SKIP() << "NVIDIA's libcudart.so.13 was not found";
  using Ask = const char* (*)(int);
  const auto name = reinterpret_cast<Ask>(dlsym(library, "cudaGetErrorName"));
  const auto text = reinterpret_cast<Ask>(dlsym(library, "cudaGetErrorString"));
  ASSERT_TRUE(name != nullptr && text != nullptr);
  for (int code = -1; code < 1000; ++code) {
    EXPECT_STREQ(error_name(code), name(code)) << code;
    EXPECT_STREQ(error_description(code), text(code)) << code;
  }
  dlclose(library);
}

}  // namespace
}  // namespace workbook::cudart
