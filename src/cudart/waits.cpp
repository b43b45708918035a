// What threads wait for each other with: mutexes, condition variables, read-write locks, semaphores,
// barriers, futexes. A lock keeps its own memory, held by the system's try functions; who waits for it, and
// until when, is the scheduler's. A condition variable has no state but its waiters, so its memory is not
// touched at all.
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>

#include <climits>
#include <unordered_map>

#include "cudart/clock.h"
#include "cudart/real.h"
#include "cudart/scheduler.h"

#define WORKBOOK_EXPORT extern "C" __attribute__((visibility("default")))

namespace workbook::cudart {

namespace {

constexpr std::int64_t lock_ns = 20;  // an uncontended lock or unlock
constexpr int all = INT_MAX;

Scheduler& scheduler() {
  return Scheduler::get();
}
bool real_thread() {
  return Scheduler::get().participant() == nullptr;
}

// Tries until it succeeds or the deadline comes; waits on `key` in between. `attempt` gives 0, or EBUSY.
template <class Attempt>
int acquire(const void* key, std::int64_t deadline, Attempt attempt) {
  Operation operation;
  scheduler().advance(lock_ns);
  for (;;) {
    const int error = attempt();
    if (error != EBUSY) return error;
    if (!scheduler().block(key, deadline)) return ETIMEDOUT;
  }
}

int lock(pthread_mutex_t* mutex, std::int64_t deadline) {
  return acquire(mutex, deadline, [&] {
    const int error = real().mutex_trylock(mutex);
    // An error-checking mutex knows its owner; only lock tells, and it can't block when the owner is the
    // caller.
    const int kind = mutex->__data.__kind & 3;
    if (error == EBUSY && kind == PTHREAD_MUTEX_ERRORCHECK &&
        mutex->__data.__owner == static_cast<int>(real().syscall(SYS_gettid, 0, 0, 0, 0, 0, 0))) {
      return EDEADLK;
    }
    return error;
  });
}

int unlock(pthread_mutex_t* mutex) {
  Operation operation;
  const int error = real().mutex_unlock(mutex);
  scheduler().advance(lock_ns);
  if (error == 0) scheduler().wake(mutex, 1, scheduler().self().now);
  return error;
}

int wait(pthread_cond_t* condition, pthread_mutex_t* mutex, std::int64_t deadline) {
  Operation operation;
  const int error = real().mutex_unlock(mutex);
  if (error != 0) return error;
  scheduler().wake(mutex, 1, scheduler().self().now);
  const bool woken = scheduler().block(condition, deadline);
  const int relock = lock(mutex, never);
  if (relock != 0) return relock;
  return woken ? 0 : ETIMEDOUT;
}

int notify(pthread_cond_t* condition, int how_many) {
  Operation operation;
  scheduler().advance(lock_ns);
  scheduler().wake(condition, how_many, scheduler().self().now);
  return 0;
}

int release(const void* key, int error) {
  scheduler().advance(lock_ns);
  if (error == 0) scheduler().wake(key, all, scheduler().self().now);
  return error;
}

// The initialisers that run now, by control word; the system's own pthread_once would block for real.
std::unordered_map<const void*, HostThread*>& running_once() {
  static auto* const map = new std::unordered_map<const void*, HostThread*>;
  return *map;
}

int once(pthread_once_t* control, void (*function)()) {
  {
    Operation operation;
    while (running_once().contains(control)) scheduler().block(control);
    running_once()[control] = &scheduler().self();
  }
  struct Done {
    pthread_once_t* control;
    ~Done() {
      Operation operation;
      running_once().erase(control);
      scheduler().wake(control, all, scheduler().self().now);
    }
  } done{control};
  return real().once(control, function);
}

struct Barrier {
  unsigned count = 0;
  unsigned arrived = 0;
};
std::unordered_map<const void*, Barrier>& barriers() {
  static auto* const map = new std::unordered_map<const void*, Barrier>;
  return *map;
}

// A futex wait, as std::atomic::wait, std::future and friends make them.
long futex(long word, long operation, long value, long timeout, long fifth, long sixth) {
  const int command = static_cast<int>(operation) & FUTEX_CMD_MASK;
  const auto* const address = reinterpret_cast<const std::uint32_t*>(word);
  if (command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET) {
    Operation inside;
    scheduler().advance(lock_ns);
    const int woken = scheduler().wake(address, static_cast<int>(value), scheduler().self().now);
    // A thread of the system's own may wait there as well.
    const long others = real().syscall(SYS_futex, word, operation, value - woken, timeout, fifth, sixth);
    return woken + (others > 0 ? others : 0);
  }
  if (command != FUTEX_WAIT && command != FUTEX_WAIT_BITSET) {
    return real().syscall(SYS_futex, word, operation, value, timeout, fifth, sixth);
  }
  Operation inside;
  scheduler().advance(lock_ns);
  if (__atomic_load_n(address, __ATOMIC_ACQUIRE) != static_cast<std::uint32_t>(value)) {
    errno = EAGAIN;
    return -1;
  }
  std::int64_t deadline = never;
  if (timeout != 0) {
    const auto& at = *reinterpret_cast<const timespec*>(timeout);
    const clockid_t clock = (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    deadline = command == FUTEX_WAIT ? scheduler().self().now + at.tv_sec * 1'000'000'000 + at.tv_nsec
                                     : virtual_time_of(clock, at);
  }
  if (scheduler().block(address, deadline)) return 0;
  errno = ETIMEDOUT;
  return -1;
}

}  // namespace

}  // namespace workbook::cudart

using namespace workbook::cudart;  // NOLINT: the exported functions below are part of it

WORKBOOK_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  return real_thread() ? real().mutex_lock(mutex) : lock(mutex, never);
}

