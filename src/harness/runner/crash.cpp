#include "harness/runner/crash.h"

#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <csignal>

namespace workbook::runner {

namespace {

Exchange* watched = nullptr;
struct sigaction usual {};
pthread_t whose_stack{};
std::uintptr_t stack_end = 0;  // the lowest address that the stack can reach
constexpr std::uintptr_t slack = 64 << 10;
constexpr std::size_t signal_stack_bytes = 256 << 10;

void on_bad_access(int number, siginfo_t* info, void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  const auto stack_pointer = static_cast<std::uintptr_t>(registers[REG_RSP]);
  if (info->si_code > 0 && watched != nullptr && pthread_equal(pthread_self(), whose_stack) != 0 &&
      stack_pointer < stack_end + slack)
    watched->remark(protocol::remark_stack_overflow);
  sigaction(number, &usual, nullptr);
  // Back in the program the same access fails again, and whoever was there before is asked. A signal that was
  // sent by somebody has to be sent again.
  if (info->si_code <= 0) raise(number);
}

// A handler needs a stack of its own when the usual one is full.
bool have_signal_stack() {
  stack_t known{};
  if (sigaltstack(nullptr, &known) == 0 && (known.ss_flags & SS_DISABLE) == 0) return true;
  void* const memory =
      mmap(nullptr, signal_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  stack_t stack{};
  stack.ss_sp = memory;
  stack.ss_size = signal_stack_bytes;
  return sigaltstack(&stack, nullptr) == 0;
}

std::uintptr_t end_of_this_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* lowest = nullptr;
  std::size_t bytes = 0;
  pthread_attr_getstack(&attributes, &lowest, &bytes);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<std::uintptr_t>(lowest);
}

}  // namespace

CrashRemarks::CrashRemarks(Exchange& exchange) {
  whose_stack = pthread_self();
  stack_end = end_of_this_stack();
  if (stack_end == 0 || !have_signal_stack()) return;
  struct sigaction action {};
  action.sa_sigaction = on_bad_access;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  watched = &exchange;
  sigaction(SIGSEGV, &action, &usual);
}

CrashRemarks::~CrashRemarks() {
  if (watched == nullptr) return;
  watched = nullptr;
  sigaction(SIGSEGV, &usual, nullptr);
}

}  // namespace workbook::runner
