#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "harness/judge/cases.h"
#include "harness/judge/options.h"
#include "harness/judge/state.h"

namespace workbook {

struct Run::State {
  judge::Request request;
  std::string say;
};

namespace {

constexpr std::size_t recorded_output = 4096;

judge::Item& new_item(judge::Request& request, std::string_view name) {
  if (request.find(std::string(name)) != nullptr)
    judge::grader_error(fmt::format("the check sets '{}' twice for driver '{}'", name, request.driver));
  request.items.emplace_back();
  request.items.back().name = name;
  return request.items.back();
}

// What the judge is told comes from the workbook's own code in the runner, or it is no evidence.
void stop_for_forgery(const judge::Answer& answer) {
  using judge::Forgery;
  if (answer.forgery == Forgery::none) return;
  trace::Failure failure;
  failure.kind = "contract";
  failure.evidence = {
      "The runner tells the judge what the program did; only the workbook's own code in it may "
      "do so."};
  failure.question = "Which code writes to descriptors or memory that it did not open or allocate?";
  if (answer.forgery == Forgery::answer) {
    failure.code = "answer.forged";
    failure.headline = "The program answered the judge in the workbook's place.";
  } else if (answer.forgery == Forgery::trace) {
    failure.code = "trace.forged";
    failure.headline = "The record of what the program did holds a line that the workbook did not write.";
  } else if (answer.forgery == Forgery::cut) {
    failure.code = "trace.cut";
    failure.headline = "The record of what the program did ends before the program did.";
  } else {
    failure.code = "trace.flood";
    failure.headline = "The record of what the program did has more than 64 MiB.";
    failure.evidence = {
        "Each call of the CUDA runtime takes some hundred bytes; an exercise makes a few thousand."};
    failure.question = "Which loop makes so many calls?";
  }
  judge::end_case(std::move(failure));
}

// Trouble that is not the learner's: the case has no verdict then.
void stop_for_our_faults(const judge::Answer& answer, const judge::Request& request) {
  if (!answer.trace_trouble.empty()) judge::grader_error("the trace can't be read: " + answer.trace_trouble);
  if (!answer.complete) return;
  const std::string status = answer.response.value("status", "");
  const std::string text = answer.response.value("text", "");
  // After a fault every call of the driver's own fails too: the fault is what there is to say, and whoever
  // looks at the result says it.
  const bool faulty = std::any_of(answer.events.begin(), answer.events.end(),
                                  [](const trace::Event& e) { return e.kind == trace::EventKind::fault; });
  if (status == "grader_error" && !faulty)
    judge::grader_error(fmt::format("driver '{}': {}", request.driver, text));
  if (status == "no_device") judge::end_case(trace::Outcome::not_run, text);
}

}  // namespace

Run::Run(std::string driver) : state_(std::make_unique<State>()) {
  state_->request.driver = std::move(driver);
}
Run::Run(Run&&) noexcept = default;
Run::~Run() = default;

Run& Run::text(std::string_view name, std::string_view v) {
  return set(name, 't', v.data(), 1, v.size(), 1);
}

Run& Run::environment(std::string_view name, std::string_view value) {
  state_->request.environment.push_back(fmt::format("{}={}", name, value));
  return *this;
}

Run& Run::device_times() {
  const judge::Options& o = judge::options();
  if (o.simulated) return *this;
  if (o.cupti_library.empty())
    judge::end_case(trace::Outcome::not_run,
                    "this build cannot tell when a GPU did what: it found no CUPTI (./workbook doctor)");
  return environment("WORKBOOK_DEVICE_TIMES", o.cupti_library);
}

Run& Run::fresh_process() {
  state_->request.fresh = true;
  return *this;
}

Run& Run::may_write(const Scratch& folder) {
  state_->request.folders.push_back(folder.path());
  return *this;
}

Run& Run::time_limit(double seconds) {
  state_->request.seconds = seconds;
  return *this;
}

Run& Run::schedule(const Schedule& schedule) {
  state_->request.schedule = schedule;
  return *this;
}

Run& Run::set(std::string_view name, char mode, const void* data, std::size_t element, std::size_t count,
              std::size_t) {
  judge::Item& item = new_item(state_->request, name);
  item.mode = mode;
  item.element = element;
  item.count = count;
  if (mode != 'o') item.data.resize(element * count);
  if (!item.data.empty()) std::memcpy(item.data.data(), data, item.data.size());
  return *this;
}

Run& Run::say_text(std::string text) {
  state_->say = std::move(text);
  return *this;
}

Result Run::go() {
  auto state = std::make_shared<Result::State>();
  state->request = state_->request;
  state->say = state_->say;
  if (const std::string order = state->request.schedule.words(); !order.empty())
    state->say += (state->say.empty() ? "" : ", ") + order;
  state->answer = judge::run_once(state->request);
  judge::current_case().learner_output = state->answer.printed.substr(0, recorded_output);
  stop_for_forgery(state->answer);
  stop_for_our_faults(state->answer, state->request);
  return Result(std::move(state));
}

}  // namespace workbook