WORKBOOK_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  if (real_thread()) return real().mutex_trylock(mutex);
  Operation operation;
  scheduler().advance(lock_ns);
  return real().mutex_trylock(mutex);
}

WORKBOOK_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) noexcept {
  if (real_thread()) return real().mutex_timedlock(mutex, until);
  return lock(mutex, virtual_time_of(CLOCK_REALTIME, *until));
}

WORKBOOK_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                            const timespec* until) noexcept {
  if (real_thread()) return real().mutex_clocklock(mutex, clock, until);
  return lock(mutex, virtual_time_of(clock, *until));
}

WORKBOOK_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  return real_thread() ? real().mutex_unlock(mutex) : unlock(mutex);
}

WORKBOOK_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return real_thread() ? real().cond_wait(condition, mutex) : wait(condition, mutex, never);
}

WORKBOOK_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                           const timespec* until) {
  if (real_thread()) return real().cond_timedwait(condition, mutex, until);
  // The clock was chosen when the variable was made; glibc keeps it in bit 1 of this word.
  const bool monotonic = (condition->__data.__wrefs & 2) != 0;
  return wait(condition, mutex, virtual_time_of(monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME, *until));
}

WORKBOOK_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                           const timespec* until) {
  if (real_thread()) return real().cond_clockwait(condition, mutex, clock, until);
  return wait(condition, mutex, virtual_time_of(clock, *until));
}

WORKBOOK_EXPORT int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  return real_thread() ? real().cond_signal(condition) : notify(condition, 1);
}

WORKBOOK_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  return real_thread() ? real().cond_broadcast(condition) : notify(condition, all);
}

WORKBOOK_EXPORT int pthread_once(pthread_once_t* control, void (*function)()) {
  return real_thread() ? real().once(control, function) : once(control, function);
}

WORKBOOK_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  if (real_thread()) return real().rwlock_rdlock(lock);
  return acquire(lock, never, [&] { return real().rwlock_tryrdlock(lock); });
}

WORKBOOK_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  if (real_thread()) return real().rwlock_wrlock(lock);
  return acquire(lock, never, [&] { return real().rwlock_trywrlock(lock); });
}

WORKBOOK_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  if (real_thread()) return real().rwlock_unlock(lock);
  Operation operation;
  return release(lock, real().rwlock_unlock(lock));
}

WORKBOOK_EXPORT int sem_wait(sem_t* semaphore) {
  if (real_thread()) return real().sem_wait(semaphore);
  return acquire(semaphore, never, [&] { return real().sem_trywait(semaphore) == 0 ? 0 : EBUSY; });
}

WORKBOOK_EXPORT int sem_trywait(sem_t* semaphore) noexcept {
  if (real_thread()) return real().sem_trywait(semaphore);
  Operation operation;
  scheduler().advance(lock_ns);
  return real().sem_trywait(semaphore);
}

WORKBOOK_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) noexcept {
  if (real_thread()) return real().sem_clockwait(semaphore, clock, until);
  const int error = acquire(semaphore, virtual_time_of(clock, *until),
                            [&] { return real().sem_trywait(semaphore) == 0 ? 0 : EBUSY; });
  if (error == 0) return 0;
  errno = error;
  return -1;
}

WORKBOOK_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* until) {
  if (real_thread()) return real().sem_timedwait(semaphore, until);
  return sem_clockwait(semaphore, CLOCK_REALTIME, until);
}

WORKBOOK_EXPORT int sem_post(sem_t* semaphore) noexcept {
  if (real_thread()) return real().sem_post(semaphore);
  Operation operation;
  const int error = real().sem_post(semaphore);
  scheduler().advance(lock_ns);
  if (error == 0) scheduler().wake(semaphore, 1, scheduler().self().now);
  return error;
}

WORKBOOK_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t*,
                                         unsigned count) noexcept {
  if (count == 0) return EINVAL;
  Operation operation;
  barriers()[barrier] = {count, 0};
  return 0;
}

WORKBOOK_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  Operation operation;
  barriers().erase(barrier);
  return 0;
}

WORKBOOK_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  Operation operation;
  scheduler().advance(lock_ns);
  const auto found = barriers().find(barrier);
  if (found == barriers().end()) return EINVAL;
  if (++found->second.arrived < found->second.count) {
    scheduler().block(barrier);
    return 0;
  }
  found->second.arrived = 0;
  scheduler().wake(barrier, all, scheduler().self().now);
  return PTHREAD_BARRIER_SERIAL_THREAD;
}

// Variadic in libc's header; on this ABI the fixed form takes the same registers.
extern "C" __attribute__((visibility("default"))) long workbook_syscall(long number, long a, long b, long c,
                                                                        long d, long e,
                                                                        long f) __asm__("syscall");
long workbook_syscall(long number, long a, long b, long c, long d, long e, long f) {
  if (number != SYS_futex || real_thread()) return real().syscall(number, a, b, c, d, e, f);
  return futex(a, b, c, d, e, f);
}
