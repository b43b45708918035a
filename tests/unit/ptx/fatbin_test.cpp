#include "ptx/fatbin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lz4.h>
#include <zstd.h>

#include <cstring>
#include <functional>

namespace workbook::ptx {
namespace {

using Data = std::vector<std::uint8_t>;
using testing::HasSubstr;

template <typename T>
void put(Data& to, std::size_t at, T value) {
  if (to.size() < at + sizeof(T)) to.resize(at + sizeof(T));
  std::memcpy(to.data() + at, &value, sizeof(T));
}

const std::string ptx_text = ".version 9.0\n.target sm_75\n" + std::string(300, '\n');

Data packed(std::uint64_t flags) {
  const std::string text = ptx_text + '\0';
  Data out(text.size() + 200);
  if (flags & 0x8000) {
    out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  } else if (flags & 0x2000) {
    out.resize(static_cast<std::size_t>(LZ4_compress_default(text.data(), reinterpret_cast<char*>(out.data()),
                                                             static_cast<int>(text.size()),
                                                             static_cast<int>(out.size()))));
  } else {
    out.assign(text.begin(), text.end());
  }
  return out;
}

Data entry(std::uint16_t kind, std::uint32_t arch, std::uint64_t flags, Data payload) {
  const auto real = payload.size();
  payload.resize((real + 7) / 8 * 8);
  Data out(80, 0);
  put<std::uint16_t>(out, 0, kind);
  put<std::uint32_t>(out, 4, 80);
  put<std::uint64_t>(out, 8, payload.size());
  put<std::uint32_t>(out, 28, arch);
  put<std::uint32_t>(out, 32, 64);
  put<std::uint32_t>(out, 36, 4);
  put<std::uint64_t>(out, 40, flags | 0x11);
  std::memcpy(out.data() + 64, "a.cu", 4);
  if (flags & 0xa000) {
    put<std::uint32_t>(out, 16, static_cast<std::uint32_t>(real));
    put<std::uint64_t>(out, 56, ptx_text.size() + 1);
  }
  for (const std::uint8_t byte : payload) out.push_back(byte);
  return out;
}

Data fatbin(const std::vector<Data>& entries) {
  Data out;
  put<std::uint32_t>(out, 0, 0xba55ed50);
  put<std::uint16_t>(out, 4, 1);
  put<std::uint16_t>(out, 6, 16);
  put<std::uint64_t>(out, 8, 0);
  for (const Data& one : entries) out.insert(out.end(), one.begin(), one.end());
  put<std::uint64_t>(out, 8, out.size() - 16);
  return out;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const FatbinError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

class Stored : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Stored, is_read) {
  const auto images =
      read_fatbin(fatbin({entry(1, 75, GetParam(), packed(GetParam())), entry(2, 90, 0, {1, 2})}));
  ASSERT_EQ(images.size(), 2u);
  EXPECT_EQ(images[0].kind, ImageKind::ptx);
  EXPECT_EQ(images[0].arch, 75u);
  EXPECT_EQ(images[0].source_name, "a.cu");
  EXPECT_EQ(images[0].text(), ptx_text);
  EXPECT_EQ(images[1].kind, ImageKind::cubin);
}

TEST_P(Stored, cut_anywhere_is_an_error) {
  const Data whole = fatbin({entry(1, 75, GetParam(), packed(GetParam()))});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Data cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_THROW(read_fatbin(cut), FatbinError) << size;
  }
}

TEST_P(Stored, damaged_anywhere_never_crashes) {
  const Data whole = fatbin({entry(1, 75, GetParam(), packed(GetParam()))});
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int bits : {0x01, 0x80, 0xff}) {
      Data damaged = whole;
      damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ bits);
      try {
        read_fatbin(damaged);
      } catch (const FatbinError&) {
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Fatbin, Stored, testing::Values(0u, 0x8000u, 0x2000u));

TEST(Fatbin, follows_the_wrapper) {
  const Data data = fatbin({entry(1, 75, 0, packed(0))});
  struct {
    std::uint32_t magic = 0x466243b1, version = 1;
    const void* data;
    const void* more = nullptr;
  } wrapper;
  wrapper.data = data.data();
  EXPECT_EQ(read_fatbin_wrapper(&wrapper).size(), 1u);
  wrapper.version = 2;
  EXPECT_THAT(message_of([&] { read_fatbin_wrapper(&wrapper); }), HasSubstr("-rdc=true"));
  wrapper.magic = 7;
  EXPECT_THAT(message_of([&] { read_fatbin_wrapper(&wrapper); }), HasSubstr("not nvcc's"));
  EXPECT_THAT(message_of([&] { read_fatbin_wrapper(nullptr); }), HasSubstr("null pointer"));
}

TEST(Fatbin, knows_the_letters_of_an_architecture) {
  const auto images =
      read_fatbin(fatbin({entry(1, 90, 0x100000, packed(0)), entry(2, 100, 0x200000, {1}),
                          entry(2, 80, 0, {1}), entry(1, 80, 0, packed(0)), entry(2, 87, 0, {1})}));
  ASSERT_EQ(images.size(), 5u);
  EXPECT_EQ(images[0].name(), "compute_90a");
  EXPECT_TRUE(images[0].fits(90));
  EXPECT_FALSE(images[0].fits(100));
  EXPECT_EQ(images[1].name(), "sm_100f");
  EXPECT_TRUE(images[1].fits(103));
  EXPECT_FALSE(images[1].fits(120));
  EXPECT_EQ(images[2].name(), "sm_80");
  EXPECT_TRUE(images[2].fits(89));
  EXPECT_FALSE(images[2].fits(90)) << "machine code stays in its family";
  EXPECT_FALSE(images[2].fits(87)) << "a small computer takes its own code only";
  EXPECT_FALSE(images[2].fits(75));
  EXPECT_TRUE(images[3].fits(150)) << "text compiles for everything newer";
  EXPECT_FALSE(images[3].fits(75));
  EXPECT_TRUE(images[4].fits(87));
  EXPECT_FALSE(images[4].fits(89));
  EXPECT_THAT(message_of([&] { choose_ptx(std::span(images).first(1), 100); }),
              HasSubstr("PTX for compute_90a only"));
}

// An ELF file with a list of names and one section .nv_fatbin that holds `row`.
Data program(const Data& row) {
  Data out(64, 0);
  const char names[] = "\0.shstrtab\0.nv_fatbin";
  std::memcpy(out.data(),
              "\x7f"
              "ELF\2",
              5);
  const std::size_t names_at = out.size();
  out.insert(out.end(), names, names + sizeof names);
  out.resize((out.size() + 7) / 8 * 8);
  const std::size_t row_at = out.size();
  out.insert(out.end(), row.begin(), row.end());
  const std::size_t table = out.size();
  const auto section = [&](std::uint32_t name, std::uint32_t type, std::uint64_t at, std::uint64_t size) {
    const std::size_t here = out.size();
    out.resize(here + 64);
    put<std::uint32_t>(out, here, name);
    put<std::uint32_t>(out, here + 4, type);
    put<std::uint64_t>(out, here + 24, at);
    put<std::uint64_t>(out, here + 32, size);
  };
  section(1, 3, names_at, sizeof names);
  section(11, 1, row_at, row.size());
  put<std::uint64_t>(out, 40, table);
  put<std::uint16_t>(out, 58, 64);
  put<std::uint16_t>(out, 60, 2);
  put<std::uint16_t>(out, 62, 0);
  return out;
}

TEST(Fatbin, is_found_in_a_program_with_several) {
  Data row = fatbin({entry(1, 75, 0, packed(0))});
  row.resize((row.size() + 7) / 8 * 8 + 16);  // the linker leaves room between two
  const Data second = fatbin({entry(2, 90, 0, {1}), entry(2, 80, 0, {1})});
  row.insert(row.end(), second.begin(), second.end());
  const auto images = read_program_images(program(row));
  ASSERT_EQ(images.size(), 3u);
  EXPECT_EQ(images[0].name(), "compute_75");
  EXPECT_EQ(images[2].name(), "sm_80");
  EXPECT_TRUE(read_program_images(program({})).empty());
  EXPECT_THAT(message_of([&] { read_program_images(row); }), HasSubstr("not a 64-bit ELF file"));
}

TEST(Fatbin, a_damaged_program_is_an_error_or_nothing) {
  const Data whole = program(fatbin({entry(1, 75, 0, packed(0))}));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    Data damaged = whole;
    damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ 0xff);
    try {
      read_program_images(damaged);
    } catch (const FatbinError&) {
    }
  }
  for (std::size_t size = 0; size + 64 < whole.size(); size += 5) {
    const Data cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_THROW(read_program_images(cut), FatbinError) << size;
  }
}

