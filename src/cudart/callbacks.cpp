#include "cudart/callbacks.h"

#include <deque>

#include "cudart/call.h"
#include "cudart/hazards.h"
#include "cudart/real.h"

namespace workbook::cudart {

namespace {

struct Due {
  OpRef op;
  std::function<void()> function;
  std::int64_t at = 0;
};

// Made with the first callback; never ends.
struct CallbackThread {
  HostThread* party = nullptr;
  std::deque<Due> due;
};
CallbackThread& the_thread() {
  static auto* const thread = new CallbackThread;
  return *thread;
}

void* run_callbacks(void*) {
  CallbackThread& thread = the_thread();
  Scheduler& scheduler = Scheduler::get();
  scheduler.begin(thread.party);
  scheduler.enter();
  in_callback() = true;  // no CUDA from here: the calls would wait for the stream that waits for them
  for (;;) {
    while (thread.due.empty()) scheduler.block(&thread);
    Due work = std::move(thread.due.front());
    thread.due.pop_front();
    HostThread& me = scheduler.self();
    me.now = std::max(me.now, work.at);
    // The program's function knows what the stream has done, and may tell the other threads.
    Runtime::get().engine().host_knows(work.op->ordered);
    Runtime::get().hazards().host_function_runs();
    {
      Outside outside;
      work.function();
    }
    Runtime::get().engine().complete(*work.op, me.now);
  }
  return nullptr;
}

void need_thread() {
  CallbackThread& thread = the_thread();
  if (thread.party != nullptr) return;
  Scheduler& scheduler = Scheduler::get();
  thread.party = scheduler.adopt(scheduler.self().now);
  pthread_t id{};
  if (real().create(&id, nullptr, run_callbacks, nullptr) == 0) {
    thread.party->id = id;
    real().detach(id);
  }
}

}  // namespace

void enqueue_callback(Engine& engine, Stream& stream, std::int64_t earliest, std::function<void()> function) {
  need_thread();
  const auto self = std::make_shared<OpRef>();
  Op op;
  op.earliest = earliest;
  op.begin = [self, function = std::move(function)](const Op& begun) {
    the_thread().due.push_back({*self, function, begun.started});
    Scheduler::get().wake(&the_thread(), 1, begun.started);
    return Engine::not_known_yet;
  };
  *self = engine.enqueue(stream, std::move(op));
}

}  // namespace workbook::cudart
