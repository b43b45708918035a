// Evidence in the order of causes, and faults in the words of an exercise.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/judge/state.h"

namespace {

using namespace workbook;
using judge::Ending;
using nlohmann::json;
using trace::Event;
using trace::EventKind;

Result::State state_with(std::size_t elements, json response = {{"status", "ok"}}) {
  Result::State state;
  judge::Item item;
  item.name = "y";
  item.mode = 'b';
  item.element = 4;
  item.count = elements;
  state.request.items.push_back(item);
  state.say = "n = 1000";
  state.answer.outcome.ending = Ending::answered;
  state.answer.complete = true;
  state.answer.response = std::move(response);
  return state;
}

json fault_json(const char* kind, std::int64_t offset, std::uint64_t size = 4000, const char* name = "y") {
  return {
      {"kind", kind},
      {"kernel", "saxpy"},
      {"block", {3, 0, 0}},
      {"thread", {232, 0, 0}},
      {"at", {{"file", "/build/01_one_thread_per_element.cu"}, {"line", 14}, {"column", 3}}},
      {"address", 1},
      {"bytes", 4},
      {"is_write", true},
      {"threads_at_fault", 24},
      {"allocation", {{"known", true}, {"name", name}, {"base", 256}, {"size", size}, {"offset", offset}}}};
}

Event fault(const json& detail) {
  Event event;
  event.kind = EventKind::fault;
  event.text = "a sentence of the device's";
  event.detail_json = detail.dump();
  return event;
}

trace::Failure failure_of(const Result::State& state) {
  const auto failure = judge::dirt(state, {});
  if (!failure) ADD_FAILURE() << "no failure was found";
  return failure.value_or(trace::Failure{});
}

TEST(Faults, PastTheEndSpeaksOfElements) {
  auto state = state_with(1000);
  state.answer.events.push_back(fault(fault_json("out_of_bounds", 4000)));
  const auto f = failure_of(state);
  EXPECT_EQ(f.headline, "First wrong, n = 1000: y[1000] was written, and y has 1000 elements.");
  EXPECT_EQ(f.code, "out_of_bounds");
  EXPECT_EQ(f.kind, "fault");
  EXPECT_EQ(f.evidence.at(0), "thread 232 of block 3 (kernel saxpy)");
  ASSERT_FALSE(f.places.empty());
  EXPECT_EQ(f.places[0].line, 14u);
  EXPECT_EQ(f.places[0].note, "writes 4 bytes, just past the end of y (4000 bytes)");
}

TEST(Faults, BeforeTheBeginAndWithoutElements) {
  auto state = state_with(1000);
  state.answer.events.push_back(fault(fault_json("out_of_bounds", -4)));
  EXPECT_EQ(failure_of(state).headline, "First wrong, n = 1000: y[-1] was written, and y begins at y[0].");
  state = state_with(0);
  state.answer.events.push_back(fault(fault_json("out_of_bounds", 0, 1)));
  EXPECT_EQ(failure_of(state).headline, "First wrong, n = 1000: y[0] was written, and y has 0 elements.");
}

TEST(Faults, OfTheLearnersOwnMemorySpeakOfBytes) {
  auto state = state_with(1000);
  state.answer.events.push_back(fault(fault_json("out_of_bounds", 4000, 4000, "")));
  EXPECT_EQ(failure_of(state).headline,
            "First wrong, n = 1000: 4 bytes were written just past the end of an allocation of 4000 bytes.");
}

TEST(Faults, AnUnknownKindKeepsTheDevicesSentence) {
  auto state = state_with(10);
  state.answer.events.push_back(fault({{"kind", "bad_kind"}}));
  EXPECT_EQ(failure_of(state).headline, "First wrong, n = 1000: a sentence of the device's");
}

TEST(Faults, ThreadsOfManyDimensions) {
  auto state = state_with(1000);
  Event launch;
  launch.kind = EventKind::kernel;
  launch.name = "saxpy";
  launch.grid = {4, 4, 1};
  launch.block = {256, 1, 1};
  state.answer.events = {launch, fault(fault_json("out_of_bounds", 4000))};
  EXPECT_EQ(failure_of(state).evidence.at(0), "thread 232 of block (3, 0) (kernel saxpy)");
}

TEST(Order, FaultThenEndingThenErrorThenGuardsThenInput) {
  json response{
      {"status", "ok"},
      {"regions",
       {{{"label", ""}, {"left", "cudaErrorInvalidValue"}, {"left_text", "invalid argument"}, {"sync", ""}}}},
      {"guards", {{{"name", "y"}, {"side", "after"}, {"offset", 8}, {"bytes", 4}}}},
      {"changed", {{{"name", "x"}, {"index", 5}}}}};
  auto state = state_with(1000, response);
  EXPECT_EQ(failure_of(state).code, "cudaErrorInvalidValue");
  state.answer.response["regions"].clear();
  EXPECT_EQ(failure_of(state).headline,
            "First wrong, n = 1000: y[1002] was written, and y has 1000 elements.");
  state.answer.response["guards"].clear();
  EXPECT_EQ(failure_of(state).headline, "First wrong, n = 1000: x[5] was changed, and x is an input.");
  state.answer.response["changed"].clear();
  EXPECT_FALSE(judge::dirt(state, {}));

  state.answer.complete = false;
  state.answer.outcome = {Ending::signalled, 11};
  EXPECT_EQ(failure_of(state).outcome, trace::Outcome::crashed);
  state.answer.outcome = {Ending::timed_out};
  EXPECT_EQ(failure_of(state).outcome, trace::Outcome::timed_out);
  state.answer.outcome = {Ending::exited, 0};
  EXPECT_EQ(failure_of(state).code, "ended_early");
  state.answer.events.push_back(fault(fault_json("out_of_bounds", 4000)));
  EXPECT_EQ(failure_of(state).code, "out_of_bounds");
}

TEST(Order, TheFirstCallThatReturnedTheErrorIsNamed) {
  auto state =
      state_with(10, {{"status", "ok"},
                      {"regions", {{{"left", "cudaErrorInvalidValue"}, {"left_text", "invalid argument"}}}}});
  Event begin, copy;
  begin.kind = EventKind::note;
  begin.name = "region";
  begin.detail_json = R"({"begin": true})";
  copy.kind = EventKind::copy;
  copy.api = "cudaMemcpy";
  copy.result = 1;
  copy.result_name = "cudaErrorInvalidValue";
  state.answer.events = {begin, copy};
  EXPECT_EQ(failure_of(state).headline, "First wrong, n = 1000: cudaMemcpy returned cudaErrorInvalidValue.");
}

TEST(Regions, OnlyWhatLiesInThemCounts) {
  const auto note = [](bool begin, const char* label) {
    Event e;
    e.kind = EventKind::note;
    e.name = "region";
    e.text = label;
    e.detail_json = begin ? R"({"begin": true})" : R"({"begin": false})";
    return e;
  };
  const auto step = [](EventKind kind, std::uint64_t address) {
    Event e;
    e.kind = kind;
    e.address = address;
    e.bytes = 4;
    return e;
  };
  judge::Answer answer;
  auto in = step(EventKind::copy, 1), out = step(EventKind::copy, 2);
  in.from = trace::MemoryKind::pinned;
  in.to = trace::MemoryKind::device;
  out.from = trace::MemoryKind::device;
  out.to = trace::MemoryKind::pageable;
  answer.events = {step(EventKind::alloc, 1),  note(true, "first"),
                   step(EventKind::alloc, 2),  in,
                   step(EventKind::kernel, 0), out,
                   step(EventKind::free, 2),   note(false, "first"),
                   step(EventKind::free, 1),   note(true, "second"),
                   step(EventKind::alloc, 3),  note(false, "second")};
  const Trace trace = judge::make_trace(answer);
  EXPECT_EQ(trace.letters(), "A>K<FA");
  EXPECT_EQ(trace.bytes_copied("host to device"), 4u);
  EXPECT_TRUE(trace.copies("host to device").at(0).pinned);
  ASSERT_EQ(trace.leaks().size(), 1u);
  EXPECT_EQ(trace.leaks()[0].address, 3u);
  EXPECT_EQ(trace.leaks()[0].label, "second");
}

}  // namespace
