#include "cudart/real.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace workbook::cudart {

namespace {

template <class F>
void find(F& function, const char* name) {
  function = reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

// glibc keeps an old set of condition variables beside the new one; dlsym may give the old, which lays the
// object out differently.
template <class F>
void find_cond(F& function, const char* name) {
  function = reinterpret_cast<F>(dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2"));
  if (function == nullptr) find(function, name);
}

void find_all(Real& r) {
  find(r.clock_gettime, "clock_gettime");
  find(r.gettimeofday, "gettimeofday");
  find(r.time, "time");
  find(r.nanosleep, "nanosleep");
  find(r.clock_nanosleep, "clock_nanosleep");
  find(r.usleep, "usleep");
  find(r.sleep, "sleep");
  find(r.sched_yield, "sched_yield");
  find(r.syscall, "syscall");
  find(r.create, "pthread_create");
  find(r.join, "pthread_join");
  find(r.tryjoin, "pthread_tryjoin_np");
  find(r.detach, "pthread_detach");
  find(r.mutex_lock, "pthread_mutex_lock");
  find(r.mutex_trylock, "pthread_mutex_trylock");
  find(r.mutex_timedlock, "pthread_mutex_timedlock");
  find(r.mutex_clocklock, "pthread_mutex_clocklock");
  find(r.mutex_unlock, "pthread_mutex_unlock");
  find_cond(r.cond_wait, "pthread_cond_wait");
  find_cond(r.cond_timedwait, "pthread_cond_timedwait");
  find(r.cond_clockwait, "pthread_cond_clockwait");
  find_cond(r.cond_signal, "pthread_cond_signal");
  find_cond(r.cond_broadcast, "pthread_cond_broadcast");
  find(r.once, "pthread_once");
  find(r.rwlock_rdlock, "pthread_rwlock_rdlock");
  find(r.rwlock_tryrdlock, "pthread_rwlock_tryrdlock");
  find(r.rwlock_wrlock, "pthread_rwlock_wrlock");
  find(r.rwlock_trywrlock, "pthread_rwlock_trywrlock");
  find(r.rwlock_unlock, "pthread_rwlock_unlock");
  find(r.sem_wait, "sem_wait");
  find(r.sem_trywait, "sem_trywait");
  find(r.sem_timedwait, "sem_timedwait");
  find(r.sem_clockwait, "sem_clockwait");
  find(r.sem_post, "sem_post");
}

Real table;
std::atomic<bool> filled{false};

}  // namespace

const Real& real() {
  // No function-local static: its guard could call back into the functions that are being looked up. Filling
  // twice writes the same values.
  if (!filled.load(std::memory_order_acquire)) {
    find_all(table);
    filled.store(true, std::memory_order_release);
  }
  return table;
}

void real_futex_wait(const std::uint32_t* word, std::uint32_t value, std::int64_t ns) {
  timespec limit{static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
  real().syscall(SYS_futex, reinterpret_cast<long>(word), FUTEX_WAIT_PRIVATE, value,
                 ns < 0 ? 0 : reinterpret_cast<long>(&limit), 0, 0);
}

void real_futex_wake(const std::uint32_t* word, int how_many) {
  real().syscall(SYS_futex, reinterpret_cast<long>(word), FUTEX_WAKE_PRIVATE, how_many, 0, 0, 0);
}

std::int64_t real_now_ns(clockid_t clock) {
  timespec t{};
  real().clock_gettime(clock, &t);
  return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

}  // namespace workbook::cudart
