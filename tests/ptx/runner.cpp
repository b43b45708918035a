// Runs one small .ptx per behaviour on the simulated device. Each file says what it expects, in lines `//!
// ...`:
//
//   //! launch grid=2 block=64 shared=128     shape; left out: one block of one warp
//   //! in u32 1 2 3                           the next parameter: a buffer with these values
//   //! out u32 32                             the next parameter: a buffer of 32 elements that nobody wrote
//   //! scalar u32 7                           the next parameter: a value
//   //! is 1*4 2 3                             what the last buffer holds afterwards; v*n repeats
//   //! fault out_of_bounds thread=3 block=0 line=12
//   //! says past the end                      a part of the fault's sentence
//   //! prints hello                           what device printf gave; \n for line ends
//   //! counter global_load.sectors 4
//   //! unsupported mma                        the kernel can't run, and the reason names this
//
// Types: u32 s32 u64 s64 u16 u8 f32 f64; floats are decimal or a bit pattern (0x...). The first kernel is
// run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "ptx/reader.h"
#include "sim/device.h"

using namespace workbook;

namespace {

struct Buffer {
  std::string type;
  std::vector<std::uint64_t> values, expected;  // bit patterns
  std::size_t count = 0;
  bool initialised = false;
  std::uint64_t address = 0;
};

struct Case {
  sim::Dim3 grid{1, 1, 1}, block{32, 1, 1};
  std::uint32_t shared = 0;
  std::vector<Buffer> buffers;
  std::vector<std::pair<bool, std::uint64_t>> parameters;  // (is buffer, index or value)
  std::vector<std::size_t> sizes;
  std::string fault, says, prints, unsupported;
  std::map<std::string, std::string> where;
  std::vector<std::pair<std::string, std::uint64_t>> counters;
};

std::size_t size_of(const std::string& type) {
  return static_cast<std::size_t>(std::stoi(type.substr(1))) / 8;
}

std::uint64_t pattern(const std::string& type, const std::string& text) {
  if (text.rfind("0x", 0) == 0) return std::stoull(text, nullptr, 16);
  if (type == "f32") {
    const float f = std::stof(text);
    std::uint32_t bits;
    std::memcpy(&bits, &f, 4);
    return bits;
  }
  if (type == "f64") {
    const double d = std::stod(text);
    std::uint64_t bits;
    std::memcpy(&bits, &d, 8);
    return bits;
  }
  const std::uint64_t v = text[0] == '-' ? static_cast<std::uint64_t>(std::stoll(text)) : std::stoull(text);
  const std::size_t size = size_of(type);
  return size == 8 ? v : v & ((1ull << 8 * size) - 1);
}

std::vector<std::uint64_t> values_of(const std::string& type, std::istringstream& words) {
  std::vector<std::uint64_t> list;
  for (std::string word; words >> word;) {
    const std::size_t star = word.find('*');
    const std::size_t times = star == std::string::npos ? 1 : std::stoul(word.substr(star + 1));
    list.insert(list.end(), times, pattern(type, word.substr(0, star)));
  }
  return list;
}

std::string rest_of(std::istringstream& words) {
  std::string s;
  std::getline(words >> std::ws, s);
  for (std::size_t at; (at = s.find("\\n")) != std::string::npos;) s.replace(at, 2, "\n");
  return s;
}

sim::Dim3 shape(const std::string& text) {
  sim::Dim3 d;
  std::sscanf(text.c_str(), "%u,%u,%u", &d.x, &d.y, &d.z);
  return d;
}

void directive(Case& c, const std::string& line) {
  std::istringstream words(line);
  std::string what, type;
  words >> what;
  if (what == "launch" || what == "fault") {
    if (what == "fault") words >> c.fault;
    for (std::string word; words >> word;) {
      const std::string key = word.substr(0, word.find('=')), value = word.substr(word.find('=') + 1);
      if (what == "fault")
        c.where[key] = value;
      else if (key == "grid")
        c.grid = shape(value);
      else if (key == "block")
        c.block = shape(value);
      else if (key == "shared")
        c.shared = static_cast<std::uint32_t>(std::stoul(value));
      else
        FAIL() << "unknown: " << line;
    }
  } else if (what == "in" || what == "out") {
    Buffer b;
    words >> b.type;
    if (what == "in") {
      b.values = values_of(b.type, words);
      b.count = b.values.size();
      b.initialised = true;
    } else {
      words >> b.count;
    }
    c.parameters.emplace_back(true, c.buffers.size());
    c.sizes.push_back(8);
    c.buffers.push_back(b);
  } else if (what == "scalar") {
    std::string value;
    words >> type >> value;
    c.parameters.emplace_back(false, pattern(type, value));
    c.sizes.push_back(size_of(type));
  } else if (what == "is") {
    ASSERT_FALSE(c.buffers.empty());
    c.buffers.back().expected = values_of(c.buffers.back().type, words);
  } else if (what == "says") {
    c.says = rest_of(words);
  } else if (what == "prints") {
    c.prints = rest_of(words);
  } else if (what == "unsupported") {
    c.unsupported = rest_of(words);
  } else if (what == "counter") {
    std::string name;
    std::uint64_t value = 0;
    words >> name >> value;
    c.counters.emplace_back(name, value);
  } else {
    FAIL() << "unknown: " << line;
  }
}

std::uint64_t counter(const sim::Counters& c, const std::string& name) {
  const std::map<std::string, std::uint64_t> all{{"inst_executed", c.inst_executed},
                                                 {"thread_inst_executed", c.thread_inst_executed},
                                                 {"branches", c.branches},
                                                 {"divergent_branches", c.divergent_branches},
                                                 {"global_load.requests", c.global_load.requests},
                                                 {"global_load.sectors", c.global_load.sectors},
                                                 {"global_load.bytes", c.global_load.bytes},
                                                 {"global_store.requests", c.global_store.requests},
                                                 {"global_store.sectors", c.global_store.sectors},
                                                 {"local_load.requests", c.local_load.requests},
                                                 {"local_store.requests", c.local_store.requests},
                                                 {"shared_load.requests", c.shared_load.requests},
                                                 {"shared_load.wavefronts", c.shared_load.wavefronts},
                                                 {"shared_store.requests", c.shared_store.requests},
                                                 {"shared_store.wavefronts", c.shared_store.wavefronts},
                                                 {"atomic_requests", c.atomic_requests},
                                                 {"atomic_lanes", c.atomic_lanes},
                                                 {"atomic_sectors", c.atomic_sectors},
                                                 {"atomic_hottest_integer", c.atomic_hottest_integer},
                                                 {"atomic_hottest_float", c.atomic_hottest_float},
                                                 {"written_sectors", c.written_sectors},
                                                 {"l1_hit_sectors", c.l1_hit_sectors},
                                                 {"first_read_sectors_dram", c.first_read_sectors_dram}};
  const auto it = all.find(name);
  if (it == all.end()) ADD_FAILURE() << "no counter " << name;
  return it == all.end() ? 0 : it->second;
}

std::vector<std::byte> lay_out(const Case& c, sim::Device& device, std::vector<Buffer>& buffers) {
  std::vector<std::byte> block;
  for (std::size_t i = 0; i < c.parameters.size(); ++i) {
    std::uint64_t value = c.parameters[i].second;
    if (c.parameters[i].first) {
      Buffer& b = buffers[value];
      const std::size_t size = size_of(b.type);
      b.address =
          device.memory().allocate(b.count * size, sim::AllocationKind::device, "b" + std::to_string(value));
      for (std::size_t k = 0; b.initialised && k < b.count; ++k)
        device.memory().write(b.address + k * size, &b.values[k], size);
      value = b.address;
    }
    block.resize((block.size() + c.sizes[i] - 1) / c.sizes[i] * c.sizes[i] + c.sizes[i]);
    std::memcpy(block.data() + block.size() - c.sizes[i], &value, c.sizes[i]);
  }
  return block;
}

void check_fault(const Case& c, const sim::LaunchResult& r) {
  if (c.fault.empty()) {
    EXPECT_FALSE(r.fault) << sim::name_of(r.fault->kind) << ": " << r.fault->text;
    return;
  }
  ASSERT_TRUE(r.fault) << "expected the fault " << c.fault;
  EXPECT_EQ(sim::name_of(r.fault->kind), c.fault) << r.fault->text;
  for (const auto& [key, value] : c.where) {
    const auto number = [&] { return static_cast<std::uint32_t>(std::stoul(value)); };
    if (key == "thread")
      EXPECT_EQ(r.fault->thread[0], number());
    else if (key == "block")
      EXPECT_EQ(r.fault->block[0], number());
    else if (key == "line")
      EXPECT_EQ(r.fault->at.line, number());
    else if (key == "lanes")
      EXPECT_EQ(r.fault->threads_at_fault, number());
    else if (key == "other")
      EXPECT_EQ(r.fault->other_thread[0], number());
    else if (key == "offset")
      EXPECT_EQ(r.fault->allocation.offset, std::stol(value));
    else
      ADD_FAILURE() << "unknown: " << key;
  }
  EXPECT_NE(r.fault->text.find(c.says), std::string::npos) << r.fault->text;
}

void run_file(const std::filesystem::path& path, std::uint32_t host_threads) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  Case c;
  std::istringstream lines(text.str());
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("//!", 0) == 0) directive(c, line.substr(3));
  sim::Limits limits;
  limits.memory_bytes = 1ull << 30;
  sim::Options options;
  options.instruction_budget = 200'000;
  options.host_threads = host_threads;
  sim::Device device(limits, {}, options);
  const sim::ModuleId module = device.load(ptx::read(text.str()));
  std::optional<sim::FunctionId> kernel;
  for (sim::FunctionId f = 0; !kernel; ++f)
    if (text.str().find(".entry " + device.facts(f).name) != std::string::npos)
      kernel = device.find_function(module, device.facts(f).name);
  if (!c.unsupported.empty()) {
    EXPECT_NE(device.unsupported(*kernel).find(c.unsupported), std::string::npos)
        << device.unsupported(*kernel);
    return;
  }
  ASSERT_EQ(device.unsupported(*kernel), "");
  std::vector<Buffer> buffers = c.buffers;
  const std::vector<std::byte> parameters = lay_out(c, device, buffers);
  const sim::LaunchResult r = device.launch({.function = *kernel,
                                             .grid = c.grid,
                                             .block = c.block,
                                             .dynamic_shared_bytes = c.shared,
                                             .parameters = parameters});
  check_fault(c, r);
  EXPECT_EQ(r.output, c.prints);
  for (const auto& [name, value] : c.counters) EXPECT_EQ(counter(r.counters, name), value) << name;
  for (const Buffer& b : buffers) {
    const std::size_t size = size_of(b.type);
    for (std::size_t k = 0; k < b.expected.size(); ++k) {
      std::uint64_t got = 0;
      device.memory().read(b.address + k * size, &got, size);
      EXPECT_EQ(got, b.expected[k]) << "element " << k << std::hex << ": got 0x" << got << ", expected 0x"
                                    << b.expected[k];
    }
  }
}

class FileTest : public testing::Test {
 public:
  explicit FileTest(std::filesystem::path path) : path_(std::move(path)) {}
  void TestBody() override {
    for (const std::uint32_t threads : {1u, 2u}) {
      SCOPED_TRACE("host threads: " + std::to_string(threads));
      run_file(path_, threads);
    }
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(argc > 1 ? argv[1] : WORKBOOK_PTX_TESTS))
    if (entry.path().extension() == ".ptx") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& path : files)
    testing::RegisterTest(path.parent_path().filename().c_str(), path.stem().c_str(), nullptr, nullptr,
                          __FILE__, __LINE__, [path] { return new FileTest(path); });
  if (files.empty()) {
    std::fprintf(stderr, "no .ptx files\n");
    return 1;
  }
  return RUN_ALL_TESTS();
}
