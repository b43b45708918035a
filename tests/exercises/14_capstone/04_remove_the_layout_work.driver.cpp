// The learner's preprocessing: by itself, in a whole pipeline (that of 14.3), and its time with the model's.
#include "timed.h"

workbook::Layout preprocess(const std::uint8_t* d_bytes, void* d_input, const workbook::Pictures& p,
                            const workbook::Normalisation& how, cudaStream_t stream);  // the learner's

namespace {

// A pipeline whose model takes what the learner's preprocessing makes, in the layout that it says.
workbook::Pipeline with_learner(workbook::Pipeline p) {
  const auto model = p.model;
  const auto layout = std::make_shared<workbook::Layout>(workbook::Layout::nchw);
  p.preprocess = [p, layout](const std::uint8_t* d_bytes, void* d_input, cudaStream_t stream) {
    *layout = preprocess(d_bytes, d_input, p.pictures, p.normalisation, stream);
  };
  p.model = [model, layout](int n, const void* d_input, workbook::Layout, workbook::Score* d_score,
                            cudaStream_t stream) { model(n, d_input, *layout, d_score, stream); };
  return p;
}

}  // namespace

WORKBOOK_DRIVER(preprocess) {
  const capstone::Shape shape{call.value<int>("count"), call.value<int>("stored"), call.value<int>("side")};
  const std::uint8_t* d_bytes = call.device_in<std::uint8_t>("bytes");
  std::uint8_t* d_input = call.device_out<std::uint8_t>("input");
  workbook::Normalisation how;
  std::copy_n(capstone::scale, 3, how.scale);
  std::copy_n(capstone::bias, 3, how.bias);
  workbook::Layout layout{};
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  call.learner([&] {
    layout = preprocess(d_bytes, d_input, {shape.count, shape.stored, shape.side}, how, stream);
    cudaStreamSynchronize(stream);
  });
  cudaStreamDestroy(stream);
  call.result("layout", layout == workbook::Layout::nhwc ? 1 : 0);
}

WORKBOOK_DRIVER(run) {
  const capstone::World world(capstone::sizes_of(call));
  const capstone::Reference reference(world, {true, call.value<int>("workers"), false});
  capstone::noted(call, [&](const workbook::Pipeline& p) { reference(with_learner(p)); });
}

WORKBOOK_DRIVER(run_timed) {
  const int workers = call.value<int>("workers");
  const capstone::Ways before{true, workers, false};
  const capstone::Lengths l = capstone::lengths(call.simulated());
  call.result("few", l.few);
  call.result("many", l.many);
  capstone::World world(capstone::first_sizes(call.simulated()));
  const capstone::Calibrated c = capstone::Calibration(call, world)();
  capstone::give(call, c);
  const capstone::Reference reference(world, before);
  capstone::Timed(call, world).pairs(reference, [&](const workbook::Pipeline& p) {
    reference(with_learner(p));
  });
  // The device's time for a batch, by itself.
  capstone::Notes notes(1);
  const workbook::Pipeline given = world.begin(1, 0, notes), learners = with_learner(given);
  std::uint8_t* d_bytes = nullptr;
  void* d_input = nullptr;
  workbook::Score* d_score = nullptr;
  cudaMalloc(&d_bytes, given.bytes);
  cudaMalloc(&d_input, given.input_bytes);
  cudaMalloc(&d_score, sizeof *d_score);
  cudaMemset(d_bytes, 1, given.bytes);
  const auto once = [&](const workbook::Pipeline& p) {
    p.preprocess(d_bytes, d_input, nullptr);
    p.model(0, d_input, workbook::Layout::nchw, d_score, nullptr);
  };
  call.measure(
      "gpu_time", [&] { once(learners); }, [&] { once(given); });
  cudaFree(d_bytes);
  cudaFree(d_input);
  cudaFree(d_score);
}
