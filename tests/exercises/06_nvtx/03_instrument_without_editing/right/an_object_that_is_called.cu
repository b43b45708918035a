// right: a class with a call operator, and push and pop in an object of its own
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
namespace {

class Named {
 public:
  explicit Named(const std::string& name) { nvtxRangePushA(name.c_str()); }
  ~Named() { nvtxRangePop(); }
  Named(const Named&) = delete;
  Named& operator=(const Named&) = delete;
};

class Instrumented {
 public:
  Instrumented(Stage stage, std::atomic<int>* count) : stage_(std::move(stage)), count_(count) {}
  Batch operator()(Batch batch) const {
    count_->fetch_add(1, std::memory_order_relaxed);
    const Named range(stage_.name);
    return stage_.run(std::move(batch));
  }

 private:
  Stage stage_;
  std::atomic<int>* count_;
};

}  // namespace

std::vector<Stage> instrument(std::vector<Stage> stages, std::vector<std::atomic<int>>& counts) {
  std::vector<Stage> wrapped;
  auto* count = counts.data();
  for (Stage& stage : stages) {
    std::string name = stage.name;
    wrapped.push_back({std::move(name), Instrumented(std::move(stage), count++)});
  }
  return wrapped;
}
