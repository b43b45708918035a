// 4.2: which images are in the executable, and what each GPU does with them. The list is read from the object
// file, so it is checked everywhere; that the program also runs as the list says, only a GPU can show.
#include <workbook/check.h>
#include <workbook/compiled.h>

using namespace workbook;

EXERCISE("4.2", "Build so that the lab's GPUs start without a compiler, and newer ones start at all.")

namespace {

struct Gpu {
  unsigned capability;
  const char* name;
};
constexpr Gpu lab[] = {{75, "T4"}, {80, "A100"}, {89, "L4"}, {90, "H200"}};
constexpr Gpu newer[] = {{100, "B200"}, {120, "RTX 5090"}, {150, "one not made yet"}};

std::string number(unsigned capability) {
  return fmt::format("{}.{}", capability / 10, capability % 10);
}

std::string words(const ForDevice& what) {
  switch (what.how) {
    case HowItRuns::machine_code:
      return fmt::format("runs {}", what.image);
    case HowItRuns::compiled_at_start:
      return fmt::format("compiles {} before its first launch", what.image);
    case HowItRuns::not_at_all:
      return "finds nothing that it can run";
  }
  return "";
}

// What is inside, and what each GPU does with it.
std::vector<std::string> picture() {
  std::string inside;
  for (const DeviceImage& image : compiled().images())
    inside += fmt::format("{}{}{}", inside.empty() ? "" : ", ", image.name, image.ptx ? " (text)" : "");
  std::vector<std::string> lines = {"In the executable: " + (inside.empty() ? "nothing" : inside)};
  for (const auto* group : {&lab[0], &newer[0]}) {
    const std::size_t count = group == &lab[0] ? std::size(lab) : std::size(newer);
    for (std::size_t i = 0; i < count; ++i)
      lines.push_back(fmt::format("{} ({}): {}", number(group[i].capability), group[i].name,
                                  words(compiled().on(group[i].capability))));
  }
  return lines;
}

// With one variable of the driver's set.
Result brightened(const std::vector<float>& x, const char* variable) {
  Run run("brighten");
  return run.environment(variable, "1").inout("x", x).go();
}

// The GPU took the program as the list says that it would.
void expect_runs(const Result& result, const std::vector<float>& x, const std::string& how) {
  const int status = result.has("status") ? static_cast<int>(result.integer("status")) : 0;
  result.expect_that(status == 0,
                     {"does_not_run", fmt::format("{}, the launch says {}.", how, result.text("status_name")),
                      picture(), "Which of these images was it allowed to take?"});
  result.expect_clean();
  std::vector<float> expected;
  for (const float value : x) expected.push_back(value * 3.0f);
  result.expect("x", expected);
}

}  // namespace

CHECK_CASE(the_images) {
  for (const Gpu& gpu : lab) {
    const ForDevice what = compiled().on(gpu.capability);
    expect_that(what.how != HowItRuns::not_at_all,
                {"no_image",
                 fmt::format("On the {} ({}) the program does not start.", gpu.name, number(gpu.capability)),
                 picture(), "Which machine code can this GPU run, and which text can it compile?"});
    expect_that(
        what.how == HowItRuns::machine_code,
        {"jit",
         fmt::format("On the {} ({}) the program starts with a compiler.", gpu.name, number(gpu.capability)),
         picture(), "Which machine code would this GPU take as it is?"});
  }
  for (const Gpu& gpu : newer) {
    expect_that(
        compiled().on(gpu.capability).how != HowItRuns::not_at_all,
        {"not_forward",
         fmt::format("On a newer GPU ({}, {}) the program does not start.", number(gpu.capability), gpu.name),
         picture(), "What can a GPU run that nobody knew when the program was built?"});
  }
  passed("no JIT on {} GPUs, and {} newer ones start", std::size(lab), std::size(newer));
}

CHECK_CASE(the_runs) {
  if (on_simulated_device())
    not_run("needs a GPU: the program itself, once without JIT and once with nothing else");
  Run ask("this_device");
  const Result device = ask.go();
  device.expect_clean();
  const auto here = static_cast<unsigned>(device.integer("compute_capability"));
  const auto x = Inputs().floats("x", 1000);
  std::string shown;
  if (compiled().on(here).how == HowItRuns::machine_code) {
    const Result result = brightened(x, "CUDA_DISABLE_PTX_JIT");
    expect_runs(result, x, "With CUDA_DISABLE_PTX_JIT=1");
    shown = fmt::format("sm_{} runs with JIT switched off", result.integer("machine_code"));
  }
  // Text for newer GPUs than this one can't be tried here.
  bool text = false;
  for (const DeviceImage& image : compiled().images())
    text = text || (image.ptx && (image.variant == 0 ? image.arch <= here : image.arch == here));
  if (text) {
    const Result result = brightened(x, "CUDA_FORCE_PTX_JIT");
    expect_runs(result, x, "With CUDA_FORCE_PTX_JIT=1");
    shown += fmt::format("{}the text alone runs too", shown.empty() ? "" : ", ");
  }
  if (shown.empty())
    not_run(fmt::format("this GPU ({}) is none of the lab's, and none of the text is for it", number(here)));
  passed("{}", shown);
}
