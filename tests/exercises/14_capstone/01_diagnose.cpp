// 14.1: figures from a record, and predictions. First records of runs that never were, whose truth is known:
// busy with decoding, with copies, with kernels, with kernels side by side. Then a run of the pipeline on the
// device that is here; the predictions are compared with the fixed pipelines, timed on the same device.
#include "found.h"

using namespace workbook;
using namespace capstone;

EXERCISE("14.1", "Say from the record of a run how busy it is, why not more, and what each fix would bring.")

namespace {

using Intervals = std::vector<std::int64_t>;  // begin and end, begin and end, ...

struct Record {
  int batches = 0, warm_up = 0, workers = 4;
  Intervals kernels, copies, decodes, done;
  double nvidia_smi = 100;
  std::int64_t pinned_copy = 0, layout = 0;
};

struct Truth {
  double busy, kernel_us, batch_us, copy_gap_us, decode_gap_us;
  double with_ring, with_workers, with_fused, with_all;
};

// ---- runs that never were --------------------------------------------------------------------------------

// A batch, in nanoseconds.
struct Parts {
  const char* words;
  std::int64_t decode, copy, pinned, preprocess, model, layout;
  int workers = 4;
  bool side_by_side = false;  // statistics beside the model, on another stream
};

constexpr std::int64_t launch = 4'000, origin = 7'000'000'000;
constexpr int batches = 20, warm_up = 5;

void add(Intervals& list, std::int64_t begin, std::int64_t end) {
  list.push_back(begin);
  list.push_back(end);
}

// The first batches take three times as long to decode: files that nobody has read yet.
Record run_that_never_was(const Parts& p) {
  Record r;
  r.batches = batches;
  r.warm_up = warm_up;
  r.workers = p.workers;
  r.pinned_copy = p.pinned;
  r.layout = p.layout;
  std::int64_t host = origin, device = origin;
  for (int n = 0; n < batches; ++n) {
    const std::int64_t decode = n < warm_up ? 3 * p.decode : p.decode;
    add(r.decodes, host, host + decode);
    host = std::max(host + decode, device);
    add(r.copies, host, host + p.copy);
    host += p.copy;
    const std::int64_t begin = host + launch, model = begin + p.preprocess;
    add(r.kernels, begin, model);
    add(r.kernels, model, model + p.model);
    if (p.side_by_side) add(r.kernels, model, model + p.model / 2);
    device = model + p.model;
    r.done.push_back(device);
  }
  // In the order in which a stream after the other was read out.
  for (std::size_t i = 0, j = r.kernels.size() - 2; i < j; i += 4, j = j >= 4 ? j - 4 : 0) {
    std::swap(r.kernels[i], r.kernels[j]);
    std::swap(r.kernels[i + 1], r.kernels[j + 1]);
  }
  return r;
}

Truth truth_of(const Parts& p) {
  const double d = p.decode / 1e3, c = p.copy / 1e3, l = launch / 1e3, g = (p.preprocess + p.model) / 1e3;
  const double pinned = p.pinned / 1e3, layout = p.layout / 1e3, w = p.workers;
  const auto loop = [&](double decode, double kernels) { return c + std::max(decode, l + kernels); };
  Truth t{};
  t.batch_us = loop(d, g);
  t.kernel_us = g;
  t.busy = g / t.batch_us;
  t.copy_gap_us = c;
  t.decode_gap_us = std::max(0.0, d - l - g) + std::min(l, d);
  t.with_ring = t.batch_us / std::max({d, g, pinned});
  t.with_workers = t.batch_us / std::max(c + l + g, d / w);
  t.with_fused = t.batch_us / loop(d, g - layout);
  t.with_all = t.batch_us / std::max({g - layout, pinned, d / w});
  return t;
}

// ---- asking
// ------------------------------------------------------------------------------------------------

Result ask(const std::string& words, const Record& r) {
  Run run("diagnose");
  run.say("{}", words).value("batches", r.batches).value("warm_up", r.warm_up).value("workers", r.workers);
  run.in("kernels", r.kernels).in("copies", r.copies).in("decodes", r.decodes).in("done", r.done);
  run.value("nvidia_smi", r.nvidia_smi).value("pinned_copy", r.pinned_copy).value("layout", r.layout);
  return run.go();
}

double sum_of_kernels(const Record& r) {
  const std::int64_t begin = r.done[r.warm_up - 1];
  double sum = 0;
  for (std::size_t i = 0; i < r.kernels.size(); i += 2)
    sum += std::max<std::int64_t>(0, r.kernels[i + 1] - std::max(begin, r.kernels[i]));
  return sum / 1e3 / (r.batches - r.warm_up);
}

double busy_from_the_start(const Record& r, double steady_busy_us) {
  const double whole = (r.done.back() - std::min(r.kernels[0], r.decodes[0])) / 1e3;
  return steady_busy_us * r.batches / whole;
}

void expect_busy_share(const Result& result, const Record& r, const Truth& t) {
  const double busy = result.number("busy");
  if (std::fabs(busy - t.busy) <= 0.03) return;
  std::vector<std::string> evidence;
  std::string question =
      "From when to when is the steady time, and for how much of it does at least one kernel run?";
  if (std::fabs(busy - r.nvidia_smi / 100) < 0.001) {
    evidence = {
        "That is nvidia-smi's figure: the share of its samples, each 1/6 of a second or longer, in which a "
        "kernel ran at some time."};
    question = "What does it show for a kernel of a microsecond in every sample?";
  } else if (std::fabs(busy * t.batch_us - sum_of_kernels(r)) < 0.01 * t.batch_us) {
    evidence = {
        "That is the sum of the kernels' times. Two that run at the same time make the device busy once."};
    question = "What is the share of a window in which two kernels run from beginning to end?";
  } else if (std::fabs(busy - busy_from_the_start(r, t.kernel_us)) < 0.03) {
    evidence = {fmt::format("The first {} batches are warm-up.", r.warm_up)};
  }
  result.fail({"busy", fmt::format("busy is {:.3f}, expected {:.3f}.", busy, t.busy), evidence, question});
}

void expect_figure(const Result& result, const char* name, const char* words, double expected, double within,
                   const char* question) {
  const double got = result.number(name);
  result.expect_that(
      std::fabs(got - expected) <= within,
      {name, fmt::format("{} is {:.1f}, expected {:.1f}.", words, got, expected), {}, question});
}

void expect_prediction(const Result& result, const char* name, const char* fix, double speed_up,
                       const std::string& how_known) {
  const double got = result.number(name);
  result.expect_that(
      std::fabs(got - speed_up) <= 0.15 * speed_up,
      {name,
       fmt::format("{}: {:.2f} x was predicted, and it is {:.2f} x.", fix, got, speed_up),
       {how_known},
       "Draw the row of the loop and the row of the device with this fix alone. Which of them has no "
       "pause now, and how long does it take?"});
}

void expect_diagnosis(const Result& result, const Record& r, const Truth& t, const std::string& how_known) {
  result.expect_clean();
  expect_busy_share(result, r, t);
  expect_figure(result, "kernel_us", "kernel_us", t.kernel_us, 0.05 * t.kernel_us,
                "How long do kernels run for a batch, those that overlap counted once?");
  expect_figure(result, "batches_per_s", "batches_per_s", 1e6 / t.batch_us, 0.05 * 1e6 / t.batch_us,
                "It is busy / kernel_us, in seconds. Over which batches is it counted?");
  expect_figure(result, "copy_gap", "copy_gap_us", t.copy_gap_us, 0.05 * t.batch_us,
                "For how long of a batch does a copy run, and no kernel?");
  expect_figure(result, "decode_gap", "decode_gap_us", t.decode_gap_us, 0.05 * t.batch_us,
                "For how long of a batch does the host decode, while neither kernel nor copy runs?");
  expect_prediction(result, "with_ring", "copies beside the kernels", t.with_ring, how_known);
  expect_prediction(result, "with_workers", "workers that decode", t.with_workers, how_known);
  expect_prediction(result, "with_fused", "preprocessing in one kernel", t.with_fused, how_known);
  expect_prediction(result, "with_all", "all three", t.with_all, how_known);
}

void expect_for(const Parts& p) {
  const Record record = run_that_never_was(p);
  expect_diagnosis(
      ask(p.words, record), record, truth_of(p),
      fmt::format(
          "A batch: decode {} us, copy {} us ({} pinned), kernels {} us ({} of them layout), {} workers.",
          p.decode / 1000, p.copy / 1000, p.pinned / 1000, (p.preprocess + p.model) / 1000, p.layout / 1000,
          p.workers));
}

// ---- the run that was
// ----------------------------------------------------------------------------------------

Record record_of(const Result& result, const std::vector<Step>& steps) {
  Record r;
  r.batches = static_cast<int>(result.integer("many"));
  r.warm_up = static_cast<int>(result.integer("few"));
  r.pinned_copy = std::llround(1000 * result.number("pinned_us"));
  r.layout = std::llround(1000 * result.number("layout_us"));
  const auto ns = [](double us) { return std::llround(1000 * us); };
  for (const Range& range : result.trace().ranges("decode")) {
    const bool here = range.end_us > steps.front().host_begin_us && range.begin_us < steps.back().host_end_us;
    if (here) add(r.decodes, ns(range.begin_us), ns(range.end_us));
  }
  for (const Step& step : steps) {
    if (step.kind == Step::Kind::kernel) {
      add(r.kernels, ns(step.device_begin_us), ns(step.device_end_us));
      if (trains(step)) r.done.push_back(ns(step.device_end_us));
    }
    // A copy from pageable memory begins with its call, which fills what the bus then reads.
    if (step.kind == Step::Kind::copy && step.direction == "host to device")
      add(r.copies, ns(std::min(step.host_begin_us, step.device_begin_us)),
          ns(std::max(step.host_end_us, step.device_end_us)));
  }
  return r;
}

double covered_us(const std::vector<const Intervals*>& lists, std::int64_t begin, std::int64_t end) {
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  for (const Intervals* list : lists)
    for (std::size_t i = 0; i < list->size(); i += 2) all.emplace_back((*list)[i], (*list)[i + 1]);
  std::sort(all.begin(), all.end());
  std::int64_t sum = 0, reached = begin;
  for (const auto& [from, to] : all) {
    sum += std::max<std::int64_t>(0, std::min(to, end) - std::max(from, reached));
    reached = std::max(reached, std::min(to, end));
  }
  return sum / 1e3;
}

Truth figures_of(const Record& r) {
  const std::int64_t begin = r.done[r.warm_up - 1], end = r.done.back();
  const double steady = r.batches - r.warm_up;
  const double kernels = covered_us({&r.kernels}, begin, end) / steady;
  const double device = covered_us({&r.kernels, &r.copies}, begin, end) / steady;
  Truth t{};
  t.batch_us = (end - begin) / 1e3 / steady;
  t.kernel_us = kernels;
  t.busy = kernels / t.batch_us;
  t.copy_gap_us = device - kernels;
  t.decode_gap_us = covered_us({&r.kernels, &r.copies, &r.decodes}, begin, end) / steady - device;
  return t;
}

}  // namespace

