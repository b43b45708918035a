// The system's own functions behind the names that this library exports itself (clocks, threads, sleeping).
//
// Found by dlsym(RTLD_NEXT) at the first use, because other libraries' constructors may call them before ours
// run.
#pragma once

#include <pthread.h>
#include <semaphore.h>
#include <sys/time.h>
#include <time.h>

#include <cstdint>

namespace workbook::cudart {

struct Real {
  int (*clock_gettime)(clockid_t, timespec*);
  int (*gettimeofday)(timeval*, void*);
  time_t (*time)(time_t*);
  int (*nanosleep)(const timespec*, timespec*);
  int (*clock_nanosleep)(clockid_t, int, const timespec*, timespec*);
  int (*usleep)(unsigned);
  unsigned (*sleep)(unsigned);
  int (*sched_yield)();
  long (*syscall)(long, long, long, long, long, long, long);

  int (*create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  int (*join)(pthread_t, void**);
  int (*tryjoin)(pthread_t, void**);
  int (*detach)(pthread_t);
  int (*mutex_lock)(pthread_mutex_t*);
  int (*mutex_trylock)(pthread_mutex_t*);
  int (*mutex_timedlock)(pthread_mutex_t*, const timespec*);
  int (*mutex_clocklock)(pthread_mutex_t*, clockid_t, const timespec*);
  int (*mutex_unlock)(pthread_mutex_t*);
  int (*cond_wait)(pthread_cond_t*, pthread_mutex_t*);
  int (*cond_timedwait)(pthread_cond_t*, pthread_mutex_t*, const timespec*);
  int (*cond_clockwait)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);
  int (*cond_signal)(pthread_cond_t*);
  int (*cond_broadcast)(pthread_cond_t*);
  int (*once)(pthread_once_t*, void (*)());
  int (*rwlock_rdlock)(pthread_rwlock_t*);
  int (*rwlock_tryrdlock)(pthread_rwlock_t*);
  int (*rwlock_wrlock)(pthread_rwlock_t*);
  int (*rwlock_trywrlock)(pthread_rwlock_t*);
  int (*rwlock_unlock)(pthread_rwlock_t*);
  int (*sem_wait)(sem_t*);
  int (*sem_trywait)(sem_t*);
  int (*sem_timedwait)(sem_t*, const timespec*);
  int (*sem_clockwait)(sem_t*, clockid_t, const timespec*);
  int (*sem_post)(sem_t*);
};

const Real& real();

// Waits until *word no longer holds `value`, or for `ns` nanoseconds of real time (negative: no limit).
void real_futex_wait(const std::uint32_t* word, std::uint32_t value, std::int64_t ns);
void real_futex_wake(const std::uint32_t* word, int how_many);
std::int64_t real_now_ns(clockid_t clock);

}  // namespace workbook::cudart
