#include "classroom/similarity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "grader/files.h"

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

// ---- with the workbook's own answers ----

namespace fs = grader::fs;

struct Known {
  std::string exercise, starter;
  std::vector<Written> answers;  // the solution, and what stands in right/
};

std::vector<Known> known_answers() {
  const fs::path root(SOURCE_DIR);
  std::vector<Known> all;
  for (const auto& chapter : fs::directory_iterator(root / "solutions")) {
    for (const auto& solution : fs::directory_iterator(chapter)) {
      const fs::path path = chapter.path().filename() / solution.path().stem();
      if (solution.path().extension() != ".cu" || !fs::exists(root / "tests/exercises" / path / "right"))
        continue;
      Known known{path.string(),
                  grader::read_file(root / "chapters" / (path.string() + ".cu")).value_or(""),
                  {{"solution", grader::read_file(solution.path()).value_or("")}}};
      for (const auto& right : fs::directory_iterator(root / "tests/exercises" / path / "right")) {
        if (right.path().extension() == ".cu")
          known.answers.push_back(
              {right.path().filename().string(), grader::read_file(right.path()).value_or("")});
      }
      all.push_back(std::move(known));
    }
  }
  return all;
}

// Other names, other comments, other layout, and the functions in another order.
std::string disguised(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const auto& line : grader::split_lines(text)) {
    if (line.empty()) {
      parts.emplace_back();
      continue;
    }
    std::string out;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool begins =
          std::islower(static_cast<unsigned char>(line[i])) != 0 &&
          (i == 0 || (std::isalnum(static_cast<unsigned char>(line[i - 1])) == 0 && line[i - 1] != '_'));
      std::size_t end = i;
      while (begins && end < line.size() &&
             (std::isalnum(static_cast<unsigned char>(line[end])) != 0 || line[end] == '_'))
        ++end;
      const std::string word = line.substr(i, end - i);
      const bool name = begins && normalised_tokens(word) == std::vector<std::string>{"I"} && line[0] != '#';
      out += name ? "my_" + word : begins ? word : std::string(1, line[i]);
      if (begins) i = end - 1;
    }
    parts.back() += "  " + out + (line[0] == '#' ? "\n" : "   // of mine\n");
  }
  std::reverse(parts.begin() + 1, parts.end());
  std::string all;
  for (const auto& part : parts) all += part + "\n\n";
  return all;
}

// Two people, the same exercise, no word between them.
TEST(Similarity, TwoHonestAnswersAreNotTold) {
  const std::string given =
      "#include <cuda_runtime.h>\ncudaError_t vector_add(const float* a, const float* b, float* c, int n) "
      "{\n}\n";
  const std::string first =
      "#include <cuda_runtime.h>\n__global__ void add(const float* a, const float* b, float* c, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) c[i] = a[i] + b[i];\n}\n"
      "cudaError_t vector_add(const float* a, const float* b, float* c, int n) {\n  float *da, *db, *dc;\n"
      "  size_t size = n * sizeof(float);\n  cudaMalloc(&da, size);\n  cudaMalloc(&db, size);\n  "
      "cudaMalloc(&dc, size);\n"
      "  cudaMemcpy(da, a, size, cudaMemcpyHostToDevice);\n  cudaMemcpy(db, b, size, "
      "cudaMemcpyHostToDevice);\n"
      "  add<<<(n + 255) / 256, 256>>>(da, db, dc, n);\n  cudaError_t e = cudaGetLastError();\n"
      "  if (e == cudaSuccess) e = cudaMemcpy(c, dc, size, cudaMemcpyDeviceToHost);\n"
      "  cudaFree(da);\n  cudaFree(db);\n  cudaFree(dc);\n  return e;\n}\n";
  const std::string second =
      "#include <cuda_runtime.h>\n#include <memory>\nnamespace {\nstruct Free { void operator()(float* p) "
      "const { cudaFree(p); } };\n"
      "using Device = std::unique_ptr<float, Free>;\nDevice on_device(int n) { float* p = nullptr; "
      "cudaMalloc(reinterpret_cast<void**>(&p), "
      "n * sizeof(float)); return Device(p); }\n__global__ void sum(int n, const float* x, const float* y, "
      "float* z) {\n"
      "  for (int k = threadIdx.x + blockIdx.x * blockDim.x; k < n; k += gridDim.x * blockDim.x) z[k] = x[k] "
      "+ y[k];\n}\n}\n"
      "cudaError_t vector_add(const float* a, const float* b, float* c, int n) {\n"
      "  const Device x = on_device(n), y = on_device(n), z = on_device(n);\n  if (!x || !y || !z) return "
      "cudaErrorMemoryAllocation;\n"
      "  const auto copy = [n](float* to, const float* from, cudaMemcpyKind kind) { return cudaMemcpy(to, "
      "from, n * sizeof(float), kind); };\n"
      "  if (auto bad = copy(x.get(), a, cudaMemcpyHostToDevice)) return bad;\n  if (auto bad = "
      "copy(y.get(), b, cudaMemcpyHostToDevice)) return bad;\n"
      "  sum<<<1024, 128>>>(n, x.get(), y.get(), z.get());\n  if (auto bad = cudaGetLastError()) return "
      "bad;\n"
      "  return copy(c, z.get(), cudaMemcpyDeviceToHost);\n}\n";
  EXPECT_TRUE(alike_answers(given, {{"kim", first}, {"lee", second}}).empty());
  EXPECT_EQ(alike_answers(given, {{"kim", first}, {"lee", disguised(first)}}).size(), 1u);
}

TEST(Similarity, ADisguisedCopyOfAnythingButAShortAnswerIsTold) {
  int answers = 0, told = 0;
  for (const auto& known : known_answers()) {
    for (const auto& answer : known.answers) {
      if (normalised_tokens(answer.text).size() < normalised_tokens(known.starter).size() + 150) continue;
      ++answers;
      const auto alike = alike_answers(known.starter, {answer, {"copy", disguised(answer.text)}});
      if (!alike.empty()) ++told;
    }
  }
  EXPECT_GT(answers, 100);
  EXPECT_GE(told * 100, answers * 95) << told << " of " << answers;
}

TEST(Similarity, TwoShortHonestAnswersAreNotTold) {
  const std::string given =
      "__global__ void k(int n, float a, const float* x, float* y) {\n}\nvoid run(int n, float a, const "
      "float* x, float* y) {\n}\n";
  const std::string first =
      "__global__ void k(int n, float a, const float* x, float* y) {\n  int i = blockIdx.x * blockDim.x + "
      "threadIdx.x;\n"
      "  if (i < n) y[i] = a * x[i] + y[i];\n}\nvoid run(int n, float a, const float* x, float* y) {\n  "
      "k<<<(n + 255) / 256, 256>>>(n, a, x, y);\n}\n";
  const std::string second =
      "__global__ void k(int n, float a, const float* x, float* y) {\n  int id = blockIdx.x * blockDim.x + "
      "threadIdx.x;\n"
      "  if (id < n) y[id] = a * x[id] + y[id];\n}\nvoid run(int n, float a, const float* x, float* y) {\n  "
      "k<<<(n + 127) / 128, 128>>>(n, a, x, y);\n}\n";
  EXPECT_TRUE(alike_answers(given, {{"kim", first}, {"lee", second}}).empty());
}

}  // namespace
}  // namespace workbook::classroom
