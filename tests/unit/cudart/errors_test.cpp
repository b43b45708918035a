// Every error code of the header has a name and a sentence.
#include "cudart/errors.h"

#include <cuda_runtime_api.h>
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

TEST(Errors, AllOfTheHeaderAndNoSentenceTwice) {
  std::set<std::string> names, sentences;
  for (int code = 0; code < 1000; ++code) {
    const std::string name = error_name(code);
    if (name == "unrecognized error code") continue;
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_TRUE(sentences.insert(error_description(code)).second) << error_description(code);
  }
  EXPECT_EQ(names.size(), 133u);  // the enumerators of CUDA 13.0's cudaError
}

}  // namespace
}  // namespace workbook::cudart
