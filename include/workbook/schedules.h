// Orders that CUDA allows and that a GPU seldom shows.
//
// Of two operations that no stream, event or wait orders, either may come first. A program that needs one of
// the two orders and asks for neither works by luck, for months. A check therefore runs it again under
// schedules that decide on purpose what was left open:
//
//   Result plain = make_run().go();
//   plain.expect_clean();
//   for (const Schedule& schedule : schedules_for(plain.trace())) {
//     Run run = make_run();
//     Result result = run.schedule(schedule).go();      // the headline says which: "stream 2 first, the
//     others late" result.expect_clean(); result.expect("y", expected);
//   }
//
// With the streams that the plain run used all put first in turn, each pair of operations that nothing orders
// comes in both orders in some run. On the simulated device a schedule decides exactly, and its times mean
// nothing; on a GPU the runner holds operations back by a host function of 2 ms in their stream. A schedule
// covers the learner regions of the run (Call::learner) and the wait behind each.
//
// The simulated device also finds such a pair by itself, in every run, whatever came first: `expect_clean`
// then says which two calls, and which edge is missing (code "unordered"; "source_changed" when the host
// overwrote the pinned source of a copy that it could not know to be done).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace workbook {

class Trace;

// An order in which the device takes what the program left open.
struct Schedule {
  // By the time model; each as soon as it can; each as late as it can; one stream first; by lot.
  enum class Kind { modelled, early, late, first, by_lot };
  Kind kind = Kind::modelled;  // which of them
  std::int64_t number = 0;     // first: the stream, by its number in the trace; by_lot: a seed
  std::string words() const;   // "stream 2 first, the others late"; empty for the modelled one
};

// Each operation is done before its call returns.
inline Schedule all_early() {
  return {Schedule::Kind::early, 0};
}
// Each operation is done when the host waits for it, or for what depends on it.
inline Schedule all_late() {
  return {Schedule::Kind::late, 0};
}
// A stream's operations early, those of the others late.
inline Schedule stream_first(int stream) {
  return {Schedule::Kind::first, stream};
}
// Any order that is allowed, drawn from the seed.
inline Schedule by_lot(std::int64_t seed) {
  return {Schedule::Kind::by_lot, seed};
}

// All early, all late, each stream of that run first where there are several, and some by lot.
std::vector<Schedule> schedules_for(const Trace& plain, int by_lot = 2);

}  // namespace workbook
