// right: ends its range in a catch and throws on; a domain of its own
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
struct PipelineDomain {
  static constexpr char const* name{"pipeline"};
};

static Batch named(const std::string& name, const std::function<Batch(Batch)>& run, Batch batch) {
  const auto handle = nvtx3::start_range_in<PipelineDomain>(name);
  try {
    Batch result = run(std::move(batch));
    nvtx3::end_range_in<PipelineDomain>(handle);
    return result;
  } catch (...) {
    nvtx3::end_range_in<PipelineDomain>(handle);
    throw;
  }
}

std::vector<Stage> instrument(std::vector<Stage> stages, std::vector<std::atomic<int>>& counts) {
  std::size_t i = 0;
  for (Stage& stage : stages) {
    std::atomic<int>& count = counts[i++];
    const auto run = std::make_shared<std::function<Batch(Batch)>>(std::move(stage.run));
    stage.run = [=, &count, name = stage.name](Batch batch) {
      count += 1;
      return named(name, *run, std::move(batch));
    };
  }
  return stages;
}
