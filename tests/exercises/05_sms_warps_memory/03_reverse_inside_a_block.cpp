// 5.3: every packet backwards, in place, through shared memory; the last one is filled up with zeros.
#include <workbook/check.h>

#include <algorithm>
#include <cmath>

using namespace workbook;

EXERCISE("5.3", "Turn every packet of numbers round in place, one block a packet, through shared memory.")

namespace {

std::vector<float> reversed(std::vector<float> x, int packet) {
  const std::size_t size = static_cast<std::size_t>(packet);
  x.resize((x.size() + size - 1) / size * size, 0.0f);
  for (std::size_t at = 0; at < x.size(); at += size)
    std::reverse(x.begin() + std::ptrdiff_t(at), x.begin() + std::ptrdiff_t(at + size));
  return x;
}

IndexWords packet_and_place(int packet) {
  return [packet](std::size_t i) {
    return fmt::format("place {} of packet {}", i % std::size_t(packet), i / std::size_t(packet));
  };
}

Result call(int n, int packet, const std::vector<float>& x) {
  Run run("reverse");
  run.say("n = {}, packets of {}", n, packet);
  run.value("packet", packet).in("numbers", x);
  run.out<float>("x", reversed(x, packet).size());
  return run.go();
}

// A last packet that is not full has two stories of its own.
void expect_padded(const Result& result, const std::vector<float>& x, int packet) {
  const std::size_t size = static_cast<std::size_t>(packet), full = x.size() / size * size,
                    rest = x.size() - full;
  if (rest == 0) return;
  const auto got = result.array<float>("x");
  const auto expected = reversed(x, packet);
  if (!std::equal(got.begin(), got.begin() + std::ptrdiff_t(full), expected.begin())) return;
  if (std::isnan(got.back()) || std::isnan(got[full]))
    result.fail({"last_not_filled",
                 fmt::format("{} places of the last packet were never written.",
                             std::count_if(got.begin(), got.end(), [](float v) { return std::isnan(v); })),
                 {fmt::format("{} of its {} threads have no number to bring.", size - rest, size)},
                 "What do these threads do? Do they take one home?"});
  bool among_themselves = rest > 1, same_place = rest > 1;
  for (std::size_t k = 0; k < rest; ++k) {
    among_themselves = among_themselves && got[full + k] == x[x.size() - 1 - k];
    same_place = same_place && got[full + k] == x[full + k];
  }
  if (!among_themselves && !same_place) return;
  result.fail({among_themselves ? "last_without_zeros" : "last_unchanged",
               fmt::format("the last packet's {} numbers are {}.", rest,
                           among_themselves ? "turned round among themselves" : "where they were"),
               {fmt::format("A packet has {} places; {} of this one were zeros, and they come first now.",
                            size, size - rest)},
               "Who is the mirror image of the first thread of this block?"});
}

void expect_moved(const Result& result, const std::vector<float>& x, int packet) {
  const auto got = result.array<float>("x");
  if (packet == 1 || x.size() < 2 || !std::equal(x.begin(), x.end(), got.begin())) return;
  result.fail({"unchanged",
               "every number is where it was.",
               {},
               "At which place does a thread lay its number down? At which place does a thread pick up?"});
}

void expect_no_other_memory(const Result& result) {
  const auto& trace = result.trace();
  result.expect_that(trace.of(Step::Kind::allocate).empty() && trace.of(Step::Kind::copy).empty(),
                     {"other_memory",
                      "reverse_packets took other memory, or copied.",
                      {"In place: every number is read from d_x and written to d_x."},
                      "Which memory do the threads of one block share?"});
}

}  // namespace

CHECK_CASE(every_packet_size) {
  struct Shape {
    int n, packet;
  };
  const Shape shapes[] = {{1024, 256},  {1000, 256},  {0, 64},      {1, 1},       {1, 32},
                          {5, 1},       {33, 33},     {100, 31},    {96, 32},     {4999, 100},
                          {1024, 1024}, {1025, 1024}, {5000, 1000}, {20'011, 640}};
  for (const Shape& s : shapes) {
    Inputs in(static_cast<std::uint64_t>(s.n) * 2053 + static_cast<std::uint64_t>(s.packet));
    const auto x = in.floats("x", static_cast<std::size_t>(s.n));
    const Result result = call(s.n, s.packet, x);
    result.expect_clean();
    expect_moved(result, x, s.packet);
    expect_padded(result, x, s.packet);
    result.expect("x", reversed(x, s.packet), exact(), packet_and_place(s.packet));
    expect_no_other_memory(result);
  }
  passed("right for {} shapes", std::size(shapes));
}

CHECK_CASE(through_shared_memory) {
  Inputs in;
  const auto x = in.floats("x", 4096);
  const Result result = call(4096, 256, x);
  result.expect_clean();
  result.expect("x", reversed(x, 256), exact(), packet_and_place(256));
  if (!result.trace().counters_known()) return;
  const auto& trace = result.trace();
  std::uint64_t stored = 0, loaded = 0;
  for (std::size_t k = 0; k < trace.kernels().size(); ++k) {
    stored += trace.counter(k, "smsp__inst_executed_op_shared_st.sum").value_or(0);
    loaded += trace.counter(k, "smsp__inst_executed_op_shared_ld.sum").value_or(0);
  }
  result.expect_that(
      stored > 0 && loaded > 0,
      {"not_shared",
       "x is right, and no number went through shared memory.",
       {"For this task there are other ways; the exercise asks for this one, because the next four "
        "need it."},
       "Where can a thread lay a number down so that another thread of its block finds it?"});
  passed("the numbers change hands in shared memory");
}
