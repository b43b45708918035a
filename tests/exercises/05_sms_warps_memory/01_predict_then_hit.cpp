// 5.1: the number of sectors that a warp touches, for any pattern; and a gather of rows that touches few.
#include <workbook/check.h>

#include <algorithm>
#include <limits>
#include <set>

using namespace workbook;

EXERCISE("5.1", "How many sectors does a warp touch? Then gather rows with as few as possible.")

namespace {

struct Pattern {
  const char* code;
  std::string words;
  std::vector<std::uint64_t> address;
  const char* question;
};

template <class F>
Pattern pattern(const char* code, std::string words, int lanes, F address, const char* question) {
  Pattern p{code, std::move(words), {}, question};
  for (int k = 0; k < lanes; ++k) p.address.push_back(address(static_cast<std::uint64_t>(k)));
  return p;
}

std::vector<Pattern> patterns() {
  const char* how_many =
      "In which sector does each lane's number lie, and how many different ones are there?";
  const char* line =
      "Which sectors lie between two lanes, and does any lane want them? A sector isn't a cache line.";
  const char* begin = "Where do sectors begin, and where does the first lane?";
  const char* order = "Does it matter which lane wants a sector, and how many want it?";
  const char* lanes = "How many lanes load?";
  std::vector<Pattern> all = {
      pattern(
          "neighbours", "32 neighbouring floats, from byte 4096 on", 32, [](auto k) { return 4096 + 4 * k; },
          how_many),
      pattern(
          "bytes", "32 neighbouring bytes, from byte 4096 on", 32, [](auto k) { return 4096 + k; }, how_many),
      pattern(
          "doubles", "32 neighbouring doubles, from byte 4096 on", 32, [](auto k) { return 4096 + 8 * k; },
          how_many),
      pattern(
          "alignment", "32 neighbouring floats, from byte 4100 on", 32, [](auto k) { return 4100 + 4 * k; },
          begin),
      pattern(
          "alignment", "8 neighbouring floats, from byte 4124 on", 8, [](auto k) { return 4124 + 4 * k; },
          begin),
      pattern(
          "stride", "every second float", 32, [](auto k) { return 4096 + 8 * k; }, line),
      pattern(
          "stride", "every eighth float", 32, [](auto k) { return 4096 + 32 * k; }, line),
      pattern(
          "stride", "every 32nd float", 32, [](auto k) { return 4096 + 128 * k; }, line),
      pattern(
          "same", "all lanes the same float", 32, [](auto) { return 4096; }, order),
      pattern(
          "order", "32 neighbouring floats, the last lane first", 32,
          [](auto k) { return 4096 + 4 * (31 - k); }, order),
      pattern(
          "order", "lanes take floats of two sectors in turn", 32,
          [](auto k) { return 4096 + 1024 * (k % 2) + 4 * (k / 2 % 8); }, order),
      pattern(
          "lanes", "a single lane", 1, [](auto) { return 8192; }, lanes),
      pattern(
          "lanes", "5 neighbouring floats, from byte 4096 on", 5, [](auto k) { return 4096 + 4 * k; }, lanes),
      pattern(
          "rows", "two rows of 16 floats, 1000 bytes apart", 32,
          [](auto k) { return 4096 + 1000 * (k / 16) + 4 * (k % 16); }, begin),
      pattern(
          "far", "two floats, 4 GiB apart", 2, [](auto k) { return 4096 + (k << 32); },
          "How large can an address be?"),
  };
  Inputs in;
  const auto random = in.ints("random", 32, 0, 999);
  all.push_back(pattern(
      "random", "32 floats anywhere in 4000 bytes", 32,
      [&](auto k) { return 65536 + 4 * static_cast<std::uint64_t>(random[k]); }, order));
  return all;
}

int touched(const Pattern& p, std::uint64_t piece) {
  std::set<std::uint64_t> all;
  for (const auto a : p.address) all.insert(a / piece);
  return static_cast<int>(all.size());
}

// "Lane 0 at byte 4100, in the sector from 4096 to 4127; lane 1 at ...".
std::vector<std::string> lane_words(const Pattern& p) {
  std::vector<std::string> words;
  const std::size_t last = p.address.size() - 1;
  for (const std::size_t k : std::set<std::size_t>{0, std::min<std::size_t>(1, last), last}) {
    const auto begin = p.address[k] / 32 * 32;
    words.push_back(fmt::format("lane {} at byte {}, in the sector of bytes {} to {}", k, p.address[k], begin,
                                begin + 31));
  }
  return words;
}

struct Problem {
  int width;
  std::vector<int> which;
  std::vector<float> table, expected;
};

Problem problem(int rows, int width, int table_rows) {
  Inputs in(static_cast<std::uint64_t>(rows) * 4099 + static_cast<std::uint64_t>(width));
  Problem p{width,
            in.ints("which", static_cast<std::size_t>(rows), 0, table_rows - 1),
            in.floats("table", static_cast<std::size_t>(table_rows) * width),
            {}};
  p.expected.reserve(p.which.size() * width);
  for (const int r : p.which) {
    const auto row = p.table.begin() + std::ptrdiff_t(r) * width;
    p.expected.insert(p.expected.end(), row, row + width);
  }
  return p;
}

std::uint64_t counted(const Result& result, const char* name) {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < result.trace().kernels().size(); ++k)
    sum += result.trace().counter(k, name).value_or(0);
  return sum;
}

