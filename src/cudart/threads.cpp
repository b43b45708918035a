// Threads: made, joined, and ended under the scheduler.
#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include "cudart/real.h"
#include "cudart/scheduler.h"

#define WORKBOOK_EXPORT extern "C" __attribute__((visibility("default")))

namespace workbook::cudart {

namespace {

constexpr std::int64_t create_ns = 10'000;  // of the creator; the new thread begins when the call is over
constexpr std::int64_t yield_ns = 200;

struct Start {
  HostThread* thread;
  void* (*function)(void*);
  void* argument;
};

// A key's destructor is the last thing a thread does, after its thread_local objects are gone.
pthread_key_t end_key;
pthread_once_t end_key_once = PTHREAD_ONCE_INIT;

void make_end_key() {
  pthread_key_create(&end_key,
                     [](void* thread) { Scheduler::get().finish(static_cast<HostThread*>(thread)); });
}

void* run_thread(void* argument) {
  const Start start = *static_cast<Start*>(argument);
  delete static_cast<Start*>(argument);
  pthread_setspecific(end_key, start.thread);
  Scheduler::get().begin(start.thread);
  return start.function(start.argument);
}

int create(pthread_t* id, const pthread_attr_t* attributes, void* (*function)(void*), void* argument) {
  Operation operation;
  real().once(&end_key_once, make_end_key);
  Scheduler& scheduler = Scheduler::get();
  scheduler.advance(create_ns);
  HostThread* const thread = scheduler.adopt(scheduler.self().now);
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &detached);
  thread->detached = detached == PTHREAD_CREATE_DETACHED;
  const int error = real().create(id, attributes, run_thread, new Start{thread, function, argument});
  if (error != 0) {
    thread->state = HostThread::State::finished;
    scheduler.forget(thread);
    return error;
  }
  thread->id = *id;
  return 0;
}

int join(pthread_t id, void** result) {
  Scheduler& scheduler = Scheduler::get();
  {
    Operation operation;
    HostThread* const thread = scheduler.find(id);
    if (thread != nullptr && thread != &scheduler.self() && !thread->detached) {
      if (thread->state != HostThread::State::finished) {
        scheduler.block(thread);
      } else if (thread->now > scheduler.self().now) {
        scheduler.self().now = thread->now;
      }
      scheduler.forget(thread);
    }
  }
  return real().join(id, result);  // the thread is past its last operation: this returns at once
}

}  // namespace

}  // namespace workbook::cudart

using workbook::cudart::HostThread;
using workbook::cudart::Operation;
using workbook::cudart::real;
using workbook::cudart::Scheduler;

WORKBOOK_EXPORT int pthread_create(pthread_t* id, const pthread_attr_t* attributes, void* (*function)(void*),
                                   void* argument) noexcept {
  if (Scheduler::get().participant() == nullptr) return real().create(id, attributes, function, argument);
  return workbook::cudart::create(id, attributes, function, argument);
}

WORKBOOK_EXPORT int pthread_join(pthread_t id, void** result) {
  if (Scheduler::get().participant() == nullptr) return real().join(id, result);
  return workbook::cudart::join(id, result);
}

WORKBOOK_EXPORT int pthread_tryjoin_np(pthread_t id, void** result) noexcept {
  if (Scheduler::get().participant() == nullptr) return real().tryjoin(id, result);
  {
    Operation operation;
    Scheduler::get().advance(workbook::cudart::yield_ns);
    const HostThread* const thread = Scheduler::get().find(id);
    if (thread != nullptr && thread->state != HostThread::State::finished) return EBUSY;
  }
  return pthread_join(id, result);
}

WORKBOOK_EXPORT int pthread_detach(pthread_t id) noexcept {
  if (Scheduler::get().participant() != nullptr) {
    Operation operation;
    if (HostThread* const thread = Scheduler::get().find(id)) thread->detached = true;
  }
  return real().detach(id);
}

WORKBOOK_EXPORT int sched_yield() noexcept {
  if (Scheduler::get().participant() == nullptr) return real().sched_yield();
  Operation operation;
  Scheduler::get().advance(workbook::cudart::yield_ns);
  return 0;
}