TEST(Fatbin, takes_the_newest_ptx_that_the_device_can_run) {
  const auto images = read_fatbin(fatbin({entry(1, 75, 0, packed(0)), entry(1, 80, 0, packed(0)),
                                          entry(1, 100, 0, packed(0)), entry(2, 90, 0, {1})}));
  EXPECT_EQ(choose_ptx(images, 90).arch, 80u);
  EXPECT_EQ(choose_ptx(images, 75).arch, 75u);
  EXPECT_THAT(message_of([&] { choose_ptx(images, 70); }),
              HasSubstr("PTX for compute_75, compute_80, compute_100"));
  const auto machine_code = read_fatbin(fatbin({entry(2, 90, 0, {1})}));
  EXPECT_THAT(message_of([&] { choose_ptx(machine_code, 90); }), HasSubstr("only machine code for sm_90"));
  EXPECT_THAT(message_of([&] { choose_ptx({}, 90); }), HasSubstr("no PTX inside"));
}

TEST(Cubin, refuses_what_is_none) {
  EXPECT_THROW(read_cubin({}), FatbinError);
  const Data text = {'h', 'e', 'l', 'l', 'o', '!'};
  EXPECT_THROW(read_cubin(text), FatbinError);
  Data cut(64, 0);
  std::memcpy(cut.data(),
              "\x7f"
              "ELF\x02",
              5);
  put<std::uint16_t>(cut, 58, 64);
  put<std::uint16_t>(cut, 60, 3);
  EXPECT_THROW(read_cubin(cut), FatbinError);
}

}  // namespace
}  // namespace workbook::ptx
