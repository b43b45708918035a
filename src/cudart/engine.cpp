#include "cudart/engine.h"

#include <algorithm>

namespace workbook::cudart {

namespace {

constexpr std::size_t queue_limit = 1024;  // launches that a stream holds before the host has to wait
constexpr double share_slack = 1e-9;

bool waits_for_others(const Op& op) {
  return std::any_of(op.after.begin(), op.after.end(), [](const OpRef& other) { return !other->done(); });
}

}  // namespace

Stream* Engine::create(unsigned flags, int priority) {
  auto stream = std::make_unique<Stream>();
  stream->number = ++created_;
  stream->id = static_cast<std::uint64_t>(created_) + 6;
  stream->flags = flags;
  stream->priority = priority;
  stream->blocking = (flags & 1u) == 0;
  streams_.push_back(std::move(stream));
  return streams_.back().get();
}

bool Engine::knows(const Stream* stream) const {
  return stream == &legacy_ || std::any_of(streams_.begin(), streams_.end(),
                                           [&](const auto& other) { return other.get() == stream; });
}

void Engine::destroy(Stream* stream) {
  const auto found = std::find_if(streams_.begin(), streams_.end(),
                                  [&](const auto& other) { return other.get() == stream; });
  if (found == streams_.end()) return;
  if (stream->last != nullptr) {
    departed_.join(stream->last->ordered);
    if (stream->blocking) departed_blocking_.join(stream->last->ordered);
  }
  if (!stream->queue.empty()) leaving_.push_back(std::move(*found));
  streams_.erase(found);
}

std::vector<Stream*> Engine::all_streams() {
  std::vector<Stream*> all{&legacy_};
  for (const auto& stream : streams_) all.push_back(stream.get());
  for (const auto& stream : leaving_) all.push_back(stream.get());
  return all;
}

OpRef Engine::enqueue(Stream& stream, Op op) {
  if (stream.queue.size() >= queue_limit) wait(stream.queue.front());
  op.sequence = ++sequence_;
  op.stream = stream.number;
  op.place = ++stream.places;
  op.called = Scheduler::get().self().now;
  // What is done already orders nothing in time any more, but it is known to be done.
  const auto depend_on = [&](const Stream& other) {
    if (other.last != nullptr) op.after.push_back(other.last);
  };
  depend_on(stream);
  if (&stream == &legacy_) {
    op.ordered.join(departed_blocking_);
    for (Stream* other : all_streams()) {
      if (other->blocking && other != &stream) depend_on(*other);
    }
  } else if (stream.blocking) {
    depend_on(legacy_);
  }
  op.ordered.join(host_);
  for (const OpRef& other : op.after) op.ordered.join(other->ordered);
  op.ordered.add(op.stream, op.place);
  std::erase_if(op.after, [](const OpRef& other) { return other->done(); });
  auto ref = std::make_shared<Op>(std::move(op));
  stream.queue.push_back(ref);
  stream.last = ref;
  plan(ref);
  return ref;
}

void Engine::host_knows(const Ordered& done) {
  host_.join(done);
  if (on_knowledge != nullptr) on_knowledge();
}

void Engine::wait(const OpRef& op) {
  Scheduler& scheduler = Scheduler::get();
  want(op, 1);
  while (!op->done()) scheduler.block(op.get());
  HostThread& me = scheduler.self();
  me.now = std::max(me.now, op->ended);
  host_knows(op->ordered);
}

void Engine::wait_for_stream(Stream& stream) {
  if (stream.last != nullptr) wait(stream.last);
  if (&stream != &legacy_) return;
  // The legacy stream stands for every blocking stream too.
  host_knows(departed_blocking_);
  for (Stream* other : all_streams()) {
    if (other->blocking && other->last != nullptr) wait(other->last);
  }
}

void Engine::wait_for_all() {
  std::vector<OpRef> last;
  for (Stream* stream : all_streams()) {
    if (stream->last != nullptr) last.push_back(stream->last);
  }
  for (const OpRef& op : last) want(op, 1);
  for (const OpRef& op : last) wait(op);
  host_knows(departed_);
}

bool Engine::ask(const OpRef& op) {
  if (op->done()) {
    host_knows(op->ordered);
    return true;
  }
  if (++op->questions >= most_questions) want(op, 1);
  return false;
}

bool Engine::ask(Stream& stream) {
  bool done = stream.last == nullptr || ask(stream.last);
  if (&stream != &legacy_) return done;
  for (const auto& other : streams_) {
    if (other->blocking && other->last != nullptr) done = ask(other->last) && done;
  }
  return done;
}

bool Engine::idle() const {
  return legacy_.queue.empty() && leaving_.empty() &&
         std::all_of(streams_.begin(), streams_.end(),
                     [](const auto& stream) { return stream->queue.empty(); });
}

std::int64_t Engine::ready_at(const Stream& stream, const Op& op) const {
  std::int64_t at = std::max(op.earliest, now_);
  for (const OpRef& other : op.after) at = std::max(at, other->ended);
  if (op.is_kernel && stream.last_was_kernel) at = std::max(at, stream.last_kernel_end + launch_gap_);
  return at;
}

bool Engine::engine_free(const Op& op, std::int64_t) const {
  if (op.engine == EngineKind::none) return true;
  if (op.engine != EngineKind::compute) return busy_[static_cast<std::size_t>(op.engine)] == 0;
  return busy_[static_cast<std::size_t>(EngineKind::compute)] == 0 ||
         busy_share_ + op.share <= 1 + share_slack;
}

Engine::Candidate Engine::next() {
  return schedule_.adversarial() ? next_by_schedule() : next_modelled();
}

// The next thing that happens. Of the heads that wait for one engine only the first in order of priority,
// readiness and call may take it: a large kernel is not overtaken for ever by small ones.
Engine::Candidate Engine::next_modelled() {
  Candidate best;
  std::array<Candidate, 5> first;
  for (Stream* stream : all_streams()) {
    if (stream->queue.empty()) continue;
    Op& op = *stream->queue.front();
    if (op.open_ended) continue;
    if (op.started >= 0) {
      if (op.due < best.at || (op.due == best.at && best.ends && op.sequence < best.op->sequence)) {
        best = {stream, &op, op.due, true};
      }
      continue;
    }
    if (waits_for_others(op)) continue;
    const Candidate mine{stream, &op, ready_at(*stream, op), false};
    Candidate& other = first[static_cast<std::size_t>(op.engine)];
    if (op.engine == EngineKind::none) {
      if (mine.at < other.at ||
          (mine.at == other.at && (other.op == nullptr || op.sequence < other.op->sequence))) {
        other = mine;
      }
      continue;
    }
    // Both ready when the engine is free next: the higher priority (the lower number) goes first.
    const bool both_ready = other.op != nullptr && mine.at <= now_ && other.at <= now_;
    const bool before = other.op == nullptr ||
                        (both_ready && stream->priority != other.stream->priority
                             ? stream->priority < other.stream->priority
                             : (mine.at != other.at ? mine.at < other.at : op.sequence < other.op->sequence));
    if (before) other = mine;
  }
  for (const Candidate& candidate : first) {
    if (candidate.op == nullptr || !engine_free(*candidate.op, candidate.at)) continue;
    if (candidate.at < best.at) best = candidate;  // at equal times what ends goes before what begins
  }
  return best;
}

std::int64_t Engine::next_event() {
  return next().at;
}

void Engine::step() {
  const Candidate candidate = next();
  if (candidate.op == nullptr) return;
  now_ = std::max(now_, candidate.at);
  if (candidate.ends) {
    finish(*candidate.stream, candidate.at);
  } else {
    start(*candidate.stream, *candidate.op, candidate.at);
  }
}

void Engine::start(Stream& stream, Op& op, std::int64_t at) {
  op.started = at;
  busy_[static_cast<std::size_t>(op.engine)] += 1;
  if (op.engine == EngineKind::compute) busy_share_ += op.share;
  op.open_ended = true;
  const OpRef keep = stream.queue.front();
  const std::int64_t duration = op.begin ? op.begin(op) : 0;
  if (duration == not_known_yet) return;
  op.open_ended = false;
  op.due = schedule_.adversarial() ? at : at + duration;
}

void Engine::complete(Op& op, std::int64_t at) {
  op.due = std::max(at, op.started);
  op.open_ended = false;
}

void Engine::finish(Stream& stream, std::int64_t at) {
  const OpRef op = stream.queue.front();
  busy_[static_cast<std::size_t>(op->engine)] -= 1;
  if (op->engine == EngineKind::compute) {
    busy_share_ -= op->share;
    if (busy_[static_cast<std::size_t>(EngineKind::compute)] == 0) busy_share_ = 0;
  }
  op->ended = at;
  stream.queue.pop_front();
  stream.last_was_kernel = op->is_kernel;
  if (op->is_kernel) stream.last_kernel_end = at;
  if (op->end) op->end(*op);
  op->begin = nullptr;  // what they hold (staged bytes, parameters) is not needed any more
  op->end = nullptr;
  op->after.clear();
  Scheduler::get().wake(op.get(), INT32_MAX, at);
  std::erase_if(leaving_, [](const auto& other) { return other->queue.empty(); });
}

void Engine::abandon(std::int64_t at) {
  now_ = std::max(now_, at);
  for (Stream* stream : all_streams()) {
    while (!stream->queue.empty()) {
      const OpRef op = stream->queue.front();
      stream->queue.pop_front();
      op->ended = at;
      if (op->started < 0) op->started = at;
      op->begin = nullptr;
      op->end = nullptr;
      op->after.clear();
      Scheduler::get().wake(op.get(), INT32_MAX, at);
    }
  }
  leaving_.clear();
  busy_ = {};
  busy_share_ = 0;
}

}  // namespace workbook::cudart
