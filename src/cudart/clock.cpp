// The clocks and the sleeping functions a program may call, over the virtual time of the calling thread.
//
// steady_clock and system_clock read clock_gettime, sleep_for calls nanosleep or clock_nanosleep; all of them
// come here because this library stands before libc in the order of lookup. Clocks of CPU time stay real.
#include "cudart/clock.h"

#include <errno.h>
#include <sys/time.h>

#include "cudart/real.h"
#include "cudart/scheduler.h"

#define WORKBOOK_EXPORT extern "C" __attribute__((visibility("default")))

namespace workbook::cudart {

namespace {

constexpr std::int64_t second = 1'000'000'000;
std::int64_t monotonic_start = 0;
std::int64_t realtime_start = 0;
std::int64_t read_cost = 43;

bool is_realtime(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

std::int64_t start_of(clockid_t clock) {
  return is_realtime(clock) ? realtime_start : monotonic_start;
}

// One read of a clock; the read itself takes its time first, so two reads never give the same.
std::int64_t read_clock(clockid_t clock) {
  Operation operation;
  Scheduler::get().advance(read_cost);
  return start_of(clock) + Scheduler::get().self().now;
}

void sleep_until(std::int64_t virtual_time) {
  Operation operation;
  Scheduler& scheduler = Scheduler::get();
  if (virtual_time > scheduler.self().now) scheduler.block(nullptr, virtual_time);
}

void sleep_for(std::int64_t ns) {
  Operation operation;
  Scheduler& scheduler = Scheduler::get();
  scheduler.block(nullptr, scheduler.self().now + (ns < 0 ? 0 : ns));
}

}  // namespace

void start_clocks() {
  monotonic_start = real_now_ns(CLOCK_MONOTONIC);
  realtime_start = real_now_ns(CLOCK_REALTIME);
}

void set_clock_read_cost(std::int64_t ns) {
  read_cost = ns;
}

bool is_virtual(clockid_t clock) {
  return is_realtime(clock) || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW ||
         clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME;
}

std::int64_t virtual_time_of(clockid_t clock, const timespec& at) {
  return std::int64_t{at.tv_sec} * second + at.tv_nsec - start_of(clock);
}

}  // namespace workbook::cudart

using workbook::cudart::is_virtual;
using workbook::cudart::read_clock;
using workbook::cudart::real;
using workbook::cudart::Scheduler;
using workbook::cudart::second;

WORKBOOK_EXPORT int clock_gettime(clockid_t clock, timespec* out) noexcept {
  if (!is_virtual(clock) || Scheduler::get().participant() == nullptr) {
    return real().clock_gettime(clock, out);
  }
  const std::int64_t ns = read_clock(clock);
  out->tv_sec = ns / second;
  out->tv_nsec = ns % second;
  return 0;
}

WORKBOOK_EXPORT int gettimeofday(timeval* out, void* zone) noexcept {
  if (Scheduler::get().participant() == nullptr) return real().gettimeofday(out, zone);
  const std::int64_t ns = read_clock(CLOCK_REALTIME);
  out->tv_sec = ns / second;
  out->tv_usec = ns % second / 1000;
  return 0;
}

WORKBOOK_EXPORT time_t time(time_t* out) noexcept {
  if (Scheduler::get().participant() == nullptr) return real().time(out);
  const time_t seconds = read_clock(CLOCK_REALTIME) / second;
  if (out != nullptr) *out = seconds;
  return seconds;
}

WORKBOOK_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* request, timespec* remain) {
  if (request == nullptr || !is_virtual(clock) || Scheduler::get().participant() == nullptr) {
    return real().clock_nanosleep(clock, flags, request, remain);
  }
  if (request->tv_nsec < 0 || request->tv_nsec >= second || request->tv_sec < 0) return EINVAL;
  if ((flags & TIMER_ABSTIME) != 0) {
    workbook::cudart::sleep_until(workbook::cudart::virtual_time_of(clock, *request));
  } else {
    workbook::cudart::sleep_for(request->tv_sec * second + request->tv_nsec);
  }
  return 0;
}

WORKBOOK_EXPORT int nanosleep(const timespec* request, timespec* remain) {
  if (request == nullptr || Scheduler::get().participant() == nullptr)
    return real().nanosleep(request, remain);
  const int error = clock_nanosleep(CLOCK_MONOTONIC, 0, request, remain);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

WORKBOOK_EXPORT int usleep(useconds_t us) {
  if (Scheduler::get().participant() == nullptr) return real().usleep(us);
  workbook::cudart::sleep_for(std::int64_t{us} * 1000);
  return 0;
}

WORKBOOK_EXPORT unsigned sleep(unsigned seconds) {
  if (Scheduler::get().participant() == nullptr) return real().sleep(seconds);
  workbook::cudart::sleep_for(seconds * second);
  return 0;
}
