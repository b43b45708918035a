// What a page that says "too slow" says about wasted memory traffic.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/judge/state.h"

namespace workbook::judge {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Trace one_kernel(std::vector<std::pair<std::string, std::uint64_t>> counters) {
  auto state = std::make_shared<Trace::State>();
  state->counters_known = true;
  Step step;
  step.kind = Step::Kind::kernel;
  state->steps.push_back(step);
  state->counters.push_back(std::move(counters));
  return Trace(state);
}

TEST(MemoryWords, SayNothingOfFullSectors) {
  EXPECT_THAT(memory_words(one_kernel({{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 10},
                                       {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 50},
                                       {"global_load_bytes", 1280}})),
              IsEmpty());
}

TEST(MemoryWords, SayHowManySectorsAStoreTouches) {
  EXPECT_THAT(
      memory_words(one_kernel({{"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 10},
                               {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 320},
                               {"global_store_bytes", 1280}})),
      ElementsAre("Stores to global memory: 32.0 sectors for each request of a warp; its bytes would fit "
                  "into 4.0."));
}

TEST(MemoryWords, SayHowManyPassesALoadTakes) {
  EXPECT_THAT(
      memory_words(one_kernel({{"smsp__inst_executed_op_shared_ld.sum", 4},
                               {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 128}})),
      ElementsAre("Loads from shared memory: 32.0 passes over the banks for each request of a warp."));
}

TEST(MemoryWords, NameLocalMemory) {
  EXPECT_THAT(memory_words(one_kernel({{"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", 96}})),
              ElementsAre("Local memory was used: 96 sectors."));
}

TEST(MemoryWords, SayNothingWithoutCounters) {
  EXPECT_THAT(memory_words(Trace(std::make_shared<Trace::State>())), IsEmpty());
}

}  // namespace
}  // namespace workbook::judge
