// What nvcc really emits. The build compiles every file of snippets/ to PTX for two architectures and one of
// them to fatbins in every compression; all of it must be read without a single unreadable function.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "ptx/control_flow.h"
#include "ptx/fatbin.h"
#include "ptx/reader.h"

namespace workbook::ptx {
namespace {

std::vector<std::filesystem::path> files_with(const std::string& extension) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(WORKBOOK_SNIPPETS)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Nvcc, every_snippet_is_readable) {
  const auto files = files_with(".ptx");
  ASSERT_EQ(files.size(), WORKBOOK_SNIPPET_COUNT);
  for (const auto& path : files) {
    SCOPED_TRACE(path.string());
    Module module;
    ASSERT_NO_THROW(module = read(contents(path)));
    std::size_t instructions = 0;
    for (const Function& function : module.functions) {
      EXPECT_EQ(function.unreadable, "") << function.name;
      EXPECT_EQ(function.body.empty(), !function.has_body) << function.name;
      instructions += function.body.size();
      const ControlFlow flow = analyze(function);
      for (std::size_t i = 0; i < function.body.size(); ++i) {
        const Instruction& at = function.body[i];
        const bool parts = at.op == Opcode::bra && at.guard != no_index && at.operands[0].index != i + 1;
        if (parts) {
          EXPECT_NE(flow.reconvergence[i], no_index) << function.name << " line " << at.ptx_line;
        }
      }
    }
    EXPECT_GT(instructions, 5u);
    EXPECT_GE(module.files.size(), 2u);
  }
}

TEST(Nvcc, every_compression_gives_the_same_ptx) {
  const auto files = files_with(".fatbin");
  ASSERT_EQ(files.size(), 4u);
  std::string first;
  for (const auto& path : files) {
    SCOPED_TRACE(path.string());
    const std::string data = contents(path);
    const auto images = read_fatbin({reinterpret_cast<const std::uint8_t*>(data.data()), data.size()});
    ASSERT_EQ(images.size(), 2u);
    const Image& ptx = choose_ptx(images, 90);
    EXPECT_EQ(ptx.arch, 75u);
    if (first.empty()) first = ptx.text();
    EXPECT_EQ(ptx.text(), first);
    EXPECT_EQ(read(ptx.text()).target, "sm_75");
    for (const Image& image : images) {
      if (image.kind != ImageKind::cubin) continue;
      const auto kernels = read_cubin(image.bytes);
      ASSERT_EQ(kernels.size(), 1u);
      EXPECT_GE(kernels[0].registers, 16u);
      EXPECT_LE(kernels[0].registers, 64u);
      EXPECT_EQ(kernels[0].static_shared, 1024u);  // float s[256]
      EXPECT_GT(kernels[0].stack, 0u);
    }
  }
}

}  // namespace
}  // namespace workbook::ptx
