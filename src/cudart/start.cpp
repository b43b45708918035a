// When the library is loaded, when the program ends, and when it crashes.
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cudart/call.h"
#include "cudart/clock.h"
#include "cudart/faults.h"
#include "cudart/frames.h"
#include "cudart/real.h"

namespace workbook::cudart {

namespace {

constexpr std::size_t signal_stack_bytes = 256u << 10;

// Memory that no host code may touch is where device memory lives: an access there is explained before the
// signal does what it always does. Other crashes pass on at once.
void on_bad_access(int number, siginfo_t* info, void* context) {
  static volatile sig_atomic_t entered = 0;
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  sigaction(number, &usual, nullptr);
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  // si_code <= 0: somebody sent the signal, there is no address.
  if (entered == 0 && info->si_code > 0) {
    entered = 1;
    Runtime& runtime = Runtime::get();
    if (runtime.has_device() && runtime.memory().is_device_address(address)) {
      ++Scheduler::get().self().inside;  // what follows calls the system, not the scheduler
      const auto* const machine = static_cast<const ucontext_t*>(context);
      report_host_dereference(address, static_cast<std::uint64_t>(machine->uc_mcontext.gregs[REG_RIP]));
    }
  }
  raise(number);  // delivered when this handler returns
}

void watch_bad_accesses() {
  void* const memory =
      mmap(nullptr, signal_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t stack{};
  stack.ss_sp = memory;
  stack.ss_size = signal_stack_bytes;
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_bad_access;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
}

void tell_deadlock() {
  const std::string text =
      "Every host thread waits for another one (a lock, a condition, a join), so none can go on: a deadlock.";
  trace::Event call;
  call.frames = capture_frames();
  call.api = "host threads";
  report_host_fault({.kind = "host_deadlock", .text = text}, call);
  if (Runtime::get().quiet()) std::fputs(fmt::format("workbook: {}\n", text).c_str(), stderr);
  std::abort();
}

// The last line of a trace: what there was in all. That it exists says that the program ended by itself.
void write_totals() {
  Runtime& runtime = Runtime::get();
  const std::uint64_t live = runtime.has_device() ? runtime.memory().live_count() : 0;
  const nlohmann::json detail{{"launches", runtime.totals.launches},
                              {"copies", runtime.totals.copies},
                              {"copied_bytes", runtime.totals.copied_bytes},
                              {"faults", runtime.totals.faults},
                              {"live_allocations", live},
                              {"modelled_ns", runtime.now()},
                              {"order_lost", Scheduler::get().lost_order()}};
  runtime.note("totals",
               fmt::format("{} launches, {} copies", runtime.totals.launches, runtime.totals.copies),
               detail.dump());
}

}  // namespace

// Work that nobody waited for is lost at the end of a program, as on a GPU; what was printed so far comes
// out.
__attribute__((destructor)) void at_end() {
  Operation operation;
  Runtime::get().show_output();
  if (Runtime::get().tracing() && Runtime::get().context_exists()) write_totals();
}

__attribute__((constructor)) void at_start() {
  real();
  start_clocks();
  Scheduler& scheduler = Scheduler::get();
  scheduler.self();
  scheduler.on_deadlock = tell_deadlock;
  prepare_frames();
  watch_bad_accesses();
}

}  // namespace workbook::cudart
