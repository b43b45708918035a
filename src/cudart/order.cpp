// The engine under a schedule that is not the modelled one: see order.h.
#include "cudart/order.h"

#include "base/mix.h"
#include "cudart/engine.h"

namespace workbook::cudart {

namespace {

std::uint64_t mix(std::uint64_t x) {
  return base::mix_bits(x + base::golden_step);
}

}  // namespace

// An operation was asked for: whether anybody waits for it already.
void Engine::plan(const OpRef& op) {
  using Kind = Schedule::Kind;
  const bool at_once =
      schedule_.kind == Kind::early || (schedule_.kind == Kind::first && op->stream == schedule_.stream) ||
      (schedule_.kind == Kind::seeded && (mix(schedule_.seed ^ op->sequence << 20) & 1) != 0);
  if (at_once) want(op, schedule_.kind == Kind::first ? 0 : 1);
}

// Somebody waits for it, so for all that it depends on.
void Engine::want(const OpRef& op, int turn) {
  if (!schedule_.adversarial()) return;
  const std::int64_t now = Scheduler::get().self().now;
  std::vector<Op*> todo{op.get()};
  while (!todo.empty()) {
    Op& one = *todo.back();
    todo.pop_back();
    if (one.done() || (one.wanted_at <= now && one.turn <= turn)) continue;
    one.wanted_at = std::min(one.wanted_at, now);
    one.turn = std::min(one.turn, turn);
    for (const OpRef& other : one.after) todo.push_back(other.get());
  }
}

// Both are wanted, and nothing else holds them back.
bool Engine::goes_before(const Op& one, const Op& other) const {
  if (one.turn != other.turn) return one.turn < other.turn;
  if (schedule_.kind == Schedule::Kind::seeded) {
    const std::uint64_t mine = mix(schedule_.seed ^ one.sequence << 20 ^ 2);
    const std::uint64_t its = mix(schedule_.seed ^ other.sequence << 20 ^ 2);
    if (mine != its) return mine < its;
  }
  const bool in_order = schedule_.kind == Schedule::Kind::early || one.turn == 0;
  return in_order ? one.sequence < other.sequence : one.sequence > other.sequence;
}

Engine::Candidate Engine::next_by_schedule() {
  Candidate ending, wanted, held;
  for (Stream* stream : all_streams()) {
    if (stream->queue.empty()) continue;
    Op& op = *stream->queue.front();
    if (op.open_ended) continue;
    if (op.started >= 0) {
      if (op.due < ending.at) ending = {stream, &op, op.due, true};
      continue;
    }
    const bool waits =
        std::any_of(op.after.begin(), op.after.end(), [](const OpRef& other) { return !other->done(); });
    if (waits) continue;
    if (op.wanted_at != never) {
      if (wanted.op == nullptr || goes_before(op, *wanted.op))
        wanted = {stream, &op, std::max(now_, op.wanted_at), false};
      continue;
    }
    const std::int64_t at = std::max(now_, op.called + latest_ns);
    if (held.op == nullptr || at < held.at || (at == held.at && goes_before(op, *held.op)))
      held = {stream, &op, at, false};
  }
  if (ending.op != nullptr) return ending;
  return wanted.op != nullptr ? wanted : held;
}

void Engine::settle() {
  if (schedule_.kind != Schedule::Kind::early) return;
  while (next().op != nullptr) step();
}

}  // namespace workbook::cudart