void expect_few(const Result& result, const char* counter, std::uint64_t most, std::uint64_t needed,
                const char* verb, const char* code) {
  const std::uint64_t got = counted(result, counter);
  result.expect_that(
      got <= most,
      {code,
       fmt::format("out is right, and {} sectors were {}; at most {} are allowed.", got, verb, most),
       {fmt::format("1000 rows of 24 floats are 96,000 bytes: {} sectors.", needed)},
       "Take one warp and one moment: where do its 32 addresses lie? Ask your own function."});
}

}  // namespace

CHECK_CASE(predictions) {
  const auto all = patterns();
  std::vector<std::uint64_t> address;
  std::vector<int> lanes;
  for (const Pattern& p : all) {
    address.insert(address.end(), p.address.begin(), p.address.end());
    lanes.push_back(static_cast<int>(p.address.size()));
  }
  Run run("predict");
  run.in("address", address).in("lanes", lanes).out<int>("sectors", all.size());
  const Result result = run.go();
  result.expect_clean();
  const auto got = result.array<int>("sectors");
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int expected = touched(all[i], 32);
    if (got[i] == expected) continue;
    auto evidence = lane_words(all[i]);
    const bool lines = got[i] != 0 && got[i] == touched(all[i], 128);
    if (lines) evidence.push_back("That is how many lines of 128 bytes it is.");
    result.fail({lines ? "lines" : all[i].code,
                 fmt::format("{}: sectors says {}, and it is {}.", all[i].words, got[i], expected), evidence,
                 lines ? "How long is a sector? It isn't a line of the cache." : all[i].question});
  }
  passed("{} patterns foretold", all.size());
}

CHECK_CASE(every_shape) {
  struct Shape {
    int rows, width;
  };
  const Shape shapes[] = {{0, 24},  {1, 1},   {1, 24},  {33, 1},  {7, 24},   {31, 33},  {100, 24},
                          {257, 7}, {64, 31}, {64, 32}, {5, 997}, {3, 4096}, {2049, 3}, {1000, 17}};
  for (const Shape& s : shapes) {
    const Problem p = problem(s.rows, s.width, 97);
    Run run("gather");
    run.say("{} rows of {}", s.rows, s.width);
    run.value("width", s.width).in("table", p.table).in("which", p.which);
    run.out<float>("out", p.expected.size());
    const Result result = run.go();
    result.expect_clean();
    result.expect("out", p.expected, exact(), at(s.width));
  }
  passed("right for {} shapes", std::size(shapes));
}

CHECK_CASE(few_sectors) {
  const Problem p = problem(1000, 24, 4096);
  Run run("gather");
  run.say("1000 rows of 24");
  run.value("width", 24).in("table", p.table).in("which", p.which).out<float>("out", p.expected.size());
  const Result result = run.go();
  result.expect_clean();
  result.expect("out", p.expected, exact(), at(24));
  if (!result.trace().counters_known()) return;  // on a GPU the time shows it
  const std::uint64_t local = counted(result, "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum") +
                              counted(result, "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum");
  expect_few(result, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 5000, 3000, "loaded", "load_sectors");
  expect_few(result, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 4000, 3000, "stored", "store_sectors");
  result.expect_that(local == 0,
                     {"local_memory",
                      fmt::format("out is right, and {} sectors of local memory were used.", local),
                      {"An array in a kernel whose index the compiler can't foresee lies in local memory, "
                       "and that is memory like any other."},
                      "Does a number have to wait anywhere between its load and its store?"});
  passed("{} sectors loaded", counted(result, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"));
}

CHECK_CASE(fast_enough) {
  const int rows = on_simulated_device() ? 1 << 16 : 1 << 21, width = 24, slots = 64;
  Problem p = problem(rows + slots, width, 1 << 12);
  Run run("gather_timed");
  run.say("{} rows of {}", rows, width);
  run.value("width", width).value("rows", rows).value("slots", slots);
  run.in("table", p.table).in("which", p.which).out<float>("out", std::size_t(rows + 8 * slots) * width);
  const Result result = run.go();
  result.expect_clean();
  // Run r wrote rows r, r + 1, ... of the expected ones from row 8r on.
  const int last = static_cast<int>(std::min<std::int64_t>(result.integer("runs"), slots)) - 1;
  const float poison = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> expected(std::size_t(rows + 8 * slots) * width, 0.0f);
  const auto place = [&](int slot, int count) {
    std::copy_n(p.expected.begin() + std::ptrdiff_t(slot) * width, std::size_t(count) * width,
                expected.begin() + std::ptrdiff_t(8) * slot * width);
  };
  for (int slot = 0; slot < last; ++slot) place(slot, 8);
  place(last, rows);
  std::fill(expected.begin() + std::ptrdiff_t(8 * last + rows) * width, expected.end(), poison);
  result.expect("out", expected, exact(), at(width));
  result.expect_bound("copy");
}
