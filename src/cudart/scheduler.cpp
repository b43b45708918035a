#include "cudart/scheduler.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "cudart/real.h"

namespace workbook::cudart {

namespace {

constexpr std::int64_t patience_ns = 2'000'000'000;  // of real time
constexpr std::int64_t look_every_ns = 250'000'000;

thread_local HostThread* self_thread = nullptr;

}  // namespace

// A lock of our own: this library must not lock a mutex through the functions it replaces.
class Scheduler::Guard {
 public:
  explicit Guard(Scheduler& s) : word_(s.lock_) {
    while (word_.exchange(1, std::memory_order_acquire) != 0) {
      real_futex_wait(reinterpret_cast<std::uint32_t*>(&word_), 1, 1'000'000);
    }
  }
  ~Guard() {
    word_.store(0, std::memory_order_release);
    real_futex_wake(reinterpret_cast<std::uint32_t*>(&word_), 1);
  }

 private:
  std::atomic<std::uint32_t>& word_;
};

Scheduler& Scheduler::get() {
  static Scheduler* const scheduler =
      new Scheduler;  // never destroyed: other threads may outlive the destructors
  return *scheduler;
}

Scheduler::Scheduler() = default;

HostThread* Scheduler::participant() {
  return self_thread != nullptr && self_thread->inside == 0 ? self_thread : nullptr;
}

HostThread& Scheduler::self() {
  if (self_thread == nullptr) {
    HostThread* const creator = current_.load();
    HostThread* const thread = adopt(creator == nullptr ? 0 : creator->now);
    thread->id = pthread_self();
    thread->state = HostThread::State::astray;  // it runs already, unasked
    self_thread = thread;
    Guard guard(*this);
    if (current_.load() == nullptr) {
      thread->state = HostThread::State::runnable;
      current_ = thread;
    }
  }
  return *self_thread;
}

HostThread* Scheduler::adopt(std::int64_t starts_at) {
  Guard guard(*this);
  auto thread = std::make_unique<HostThread>();
  thread->index = next_index_++;
  thread->now = starts_at;
  if (thread->index > 0) ++others_;
  threads_.push_back(std::move(thread));
  return threads_.back().get();
}

void Scheduler::begin(HostThread* thread) {
  self_thread = thread;
  wait_for_turn(*thread);
}

void Scheduler::enter() {
  HostThread& me = self();
  if (me.inside++ > 0) return;
  ++me.calls;
  if (current_.load(std::memory_order_relaxed) != &me) {
    wait_for_turn(me);
  } else if (!alone() || device_ != nullptr) {
    step_aside(me);
  }
}

void Scheduler::leave() {
  HostThread& me = self();
  --me.inside;
  ++me.calls;
}

// The party furthest behind. Steps the device while it is behind every thread; null when nobody can go on.
// Called by the thread that has the turn, without the guard: only that thread changes states.
HostThread* Scheduler::choose() {
  for (;;) {
    HostThread* best = nullptr;
    std::int64_t best_time = never;
    for (const auto& thread : threads_) {
      std::int64_t time = never;
      if (thread->state == HostThread::State::runnable) time = thread->now;
      if (thread->state == HostThread::State::blocked && thread->deadline != never) {
        time = std::max(thread->deadline, thread->now);
      }
      if (time < best_time) {
        best = thread.get();
        best_time = time;
      }
    }
    const std::int64_t due = device_ == nullptr ? never : device_->next_event();
    if (due == never || due > best_time) return best;
    device_->step();
  }
}

void Scheduler::hand_over(HostThread* to) {
  if (to->state == HostThread::State::blocked) {  // its deadline came
    to->timed_out = true;
    to->now = std::max(to->now, to->deadline);
    to->waits_for = nullptr;
    to->state = HostThread::State::runnable;
  }
  current_.store(to, std::memory_order_release);
  if (to == self_thread) return;
  __atomic_add_fetch(&to->turn, 1, __ATOMIC_RELEASE);
  real_futex_wake(&to->turn, 1);
}

// Lets everybody who is behind go first.
void Scheduler::step_aside(HostThread& me) {
  HostThread* const next = choose();
  if (next == &me || next == nullptr) return;
  {
    Guard guard(*this);
    hand_over(next);
  }
  wait_for_turn(me);
}

void Scheduler::wait_for_turn(HostThread& me) {
  {
    Guard guard(*this);
    if (me.state == HostThread::State::astray) {
      me.state = HostThread::State::runnable;
      if (current_.load() == nullptr) current_ = &me;  // all others are blocked
    }
    me.waiting_for_turn = true;
  }
  for (;;) {
    const std::uint32_t seen = __atomic_load_n(&me.turn, __ATOMIC_ACQUIRE);
    if (current_.load(std::memory_order_acquire) == &me) break;
    HostThread* const before = current_.load();
    const std::uint64_t calls = before == nullptr ? 0 : before->calls;
    const std::int64_t began = real_now_ns(CLOCK_MONOTONIC);
    real_futex_wait(&me.turn, seen, look_every_ns);
    while (current_.load() == before && before != nullptr && before->calls == calls && before->inside == 0 &&
           __atomic_load_n(&me.turn, __ATOMIC_ACQUIRE) == seen) {
      if (real_now_ns(CLOCK_MONOTONIC) - began > patience_ns && overtake(me)) break;
      real_futex_wait(&me.turn, seen, look_every_ns);
    }
  }
  me.waiting_for_turn = false;
}

// The running thread has not called in for a long time: leave it to itself. True when somebody else goes on
// now.
bool Scheduler::overtake(HostThread& me) {
  Guard guard(*this);
  HostThread* const stuck = current_.load();
  if (stuck == nullptr || stuck == &me || stuck->inside > 0) return false;
  HostThread* best = nullptr;
  for (const auto& thread : threads_) {
    if (thread.get() == stuck || thread->state != HostThread::State::runnable || !thread->waiting_for_turn)
      continue;
    if (best == nullptr || thread->now < best->now) best = thread.get();
  }
  if (best != &me) return false;  // the one that is due does it
  stuck->state = HostThread::State::astray;
  lost_order_ = true;
  current_.store(&me, std::memory_order_release);
  return true;
}

bool Scheduler::block(const void* key, std::int64_t deadline) {
  HostThread& me = self();
  me.timed_out = false;
  me.waits_for = key;
  me.deadline = deadline;
  me.blocked_since = ++arrivals_;
  me.state = HostThread::State::blocked;
  HostThread* const next = choose();
  if (next != &me) {
    Guard guard(*this);
    if (next != nullptr) {
      hand_over(next);
    } else {
      const bool somebody = std::any_of(threads_.begin(), threads_.end(), [](const auto& thread) {
        return thread->state == HostThread::State::astray;
      });
      if (!somebody) report_deadlock();
      current_ = nullptr;  // the one that went astray takes the turn at its next call
    }
  } else {
    Guard guard(*this);
    hand_over(&me);
  }
  if (current_.load(std::memory_order_acquire) != &me) wait_for_turn(me);
  me.deadline = never;
  return !me.timed_out;
}

int Scheduler::wake(const void* key, int how_many, std::int64_t at) {
  int woken = 0;
  while (woken < how_many) {
    HostThread* first = nullptr;
    for (const auto& thread : threads_) {
      if (thread->state != HostThread::State::blocked || thread->waits_for != key) continue;
      if (first == nullptr || thread->blocked_since < first->blocked_since) first = thread.get();
    }
    if (first == nullptr) break;
    first->waits_for = nullptr;
    first->now = std::max(first->now, at);
    first->state = HostThread::State::runnable;
    ++woken;
  }
  return woken;
}

void Scheduler::finish(HostThread* thread) {
  if (current_.load() != thread) wait_for_turn(*thread);
  ++thread->inside;  // whatever this thread still calls goes to the system
  wake(thread, 1 << 30, thread->now);
  thread->state = HostThread::State::finished;
  HostThread* const next = choose();
  Guard guard(*this);
  if (thread->index > 0) --others_;
  self_thread = nullptr;
  if (next != nullptr) {
    hand_over(next);
  } else {
    current_ = nullptr;
  }
}

HostThread* Scheduler::find(pthread_t id) {
  // The newest first: the system uses the ids of joined threads again.
  for (auto thread = threads_.rbegin(); thread != threads_.rend(); ++thread) {
    if (!(*thread)->joined && pthread_equal((*thread)->id, id)) return thread->get();
  }
  return nullptr;
}

void Scheduler::forget(HostThread* thread) {
  Guard guard(*this);
  thread->joined = true;
  std::erase_if(threads_, [&](const auto& other) { return other.get() == thread; });
}

void Scheduler::report_deadlock() {
  if (on_deadlock != nullptr) on_deadlock();
  std::fputs("workbook: every host thread waits for another one, so none can go on (a deadlock).\n", stderr);
  std::abort();
}

}  // namespace workbook::cudart
