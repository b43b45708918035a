#include "harness/runner/delays.h"

#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "base/mix.h"
#include "harness/runner/device.h"
#include "harness/runner/recorder.h"
#include "workbook/schedules.h"

namespace workbook::runner {

namespace {

using Kind = Schedule::Kind;

constexpr unsigned late_us = 2000;  // far longer than what an exercise's operation takes
constexpr unsigned early_us = 300;

Schedule chosen;
std::atomic<bool> on{false};
std::atomic<std::uint64_t> operations{0};

bool is_late(cudaStream_t stream) {
  switch (chosen.kind) {
    case Kind::late:
      return true;
    case Kind::first:
      return stream_number(stream) != chosen.number;
    case Kind::by_lot:
      return (base::mix_bits(static_cast<std::uint64_t>(chosen.number) * base::golden_step + ++operations) &
              1) != 0;
    default:
      return false;
  }
}

}  // namespace

void set_schedule(int kind, long long number) {
  chosen.kind = static_cast<Kind>(kind);
  chosen.number = number;
  operations = 0;
}

void begin_schedule() {
  on = chosen.kind != Kind::modelled;
  if (on && simulated() != nullptr) simulated()->schedule(static_cast<int>(chosen.kind), chosen.number);
}

void end_schedule() {
  if (on && simulated() != nullptr) simulated()->schedule(0, 0);
  on = false;
}

void hold_back(cudaStream_t stream) {
  if (!on || simulated() != nullptr || Own::here() || !is_late(stream)) return;
  const Own own;
  // Refused while a graph is captured: then there is nothing to hold back.
  if (cudaLaunchHostFunc(
          stream, [](void*) { usleep(late_us); }, nullptr) != cudaSuccess)
    cudaGetLastError();
}

void let_it_run() {
  if (!on || simulated() != nullptr || Own::here() || chosen.kind != Kind::early) return;
  usleep(early_us);
}

}  // namespace workbook::runner