CHECK_CASE(a_plain_run) {
  expect_for({"as long as it takes", 700'000, 300'000, 90'000, 60'000, 440'000, 70'000});
  passed("right for a plain run");
}

CHECK_CASE(other_runs) {
  for (const Parts& p :
       {Parts{"kernels side by side", 700'000, 300'000, 90'000, 60'000, 440'000, 70'000, 4, true},
        Parts{"kernels longer than decoding", 200'000, 260'000, 70'000, 200'000, 700'000, 180'000},
        Parts{"decoding much longer", 3'000'000, 240'000, 60'000, 60'000, 440'000, 70'000, 3},
        Parts{"a slow bus", 500'000, 900'000, 600'000, 80'000, 320'000, 60'000},
        Parts{"much layout work", 800'000, 200'000, 50'000, 260'000, 340'000, 240'000},
        Parts{"two workers", 900'000, 220'000, 60'000, 60'000, 300'000, 50'000, 2}})
    expect_for(p);
  passed("right where decoding, copies or kernels take longest");
}

CHECK_CASE(this_device) {
  constexpr int workers = 4;
  expect_cores(workers);
  look_again([&] {
    const Result made = Run("baseline").value("workers", workers).device_times().time_limit(240).go();
    made.expect_clean();
    const auto runs = regions(made, "baseline many");
    const Steady s = steady(made, "baseline many", static_cast<int>(made.integer("few")));
    if (runs.empty() || !s.known) not_run("the device's times are missing in the record");
    if (s.busy < 0.45 || s.busy > 0.55)
      not_run(fmt::format(
          "the baseline could not be set to half busy here: its kernels run {:.1f} % of the time. Is the "
          "machine busy with other work?",
          100 * s.busy));
    Record r = record_of(made, runs.back());
    if (static_cast<int>(r.decodes.size()) != 2 * r.batches)
      not_run("the program's NVTX ranges are missing in the record");
    r.workers = workers;
    const auto speed_up = [&](const char* name) {
      return made.number("us.baseline") / made.number(std::string("us.") + name);
    };
    Truth t = figures_of(r);
    t.with_ring = speed_up("with_ring");
    t.with_workers = speed_up("with_workers");
    t.with_fused = speed_up("with_fused");
    t.with_all = speed_up("with_all");
    expect_diagnosis(ask("a run on this device", r), r, t, "The fixed pipelines were timed on this device.");
    passed("busy {} here; the fixes bring {:.2f} x, {:.2f} x, {:.2f} x, all of them {:.2f} x",
           percent(t.busy), t.with_ring, t.with_workers, t.with_fused, t.with_all);
  });
}
