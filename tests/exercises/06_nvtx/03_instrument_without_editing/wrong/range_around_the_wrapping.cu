// wrong: names the moment in which a stage is wrapped, not its calls
// verdict: wrong
// code: ranges
// message: What happens when the list is made
#include <atomic>
#include <cstddef>
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
std::vector<Stage> instrument(std::vector<Stage> stages, std::vector<std::atomic<int>>& counts) {
  for (std::size_t i = 0; i < stages.size(); ++i) {
    Stage& stage = stages[i];
    nvtx3::scoped_range range{stage.name};
    stage.run = [run = std::move(stage.run), &count = counts[i]](Batch batch) {
      ++count;
      return run(std::move(batch));
    };
  }
  return stages;
}
