// 2.3: threads and blocks know their numbers, blocks know their SM and their place in the queue, and each
// launch is a grid of its own.
#include <workbook/check.h>

#include <algorithm>
#include <array>
#include <map>

using namespace workbook;

EXERCISE("2.3", "Each thread names its block; each block its SM and its ticket; the host reads the book.")

namespace {

struct Shape {
  unsigned x, y, z;
  std::size_t count() const { return std::size_t{x} * y * z; }
  std::string words() const { return fmt::format("{} x {} x {}", x, y, z); }
};

struct Visit {
  unsigned x, y, z, sm, ticket;
};
constexpr std::size_t visit_words = 5;

std::vector<Visit> read_book(const Result& result, const char* name) {
  const auto raw = result.array<unsigned>(name);
  std::vector<Visit> book(raw.size() / visit_words);
  for (std::size_t b = 0; b < book.size(); ++b) {
    const unsigned* v = raw.data() + visit_words * b;
    book[b] = {v[0], v[1], v[2], v[3], v[4]};
  }
  return book;
}

// The number of the block of every thread, the threads counted along x, y, z of the whole grid.
std::vector<unsigned> block_numbers(Shape grid, Shape block) {
  std::vector<unsigned> numbers;
  numbers.reserve(grid.count() * block.count());
  for (unsigned z = 0; z < grid.z * block.z; ++z)
    for (unsigned y = 0; y < grid.y * block.y; ++y)
      for (unsigned x = 0; x < grid.x * block.x; ++x)
        numbers.push_back((z / block.z * grid.y + y / block.y) * grid.x + x / block.x);
  return numbers;
}

IndexWords thread_words(Shape grid, Shape block) {
  return [=](std::size_t i) {
    const std::size_t wide = std::size_t{grid.x} * block.x, high = std::size_t{grid.y} * block.y;
    return fmt::format("thread {} of the grid (x {}, y {}, z {})", i, i % wide, i / wide % high,
                       i / wide / high);
  };
}

Result run_grids(Shape block, Shape first, Shape second, bool in_order = false) {
  Run run("two_grids");
  run.value("blocks in order", in_order ? 1 : 0);
  run.say("grid {} then {}, block {}", first.words(), second.words(), block.words());
  run.value("block_x", block.x).value("block_y", block.y).value("block_z", block.z);
  run.value("first_x", first.x).value("first_y", first.y).value("first_z", first.z);
  run.value("second_x", second.x).value("second_y", second.y).value("second_z", second.z);
  run.out<unsigned>("block_of 1", first.count() * block.count());
  run.out<unsigned>("block_of 2", second.count() * block.count());
  run.out<unsigned>("book 1", visit_words * first.count());
  run.out<unsigned>("book 2", visit_words * second.count());
  run.inout("arrivals", std::vector<unsigned>{0});
  return run.go();
}

void expect_launches(const Result& result, Shape first, Shape second, Shape block) {
  const auto kernels = result.trace().kernels();
  result.expect_that(!kernels.empty(), {"no_launch",
                                        "no kernel was launched.",
                                        {"look_at_grid was called twice."},
                                        "Which line of `look_at_grid` starts the grid?"});
  const auto as_asked = [&](const Step& step, Shape grid) {
    return step.grid == std::array{grid.x, grid.y, grid.z} &&
           step.block == std::array{block.x, block.y, block.z};
  };
  result.expect_that(kernels.size() == 2 && as_asked(kernels[0], first) && as_asked(kernels[1], second),
                     {"other_grid",
                      "the launches are not the grids that were asked for.",
                      {fmt::format("{} launches; the first has {} x {} x {} blocks.", kernels.size(),
                                   kernels[0].grid[0], kernels[0].grid[1], kernels[0].grid[2])},
                      "What stands between <<< and >>>, and in which order?"});
}

void expect_places(const Result& result, const std::vector<Visit>& book, Shape grid) {
  for (std::size_t b = 0; b < book.size(); ++b) {
    const unsigned x = unsigned(b % grid.x), y = unsigned(b / grid.x % grid.y),
                   z = unsigned(b / grid.x / grid.y);
    const Visit& v = book[b];
    const auto said = [](unsigned k) { return k == 0xffffffffu ? std::string("poison") : std::to_string(k); };
    result.expect_that(
        v.x == x && v.y == y && v.z == z,
        {"book_line",
         fmt::format("line {} of the book is signed by block ({}, {}, {}), expected ({}, {}, {}).", b,
                     said(v.x), said(v.y), said(v.z), x, y, z),
         {fmt::format("The grid is {} blocks; a line of poison was never written.", grid.words())},
         "How many blocks come before yours, counted along x, then y, then z?"});
  }
}

// Tickets of a launch are 0, 1, ... in some order, each once.
void expect_tickets(const Result& result, const std::vector<Visit>& book, int launch) {
  std::vector<unsigned> tickets;
  for (const Visit& v : book) tickets.push_back(v.ticket);
  std::sort(tickets.begin(), tickets.end());
  const std::size_t count = tickets.size();
  const auto twice = std::adjacent_find(tickets.begin(), tickets.end());
  result.expect_that(
      twice == tickets.end(),
      {"ticket_twice",
       fmt::format("ticket {} was drawn by more than one block.", twice == tickets.end() ? 0 : *twice),
       {"Two blocks read the same count before either had written the next one."},
       "Which operation reads, adds and writes with nothing in between?"});
  result.expect_that(
      tickets.front() == 0 || launch == 1,
      {"counts_go_on",
       fmt::format("the first ticket of the second launch is {}, expected 0.", tickets.front()),
       {"The count of the first launch was still there.",
        "A grid is all threads of one launch. Two launches are two grids."},
       "What has to happen to *d_arrivals before each launch?"});
  result.expect_that(tickets.front() == 0 && tickets.back() == count - 1,
                     {"ticket_range",
                      fmt::format("the tickets run from {} to {}, expected 0 to {}.", tickets.front(),
                                  tickets.back(), count - 1),
                      {fmt::format("{} blocks, one ticket each.", count)},
                      "Who draws a ticket, and what is it worth?"});
}

// A copy of as many bytes as there are blocks: a line of the book has more than one.
void expect_whole_book_copied(const Result& result, Shape grid) {
  for (const Step& copy : result.trace().copies("device to host")) {
    const std::uint64_t wanted = grid.count() * sizeof(Visit);
    result.expect_that(copy.bytes != grid.count() || grid.count() == sizeof(unsigned),
                       {"bytes_elements",
                        fmt::format("{}{} copied {} bytes, and a book of {} lines has {}.", copy.api,
                                    copy.line > 0 ? fmt::format(" in line {}", copy.line) : "", copy.bytes,
                                    grid.count(), wanted),
                        {fmt::format("One Visit has {} bytes.", sizeof(Visit))},
                        "What does the third argument of cudaMemcpy count?"});
  }
}

// A count that is not that of the blocks shows first as a copy of a book that is longer than its memory.
void expect_no_longer_book(const Result& result, Shape first, Shape second, Shape block) {
  int launches = 0;
  for (const Step& step : result.trace().steps()) {
    launches += step.kind == Step::Kind::kernel ? 1 : 0;
    if (step.kind != Step::Kind::copy || step.result == 0 || launches == 0) continue;
    const std::size_t blocks = (launches == 1 ? first : second).count(), counted = step.bytes / sizeof(Visit);
    if (step.bytes % sizeof(Visit) != 0 || counted <= blocks) continue;
    const std::string headline =
        fmt::format("look_at_grid counted {} blocks, and launch {} had {}.", counted, launches, blocks);
    const std::string copy = fmt::format("So {} was to bring home more lines than the book has.", step.api);
    if (launches == 2 && counted == first.count() + second.count())
      result.fail({"counts_go_on",
                   headline,
                   {fmt::format("{} is {} + {}: the count of the first launch was still there.", counted,
                                first.count(), second.count()),
                    "A grid is all threads of one launch. Two launches are two grids.", copy},
                   "What has to happen to *d_arrivals before each launch?"});
    if (counted == blocks * block.count())
      result.fail(
          {"every_thread_draws",
           headline,
           {fmt::format("{} is the number of threads: {} blocks of {}.", counted, blocks, block.count()),
            copy},
           "Who draws a ticket, and how many of them are in a block?"});
    result.fail({"block_count", headline, {copy}, "Who adds to *arrivals, and how often in each block?"});
  }
}

bool truly_in_order(const std::vector<Visit>& book) {
  for (std::size_t b = 0; b < book.size(); ++b)
    if (book[b].ticket != b) return false;
  return true;
}

void expect_story(const Result& result, int launch, const std::vector<Visit>& book) {
  const auto blocks = result.integer(fmt::format("blocks {}", launch));
  result.expect_that(blocks == static_cast<std::int64_t>(book.size()),
                     {"block_count",
                      fmt::format("look_at_grid counted {} blocks, the launch had {}.", blocks, book.size()),
                      {"A grid counts its blocks along three axes."},
                      "What does *d_arrivals hold when the kernel is done?"});
  const bool said = result.integer(fmt::format("in order {}", launch)) != 0;
  const bool is = truly_in_order(book);
  std::string order;
  std::vector<std::size_t> by_ticket(book.size());
  for (std::size_t b = 0; b < book.size(); ++b) by_ticket[book[b].ticket] = b;
  for (std::size_t t = 0; t < std::min<std::size_t>(6, book.size()); ++t)
    order += fmt::format(" {}", by_ticket[t]);
  result.expect_that(said == is,
                     {"order",
                      fmt::format("look_at_grid says {}, and the blocks came {}.",
                                  said ? "in order" : "not in order", is ? "in order" : "in another order"),
                      {fmt::format("First came the blocks{}{}", order, book.size() > 6 ? " ..." : ".")},
                      "Which blocks does ran_in_order look at, and what does it compare?"});
}

}  // namespace

