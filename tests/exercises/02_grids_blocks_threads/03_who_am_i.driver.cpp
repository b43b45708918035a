// Calls the learner's look_at_grid for two grids in a row, on the same memory, and ran_in_order on a given
// book.
#include <workbook/driver.h>

#include <cstddef>
#include <cstdint>
#include <vector>

// These stand in the learner's file too.
struct Visit {
  unsigned x, y, z, sm, ticket;
};
struct GridStory {
  int blocks;
  bool in_order;
};
GridStory look_at_grid(dim3 grid, dim3 block, unsigned* d_block_of, Visit* d_book, unsigned* d_arrivals);
bool ran_in_order(const std::vector<Visit>& book);

namespace {

dim3 shape(workbook::Call& call, const char* axis_x, const char* axis_y, const char* axis_z) {
  return dim3(call.value<unsigned>(axis_x), call.value<unsigned>(axis_y), call.value<unsigned>(axis_z));
}

}  // namespace

// The first launch fills the buffers "1", the second the buffers "2"; both count in the same *arrivals.
WORKBOOK_DRIVER(two_grids) {
  const dim3 block = shape(call, "block_x", "block_y", "block_z");
  const dim3 first = shape(call, "first_x", "first_y", "first_z");
  const dim3 second = shape(call, "second_x", "second_y", "second_z");
  auto* d_block_of_1 = call.device_out<unsigned>("block_of 1");
  auto* d_block_of_2 = call.device_out<unsigned>("block_of 2");
  auto* d_book_1 = reinterpret_cast<Visit*>(call.device_out<unsigned>("book 1"));
  auto* d_book_2 = reinterpret_cast<Visit*>(call.device_out<unsigned>("book 2"));
  auto* d_arrivals = call.device_inout<unsigned>("arrivals");

  call.blocks_in_order(call.value<int>("blocks in order") != 0);
  GridStory story_1{-1, false}, story_2{-1, false};
  call.learner([&] {
    story_1 = look_at_grid(first, block, d_block_of_1, d_book_1, d_arrivals);
    story_2 = look_at_grid(second, block, d_block_of_2, d_book_2, d_arrivals);
  });
  call.result("blocks 1", story_1.blocks);
  call.result("blocks 2", story_2.blocks);
  call.result("in order 1", story_1.in_order ? 1 : 0);
  call.result("in order 2", story_2.in_order ? 1 : 0);

  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  call.result("sms", sms);
}

WORKBOOK_DRIVER(read_book) {
  const auto* tickets = call.host_in<unsigned>("tickets");
  std::vector<Visit> book(call.count("tickets"));
  const auto wide = call.value<unsigned>("grid_x"), high = call.value<unsigned>("grid_y");
  for (unsigned b = 0; b < book.size(); ++b)
    book[b] = {b % wide, b / wide % high, b / wide / high, 0, tickets[b]};
  call.result("in order", ran_in_order(book) ? 1 : 0);
}
