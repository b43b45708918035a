// Host threads in virtual time.
//
// Each thread of the program has a clock of its own, in nanoseconds since the program began. Exactly one
// thread runs at a time; at every call that reaches this library (CUDA, mutexes, condition variables,
// sleeping, clocks) the thread whose clock is furthest behind goes on, the lower number first when two are
// equal. The simulated device is one more party: what it does at time t happens before any thread goes past
// t. A thread that takes part in an operation is therefore never ahead of a thread that could still run, so
// the order of operations is that of virtual time, the same in every run.
//
// Between those calls a thread's clock stands still: computing costs nothing unless it is declared
// (host_work).
//
// A thread that never calls in (it spins on an atomic, or waits in read(2)) would hold up the others for
// ever. After `patience_ns` of real time it is left running on its own, the next one goes on, and
// `lost_order()` tells that times are no longer certain.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace workbook::cudart {

inline constexpr std::int64_t never = INT64_MAX;

struct HostThread {
  enum class State : std::uint8_t { runnable, blocked, astray, finished };
  int index = 0;         // 0 = main, others in order of creation
  std::int64_t now = 0;  // its clock
  State state = State::runnable;
  const void* waits_for = nullptr;  // blocked: what it waits for
  std::int64_t deadline = never;    // blocked: wakes by itself then
  std::uint64_t blocked_since = 0;  // order of arrival among those that wait for one thing
  bool timed_out = false;
  bool waiting_for_turn = false;
  std::uint32_t turn = 0;   // futex word: changes when it is this thread's turn
  int inside = 0;           // depth of calls into the runtime; > 0: its own calls go to the system
  std::uint64_t calls = 0;  // progress, for the patience of others
  pthread_t id{};
  bool detached = false, joined = false;
};

// The device as a party of the schedule.
class TimedParty {
 public:
  virtual ~TimedParty() = default;
  virtual std::int64_t next_event() = 0;  // `never` when nothing is due
  virtual void step() = 0;                // does what is due at next_event(); may wake threads
};

class Scheduler {
 public:
  static Scheduler& get();

  // The calling thread, or null when it doesn't take part: the system's own, one of the simulator's workers,
  // or one that is inside the runtime already.
  HostThread* participant();
  // The calling thread; it takes part from now on.
  HostThread& self();

  // Around every operation. After `enter` the caller is the only one that runs, and none that could run is
  // behind.
  void enter();
  void leave();

  void advance(std::int64_t ns) { self().now += ns; }
  // Until somebody wakes `key` or the thread's clock reaches the deadline. False: the deadline came first.
  // With nobody left who could wake it, the program is told so and ended.
  bool block(const void* key, std::int64_t deadline = never);
  // Wakes waiters in order of arrival; they go on at `at` or at their own time, whichever is later. The count
  // woken.
  int wake(const void* key, int how_many, std::int64_t at);

  // A new thread: registered by its creator (so that numbers follow the order of creation), taken on by
  // itself.
  HostThread* adopt(std::int64_t starts_at);
  void begin(HostThread* thread);   // by the new thread
  void finish(HostThread* thread);  // by the thread, as its last act
  HostThread* find(pthread_t id);
  void forget(HostThread* thread);  // after a join

  void set_device(TimedParty* device) { device_ = device; }
  bool lost_order() const { return lost_order_; }
  bool alone() const { return others_ == 0; }

  // Called once when nobody can go on; must not return. The default writes to stderr and aborts.
  void (*on_deadlock)() = nullptr;

 private:
  Scheduler();
  class Guard;
  HostThread* choose();
  void hand_over(HostThread* to);
  void wait_for_turn(HostThread& me);
  void step_aside(HostThread& me);
  bool overtake(HostThread& me);
  [[noreturn]] void report_deadlock();

  std::deque<std::unique_ptr<HostThread>> threads_;
  std::atomic<HostThread*> current_{nullptr};
  std::atomic<std::uint32_t> lock_{0};
  TimedParty* device_ = nullptr;
  std::uint64_t arrivals_ = 0;
  int others_ = 0;  // threads besides the first that have not finished
  int next_index_ = 0;
  bool lost_order_ = false;
};

// Inside the runtime the thread's own calls go to the system; a user's callback is outside again.
class Outside {
 public:
  Outside() : thread_(Scheduler::get().self()), depth_(thread_.inside) { thread_.inside = 0; }
  ~Outside() { thread_.inside = depth_; }
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

 private:
  HostThread& thread_;
  int depth_;
};

// `enter` and `leave` by scope, for an operation of this library.
class Operation {
 public:
  Operation() { Scheduler::get().enter(); }
  ~Operation() { Scheduler::get().leave(); }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
};

}  // namespace workbook::cudart