CHECK_CASE(numbers_and_tickets) {
  struct Trial {
    Shape block, first, second;
  };
  const Trial trials[] = {{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
                          {{32, 1, 1}, {5, 1, 1}, {3, 1, 1}},
                          {{8, 4, 1}, {3, 2, 1}, {2, 5, 1}},
                          {{4, 3, 5}, {2, 3, 4}, {5, 2, 3}}};
  int grids = 0, in_order = 0;
  for (const auto& [block, first, second] : trials) {
    const Result result = run_grids(block, first, second);
    expect_no_longer_book(result, first, second, block);
    result.expect_clean(
        "How many threads of a block sign the book, and which of them write to the same place?");
    expect_launches(result, first, second, block);
    const Shape shapes[] = {first, second};
    for (int launch = 1; launch <= 2; ++launch) {
      const Shape grid = shapes[launch - 1];
      result.expect(fmt::format("block_of {}", launch), block_numbers(grid, block), exact(),
                    thread_words(grid, block));
      const auto book = read_book(result, launch == 1 ? "book 1" : "book 2");
      expect_places(result, book, grid);
      expect_tickets(result, book, launch);
      expect_whole_book_copied(result, grid);
      expect_story(result, launch, book);
      ++grids;
      in_order += truly_in_order(book) ? 1 : 0;
    }
  }
  passed("{} of {} grids came in order", in_order, grids);
}

CHECK_CASE(grids_in_order) {
  const Shape trials[][3] = {{{32, 1, 1}, {6, 1, 1}, {2, 1, 1}},
                             {{4, 2, 1}, {3, 2, 1}, {1, 5, 1}},
                             {{2, 2, 2}, {2, 3, 2}, {1, 1, 6}}};
  for (const auto& [block, first, second] : trials) {
    const Result result = run_grids(block, first, second, true);
    result.expect_clean();
    expect_story(result, 1, read_book(result, "book 1"));
    expect_story(result, 2, read_book(result, "book 2"));
  }
  passed("tells a grid that came in order from one that didn't");
}

CHECK_CASE(which_sm) {
  const Shape block{32, 1, 1}, first{31, 5, 4}, second{29, 7, 3};
  const Result result = run_grids(block, first, second);
  result.expect_clean();
  const auto book = read_book(result, "book 1");
  const auto sms = static_cast<std::size_t>(result.integer("sms"));
  bool by_number = true, all_on_one = true;
  for (std::size_t b = 0; b < book.size(); ++b) {
    result.expect_that(book[b].sm < sms,
                       {"sm_too_large",
                        fmt::format("block {} says it ran on SM {}; this device has {}.", b, book[b].sm, sms),
                        {"SMs are numbered from 0."},
                        "Who assigns a block to an SM, and how can the block find out?"});
    by_number = by_number && book[b].sm == b % sms;
    all_on_one = all_on_one && book[b].sm == book[0].sm;
  }
  result.expect_that(
      !by_number || sms < 2,
      {"sm_is_block_number",
       fmt::format("all {} blocks say they ran on the SM of their own number, modulo {}.", book.size(), sms),
       {"The hardware makes no such promise, and this device does not do it."},
       "Who assigns a block to an SM, and how can the block find out?"});
  const struct {
    const char* axis;
    unsigned Visit::*number;
  } axes[] = {{"x", &Visit::x}, {"y", &Visit::y}, {"z", &Visit::z}};
  for (const auto& [axis, number] : axes) {
    // 620 blocks: that all with the same x should meet on one SM is no chance.
    std::map<unsigned, unsigned> sm_of;
    bool by_axis = true;
    for (const Visit& v : book) by_axis = by_axis && sm_of.try_emplace(v.*number, v.sm).first->second == v.sm;
    result.expect_that(
        !by_axis || all_on_one || sms < 2,
        {"sm_is_block_number",
         fmt::format("all blocks with the same blockIdx.{} say that they ran on the same SM.", axis),
         {"The hardware makes no such promise, and this device does not do it."},
         "Who assigns a block to an SM, and how can the block find out?"});
  }
  result.expect_that(!all_on_one || sms < 2,
                     {"one_sm",
                      fmt::format("all {} blocks say they ran on SM {}.", book.size(), book[0].sm),
                      {fmt::format("This device has {} SMs.", sms)},
                      "What does sm_id() say in each block?"});
  passed("{} blocks on {} SMs", book.size(), sms);
}

CHECK_CASE(any_book) {
  struct Given {
    std::vector<unsigned> tickets;
    Shape grid;
    const char* words;
  };
  const Given given[] = {{{0}, {1, 1, 1}, "one block"},
                         {{0, 1, 2, 3, 4}, {5, 1, 1}, "in order"},
                         {{0, 1, 2, 4, 3}, {5, 1, 1}, "the last two swapped"},
                         {{4, 3, 2, 1, 0}, {5, 1, 1}, "backwards"},
                         {{1, 2, 3, 4, 0}, {5, 1, 1}, "block 0 last"},
                         {{0, 2, 1, 3, 4}, {5, 1, 1}, "two in the middle swapped"},
                         {{0, 1, 2, 3, 4, 5}, {3, 2, 1}, "3 x 2 blocks in order"},
                         {{0, 2, 4, 1, 3, 5}, {3, 2, 1}, "3 x 2 blocks, column after column"},
                         {{0, 1, 2, 3, 4, 5, 6, 7}, {2, 2, 2}, "2 x 2 x 2 blocks in order"},
                         {{0, 4, 2, 6, 1, 5, 3, 7}, {2, 2, 2}, "2 x 2 x 2 blocks, z first"},
                         {{0, 1, 2, 3, 4, 5, 7, 6}, {2, 2, 2}, "2 x 2 x 2 blocks, the last two swapped"}};
  for (const auto& [tickets, grid, words] : given) {
    Run run("read_book");
    run.say("{}", words).in("tickets", tickets).value("grid_x", grid.x).value("grid_y", grid.y);
    const Result result = run.go();
    result.expect_clean();
    bool is = true;
    for (std::size_t b = 0; b < tickets.size(); ++b) is = is && tickets[b] == b;
    result.expect_that(
        (result.integer("in order") != 0) == is,
        {"order_of_book",
         fmt::format("ran_in_order says {} for the tickets {}.", is ? "false" : "true",
                     fmt::join(tickets, ", ")),
         {fmt::format(
             "The grid is {}. Block 0 has the first of these tickets, block 1 the second, and so on.",
             grid.words())},
         "Which ticket must block b have?"});
  }
  passed("reads {} books right", std::size(given));
}
