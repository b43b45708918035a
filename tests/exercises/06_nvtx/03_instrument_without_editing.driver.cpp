#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/elementwise/saxpy.h"

// These stand in the learner's file too.
struct Batch {
  std::unique_ptr<float[]> numbers;
  int count = 0;
};
struct Stage {
  std::string name;
  std::function<Batch(Batch)> run;
};
std::vector<Stage> instrument(std::vector<Stage> stages, std::vector<std::atomic<int>>& counts);

namespace {

// Not a std::exception, as many are not.
struct BadBatch {
  int number;
};

// A pipeline of four stages, the third and fourth on the device.
class Pipeline {
 public:
  explicit Pipeline(int room) {
    cudaMalloc(&d_x_, room * sizeof(float));
    cudaMalloc(&d_y_, room * sizeof(float));
  }
  ~Pipeline() {
    cudaFree(d_x_);
    cudaFree(d_y_);
  }
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  std::vector<Stage> stages() {
    return {{"decode", [this](Batch b) { return decode(std::move(b)); }},
            {"to device", [this](Batch b) { return to_device(std::move(b)); }},
            {"compute", [this](Batch b) { return compute(std::move(b)); }},
            {"to host", [this](Batch b) { return to_host(std::move(b)); }}};
  }
  bool moved() const { return moved_; }

 private:
  Batch decode(Batch b) {
    at_ = b.numbers.get();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    if (b.count > 0 && b.numbers[0] < 0) throw BadBatch{static_cast<int>(-b.numbers[0])};
    for (int i = 0; i < b.count; ++i) b.numbers[i] *= 2;
    return b;
  }
  Batch to_device(Batch b) {
    notice(b);
    cudaMemcpyAsync(d_x_, b.numbers.get(), b.count * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemsetAsync(d_y_, 0, b.count * sizeof(float));
    return b;
  }
  Batch compute(Batch b) {
    notice(b);
    workbook::kernels::saxpy(b.count, 3.0f, d_x_, d_y_);
    return b;
  }
  Batch to_host(Batch b) {
    notice(b);
    cudaMemcpy(b.numbers.get(), d_y_, b.count * sizeof(float), cudaMemcpyDeviceToHost);
    return b;
  }
  // The numbers of one batch stay in one place: whoever copies them somewhere else is seen here.
  void notice(const Batch& b) { moved_ = moved_ || b.numbers.get() != at_; }

  float *d_x_ = nullptr, *d_y_ = nullptr;
  const float* at_ = nullptr;
  bool moved_ = false;
};

Batch batch_of(const float* in, int count) {
  Batch b{std::make_unique<float[]>(static_cast<std::size_t>(count)), count};
  for (int i = 0; i < count; ++i) b.numbers[i] = in[i];
  return b;
}

void give_counts(workbook::Call& call, const std::vector<std::atomic<int>>& counts) {
  std::string text;
  for (const auto& count : counts) text += (text.empty() ? "" : " ") + std::to_string(count.load());
  call.result("counts", text);
}

}  // namespace

// Every batch goes through all stages, as many times as `layers` wrapped into each other as the check wants.
WORKBOOK_DRIVER(pipeline) {
  const int count = call.value<int>("count"), layers = call.value<int>("layers");
  const int batches = count == 0 ? 0 : static_cast<int>(call.count("in")) / count;
  const float* in = call.host_in<float>("in");
  float* out = call.host_out<float>("out");
  Pipeline pipeline(count + 1);
  std::vector<std::atomic<int>> counts(4), others(4);
  std::string thrown, names;
  call.learner([&] {
    std::vector<Stage> stages = pipeline.stages();
    for (int l = 0; l < layers; ++l) stages = instrument(std::move(stages), l == 0 ? counts : others);
    for (const Stage& stage : stages) names += (names.empty() ? "" : ", ") + stage.name;
    for (int k = 0; k < batches; ++k) {
      try {
        Batch b = batch_of(in + k * count, count);
        for (Stage& stage : stages) b = stage.run(std::move(b));
        // A stage whose exception was swallowed may have lost the numbers.
        for (int i = 0; i < count && i < b.count; ++i) out[k * count + i] = b.numbers[i];
      } catch (const BadBatch& bad) {
        thrown += "BadBatch " + std::to_string(bad.number) + ";";
      } catch (...) {
        thrown += "something else;";
      }
    }
  });
  give_counts(call, counts);
  call.result("names", names);
  call.result("thrown", thrown);
  call.result("moved", pipeline.moved() ? 1 : 0);
}

// No stages at all, and one that is called by four threads.
WORKBOOK_DRIVER(threads) {
  std::vector<std::atomic<int>> none(0), counts(1);
  const int calls = call.value<int>("calls");
  std::atomic<int> worked{0};
  std::size_t of_none = 1, of_one = 0;
  call.learner([&] {
    of_none = instrument({}, none).size();
    std::vector<Stage> one = {{"work", [&](Batch b) {
                                 ++worked;
                                 std::this_thread::sleep_for(std::chrono::microseconds(20));
                                 return b;
                               }}};
    std::vector<Stage> stages = instrument(std::move(one), counts);
    of_one = stages.size();
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < calls && !stages.empty(); ++i) stages[0].run(Batch{});
      });
    }
    for (std::thread& thread : threads) thread.join();
  });
  call.result("of none", static_cast<std::int64_t>(of_none));
  call.result("of one", static_cast<std::int64_t>(of_one));
  call.result("worked", worked.load());
  give_counts(call, counts);
}
