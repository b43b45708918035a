#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include "harness/judge/cases.h"
#include "harness/judge/elements.h"
#include "harness/judge/options.h"
#include "harness/judge/state.h"

namespace workbook {

namespace {

using judge::Answer;
using judge::grader_error;
using nlohmann::json;

// Where an array lies in the answer's blob.
struct Extent {
  std::size_t offset, bytes;
};

const json* result_entry(const Result::State& state, std::string_view name) {
  const auto results = state.answer.response.find("results");
  if (results == state.answer.response.end()) return nullptr;
  const auto entry = results->find(std::string(name));
  return entry == results->end() ? nullptr : &*entry;
}

// Nothing can be said about values that never came.
void need_answer(const Result::State& state) {
  if (state.answer.complete && state.answer.response.value("status", "") == "ok") return;
  if (auto failure = judge::dirt(state, {})) judge::end_case(std::move(*failure));
  grader_error("the runner's answer is incomplete");
}

const json& need_result(const Result::State& state, std::string_view name,
                        std::initializer_list<std::string_view> kinds) {
  need_answer(state);
  const json* entry = result_entry(state, name);
  if (entry == nullptr)
    grader_error(fmt::format("the check asks for '{}', and driver '{}' gave no such result", name,
                             state.request.driver));
  for (const auto kind : kinds) {
    if (entry->value("kind", "") == kind) return *entry;
  }
  grader_error(fmt::format("result '{}' of driver '{}' is a {}", name, state.request.driver,
                           entry->value("kind", "?")));
}

bool taken(const Result::State& state, const std::string& name) {
  const json names = state.answer.response.value("taken", json::array());
  return std::find(names.begin(), names.end(), name) != names.end();
}

Extent extent_of(const Result::State& state, std::string_view name) {
  need_answer(state);
  const std::string key(name);
  if (const judge::Item* item = state.request.find(key)) {
    if (item->mode != 'o' && item->mode != 'b')
      grader_error(fmt::format("'{}' is an input, not an output", name));
    if (!taken(state, key)) {
      // A device that failed gives no outputs back.
      if (auto failure = judge::dirt(state, {})) judge::end_case(std::move(*failure));
      grader_error(fmt::format("driver '{}' never asked for the output '{}'", state.request.driver, name));
    }
    return {item->offset, item->bytes()};
  }
  const json& entry = need_result(state, name, {"bytes"});
  const Extent extent{entry.value("offset", std::size_t{0}), entry.value("bytes", std::size_t{0})};
  if (extent.offset > state.answer.blob.size() || extent.bytes > state.answer.blob.size() - extent.offset)
    grader_error(fmt::format("result '{}' lies outside the answer", name));
  return extent;
}

// The last expected values of each array of this exercise: old data shows by them.
std::map<std::string, std::vector<std::byte>>& last_expected() {
  static std::map<std::string, std::vector<std::byte>> instance;
  return instance;
}

std::string question_for(const Difference& difference, std::string_view name, bool shares) {
  if (difference.code == "pattern.bytes") return "In which unit does this function want its size?";
  if (difference.code == "pattern.tail") return "Who works on the last element, and how is that decided?";
  if (difference.code == "pattern.poison")
    return fmt::format("Which line should write {}, and does it run?", name);
  if (difference.code == "pattern.zero")
    return "Which values went into the computation, and had they arrived?";
  if (difference.code == "pattern.input") return fmt::format("By which way does a result get into {}?", name);
  if (difference.code == "pattern.shifted") return "Which element does thread 0 of block 0 work on?";
  if (difference.code == "pattern.transposed") return "Which of x and y runs along a row?";
  if (difference.code == "pattern.stale")
    return "What is left over from the call before, and who should have replaced it?";
  if (difference.code == "pattern.block")
    return "What do these threads of a block do differently from their neighbors?";
  if (difference.code == "pattern.nan" && shares)
    return "Which place of shared memory is read, and which thread wrote it before?";
  if (difference.code == "pattern.nan") return "Which operation has no number as its result?";
  return fmt::format("Work out element {} by hand: which values should meet there?", difference.first);
}

// On the simulated device shared memory that nobody wrote reads as NaN.
bool uses_shared_memory(const Answer& answer) {
  return std::any_of(answer.events.begin(), answer.events.end(), [](const trace::Event& e) {
    return e.kind == trace::EventKind::kernel && e.static_shared + e.dynamic_shared > 0;
  });
}

// A shuffle that read from lanes which had ended: not a fault, for the value may be thrown away; where a
// result is wrong it is the first thing to look at.
std::string absent_source(const std::vector<trace::Event>& events) {
  for (const trace::Event& event : events) {
    if (event.kind != trace::EventKind::note || event.name != "absent_source") continue;
    const json detail = json::parse(event.detail_json, nullptr, /*allow_exceptions=*/false);
    const int line = detail.is_object() && detail.contains("at") ? detail["at"].value("line", 0) : 0;
    return (line > 0 ? fmt::format("Line {}: ", line) : std::string()) + event.text + ".";
  }
  return {};
}
constexpr const char* absent_question = "Which lanes come to this line, and which does its mask name?";

// A copy that moved as many bytes as the array has elements explains itself.
void blame_copy(const Trace& trace, std::size_t elements, std::size_t bytes, trace::Failure& failure) {
  for (const Step& step : trace.of(Step::Kind::copy)) {
    if (step.bytes != elements || step.bytes == bytes) continue;
    failure.evidence.push_back(fmt::format("{}{} copied {} bytes; {} elements have {}.", step.api,
                                           step.line > 0 ? fmt::format(" at line {}", step.line) : "",
                                           step.bytes, elements, bytes));
    if (step.line > 0)
      failure.places.push_back({step.file, step.line, 0, fmt::format("copies {} bytes", step.bytes)});
    return;
  }
}

}  // namespace

Result::Result() = default;
Result::~Result() = default;
Result::Result(Result&&) noexcept = default;
Result::Result(std::shared_ptr<State> state) : state_(std::move(state)) {}

void Result::expect_clean(std::string_view leads_on) const {
  if (auto failure = judge::dirt(*state_, leads_on)) judge::end_case(std::move(*failure));
}

bool Result::clean() const {
  return !judge::dirt(*state_, {}).has_value();
}

void Result::fail(Finding finding) const {
  if (const std::string absent = absent_source(state_->answer.events); !absent.empty()) {
    finding.evidence.insert(finding.evidence.begin(), absent);
    if (finding.headline.find("nan") != std::string::npos) finding.question = absent_question;
  }
  if (!state_->say.empty())
    finding.headline = fmt::format("First wrong, {}: {}", state_->say, finding.headline);
  workbook::fail(std::move(finding));
}

void Result::expect_that(bool holds, Finding finding) const {
  if (!holds) fail(std::move(finding));
}

void Result::expect_bytes(std::string_view name, const TypeWords& type, const void* expected,
                          std::size_t count, const Tolerance& tolerance, const IndexWords& layout) const {
  const Extent extent = extent_of(*state_, name);
  if (extent.bytes != count * type.size)
    grader_error(fmt::format("the check expects {} bytes of '{}', and it has {}", count * type.size, name,
                             extent.bytes));
  CompareContext context;
  const judge::Item* item = state_->request.find(std::string(name));
  if (item != nullptr && item->mode == 'b') context.before = item->data.data();
  if (const auto* grid = layout.target<judge::RowAndColumn>()) context.width = static_cast<int>(grid->width);
  auto& last = last_expected()[fmt::format("{}/{}", name, type.size)];
  context.previous = last.empty() ? nullptr : last.data();
  context.previous_count = last.size() / type.size;

  const Difference d =
      compare(type, state_->answer.blob.data() + extent.offset, expected, count, tolerance, context);
  const auto* bytes = static_cast<const std::byte*>(expected);
  last.assign(bytes, bytes + count * type.size);
  if (!d.differs) return;

  trace::Failure failure;
  failure.kind = "values";
  failure.code = d.code;
  const std::string where =
      layout ? fmt::format("{} at {}", name, layout(d.first)) : fmt::format("{}[{}]", name, d.first);
  failure.headline =
      judge::first_wrong(state_->say, fmt::format("{} is {}, expected {}.", where, d.got, d.expected));
  if (!d.pattern.empty()) failure.evidence.push_back(d.pattern);
  failure.evidence.push_back(fmt::format("{} of {} element{} {} wrong.", d.wrong, count,
                                         count == 1 ? "" : "s", d.wrong == 1 ? "is" : "are"));
  if (const auto measured = state_->answer.response.find("measured");
      measured != state_->answer.response.end() && !measured->empty())
    failure.evidence.push_back(
        "Here the call is made several times, and each call has to do all of the work.");
  if (d.code == "pattern.bytes") blame_copy(trace(), count, count * type.size, failure);
  failure.question = question_for(d, name, uses_shared_memory(state_->answer));
  if (const std::string absent = absent_source(state_->answer.events); !absent.empty()) {
    failure.evidence.insert(failure.evidence.begin(), absent);
    failure.question = absent_question;
  }
  judge::end_case(std::move(failure));
}

std::size_t Result::bytes_of(std::string_view name) const {
  return extent_of(*state_, name).bytes;
}

void Result::copy_bytes(std::string_view name, void* out, std::size_t bytes) const {
  const Extent extent = extent_of(*state_, name);
  if (bytes > 0) std::memcpy(out, state_->answer.blob.data() + extent.offset, std::min(bytes, extent.bytes));
}

double Result::number(std::string_view name) const {
  const json& entry = need_result(*state_, name, {"number", "integer"});
  if (entry.at("kind") == "integer") return entry.at("value").get<double>();
  // JSON has no infinities and no NaN: the bits travel.
  return std::bit_cast<double>(entry.at("bits").get<std::uint64_t>());
}

std::int64_t Result::integer(std::string_view name) const {
  return need_result(*state_, name, {"integer"}).at("value").get<std::int64_t>();
}

std::string Result::text(std::string_view name) const {
  return need_result(*state_, name, {"text"}).at("value").get<std::string>();
}

bool Result::has(std::string_view name) const {
  if (!state_->answer.complete) return false;
  return result_entry(*state_, name) != nullptr || taken(*state_, std::string(name));
}

const Trace& Result::trace() const {
  if (!state_->trace) state_->trace = std::make_unique<Trace>(judge::make_trace(state_->answer));
  return *state_->trace;
}

bool Result::simulated() const {
  return judge::options().simulated;
}

std::string Result::error_name() const {
  for (const auto& region : state_->answer.response.value("regions", json::array())) {
    for (const char* key : {"left", "sync"}) {
      if (const std::string error = region.value(key, ""); !error.empty()) return error;
    }
  }
  return {};
}

}  // namespace workbook
