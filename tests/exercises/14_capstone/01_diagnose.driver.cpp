// `diagnose` asks the learner; `baseline` records the pipeline as it was found, and times it with each fix.
#include <string>
#include <vector>

#include "timed.h"

// These stand in the learner's file too.
struct Interval {
  long long begin, end;
};
struct Record {
  int batches, warm_up;
  std::vector<Interval> kernels, copies, decodes;
  std::vector<long long> done;
  double nvidia_smi;
  long long pinned_copy, layout;
  int workers;
};
struct Diagnosis {
  double busy, kernel_us, batches_per_s, copy_gap_us, decode_gap_us;
  double with_ring, with_workers, with_fused, with_all;
};
Diagnosis diagnose(const Record& r);

namespace {

std::vector<Interval> intervals(workbook::Call& call, const char* name) {
  const auto* numbers = call.host_in<std::int64_t>(name);
  std::vector<Interval> list;
  for (std::size_t i = 0; i + 1 < call.count(name); i += 2) list.push_back({numbers[i], numbers[i + 1]});
  return list;
}

}  // namespace

WORKBOOK_DRIVER(diagnose) {
  Record r{};
  r.batches = call.value<int>("batches");
  r.warm_up = call.value<int>("warm_up");
  r.kernels = intervals(call, "kernels");
  r.copies = intervals(call, "copies");
  r.decodes = intervals(call, "decodes");
  const auto* done = call.host_in<std::int64_t>("done");
  r.done.assign(done, done + call.count("done"));
  r.nvidia_smi = call.value<double>("nvidia_smi");
  r.pinned_copy = call.value<std::int64_t>("pinned_copy");
  r.layout = call.value<std::int64_t>("layout");
  r.workers = call.value<int>("workers");
  Diagnosis d{};
  call.learner([&] { d = diagnose(r); });
  const std::pair<const char*, double> figures[] = {{"busy", d.busy},
                                                    {"kernel_us", d.kernel_us},
                                                    {"batches_per_s", d.batches_per_s},
                                                    {"copy_gap", d.copy_gap_us},
                                                    {"decode_gap", d.decode_gap_us},
                                                    {"with_ring", d.with_ring},
                                                    {"with_workers", d.with_workers},
                                                    {"with_fused", d.with_fused},
                                                    {"with_all", d.with_all}};
  for (const auto& [name, value] : figures) call.result(name, value);
}

WORKBOOK_DRIVER(baseline) {
  using namespace capstone;
  const int workers = call.value<int>("workers");
  const Lengths l = lengths(call.simulated());
  World world(first_sizes(call.simulated()));
  const Calibrated c = Calibration(call, world)();
  give(call, c);
  call.result("few", l.few);
  call.result("many", l.many);
  const std::pair<const char*, Ways> ways[] = {{"baseline", {}},
                                               {"with_ring", {true, 0, false}},
                                               {"with_workers", {false, workers, false}},
                                               {"with_fused", {false, 0, true}},
                                               {"with_all", {true, workers, true}}};
  Timed timed(call, world);
  for (const auto& [name, way] : ways) {
    std::vector<double> us;
    for (int i = 0; i < (call.simulated() ? 1 : 3); ++i)
      us.push_back(timed.batch_us(name, Reference(world, way)));
    call.result(std::string("us.") + name, median(us));
  }
}
