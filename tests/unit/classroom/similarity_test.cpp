#include "classroom/similarity.h"

#include <gtest/gtest.h>

namespace workbook::classroom {
namespace {

const std::string starter =
    "__global__ void k(int n, float* y) {\n  // yours\n}\nvoid run(int n, float* y) {}\n";
const std::string one =
    "__global__ void k(int n, float* y) {\n  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) { y[i] = 2.0f * y[i] + 1.0f; if (y[i] > 3.0f) y[i] -= 0.5f; }\n}\n"
    "void run(int n, float* y) { if (n > 0) k<<<(n + 255) / 256, 256>>>(n, y); }\n";
const std::string renamed =
    "/* my own */ __global__ void kernel(int count, float* out) { const int id = "
    "blockIdx.x*blockDim.x+threadIdx.x;\n"
    "  if (id < count) { out[id] = 4.0f * out[id] + 9.0f; if (out[id] > 7.0f) out[id] -= 0.25f; } }\n"
    "void start(int count, float* out) { if (count > 0) kernel<<<(count + 127) / 128, 128>>>(count, out); "
    "}\n";
const std::string different =
    "__global__ void k(int n, float* y) {\n  for (int i = threadIdx.x; i < n; i += blockDim.x) {\n    float "
    "v = y[i];\n"
    "    v = fmaf(2.0f, v, 1.0f);\n    y[i] = v > 3.0f ? v - 0.5f : v;\n  }\n}\n"
    "void run(int n, float* y) {\n  int blocks = n / 1024;\n  while (blocks * 1024 < n) ++blocks;\n  if "
    "(blocks) k<<<1, 1024>>>(n, y);\n}\n";

TEST(Similarity, NamesNumbersCommentsAndLayoutDoNotCount) {
  EXPECT_EQ(normalised_tokens("int a = 1; // x"), normalised_tokens("int bcd=27;"));
  EXPECT_EQ(normalised_tokens("\"a\\\"b\" 'c'"), (std::vector<std::string>{"S", "S"}));
  EXPECT_EQ(normalised_tokens("/* never closed"), std::vector<std::string>{});
}

TEST(Similarity, ARenamedCopyIsTold) {
  const auto alike = alike_answers(starter, {{"kim", one}, {"lee", renamed}, {"park", different}});
  ASSERT_EQ(alike.size(), 1u);
  EXPECT_EQ(alike[0].first, 0u);
  EXPECT_EQ(alike[0].second, 1u);
  EXPECT_DOUBLE_EQ(alike[0].share, 1);
}

TEST(Similarity, TheStarterCountsForNobody) {
  EXPECT_TRUE(alike_answers(starter, {{"kim", starter}, {"lee", starter}}).empty());
}

TEST(Similarity, WhatAThirdOfTheClassHasCountsForNobody) {
  std::vector<Written> answers;
  for (int i = 0; i < 12; ++i) answers.push_back({"learner", one});
  EXPECT_TRUE(alike_answers(starter, answers).empty());
}

}  // namespace
}  // namespace workbook::classroom
