// right: registers each name once, in a domain, and counts in a small object beside the range
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nvtx3/nvtx3.hpp>
#include <string>
#include <utility>
#include <vector>

// A batch on its way: it can be handed on, and not copied.
struct Batch {
  std::unique_ptr<float[]> numbers;
  int count = 0;
};

// One stage of a pipeline: it takes a batch, works on it, and gives it back.
struct Stage {
  std::string name;
  std::function<Batch(Batch)> run;
};

// The same stages in the same order, each with a range of its name around every call, and a count: counts[i]
// grows by one with each call of stage i, also when the stage throws. counts has as many elements as stages,
// and lives longer than what is returned. Several threads may call a stage at the same time.
struct StageDomain {
  static constexpr char const* name{"stages"};
};

std::vector<Stage> instrument(std::vector<Stage> stages, std::vector<std::atomic<int>>& counts) {
  std::vector<Stage> out(stages.size());
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const nvtx3::registered_string_in<StageDomain> text{stages[i].name};
    out[i].name = stages[i].name;
    out[i].run = [text, i, &counts, inner = std::move(stages[i].run)](Batch b) -> Batch {
      const nvtx3::scoped_range_in<StageDomain> range{text, nvtx3::payload{static_cast<std::int64_t>(++counts[i])}};
      return inner(std::move(b));
    };
  }
  return out;
}
