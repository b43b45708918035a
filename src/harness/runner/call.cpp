#include <cuda_runtime_api.h>

#include <cstring>

#include "harness/runner/call_state.h"
#include "harness/runner/delays.h"
#include "harness/runner/device.h"
#include "harness/runner/recorder.h"
#include "harness/runner/sample.h"

namespace workbook {

using runner::GraderError;
using runner::Item;
using runner::Own;

namespace runner {

namespace {

// After these the context is lost: every later call returns the same error.
bool is_sticky(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorLaunchFailure:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
      return true;
    default:
      return false;
  }
}

std::string name_of(cudaError_t error) {
  return error == cudaSuccess ? std::string() : cudaGetErrorName(error);
}

std::string text_of(cudaError_t error) {
  return error == cudaSuccess ? std::string() : cudaGetErrorString(error);
}

}  // namespace

void drain_errors(Call::State& state, const std::string& label, bool always) {
  const Own own;
  cudaError_t left = cudaGetLastError();
  // "Not yet" is an answer, not a mistake; a program that asks in a loop leaves it behind.
  if (left == cudaErrorNotReady) left = cudaSuccess;
  const cudaError_t sync = cudaDeviceSynchronize();
  cudaGetLastError();
  const bool bad = left != cudaSuccess || sync != cudaSuccess;
  state.failed = state.failed || bad;
  state.sticky = state.sticky || is_sticky(left) || is_sticky(sync);
  if (!bad && !always) return;
  state.regions.push_back({{"label", label},
                           {"left", name_of(left)},
                           {"left_text", text_of(left)},
                           {"sync", name_of(sync)},
                           {"sync_text", text_of(sync)}});
}

}  // namespace runner

namespace {

const Item& need_item(const Call::State& state, std::string_view name, char mode) {
  const Item* item = state.exchange.find(name);
  if (item == nullptr) throw GraderError{"the check sets no '" + std::string(name) + "'"};
  if (mode != 0 && item->mode != mode)
    throw GraderError{"'" + std::string(name) + "' is set in another way by the check"};
  return *item;
}

// Ends the region also when the learner's code throws.
class Region {
 public:
  Region(const std::string& label, runner::OrderedFailures failures) : label_(label) {
    runner::begin_region(label_, failures);
  }
  ~Region() { runner::end_region(label_); }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

 private:
  std::string label_;
};

}  // namespace

bool Call::has(std::string_view name) const {
  return state_.exchange.find(name) != nullptr;
}

std::string Call::text(std::string_view name) const {
  const Item& item = need_item(state_, name, 't');
  return std::string(reinterpret_cast<const char*>(state_.exchange.data(item)), item.bytes());
}

std::size_t Call::count(std::string_view name) const {
  return need_item(state_, name, 0).count;
}

void Call::scalar(std::string_view name, void* out, std::size_t bytes) const {
  const Item& item = need_item(state_, name, 'v');
  if (item.bytes() != bytes)
    throw GraderError{"'" + std::string(name) + "' has " + std::to_string(item.bytes()) +
                      " bytes in the check, and " + std::to_string(bytes) + " in the driver"};
  std::memcpy(out, state_.exchange.data(item), bytes);
}

void* Call::host(std::string_view name, char mode) {
  return state_.buffers.host(name, mode);
}

void* Call::device(std::string_view name, char mode) {
  return state_.buffers.device(name, mode);
}

void Call::renew() {
  state_.buffers.renew();
}

void Call::learner(const std::function<void()>& body) {
  learner("", body);
}

void Call::learner(std::string_view label, const std::function<void()>& body) {
  {
    const Own own;
    cudaGetLastError();
  }
  runner::begin_schedule();
  {
    const Region region(std::string(label), std::exchange(state_.failures, {}));
    body();
  }
  ++state_.regions_recorded;
  runner::drain_errors(state_, std::string(label), true);
  runner::write_device_times();
  runner::end_schedule();
}

void Call::result(std::string_view name, double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  state_.results[std::string(name)] = {{"kind", "number"}, {"bits", bits}};
}

void Call::result(std::string_view name, std::int64_t value) {
  state_.results[std::string(name)] = {{"kind", "integer"}, {"value", value}};
}

void Call::result(std::string_view name, std::string_view value) {
  state_.results[std::string(name)] = {{"kind", "text"}, {"value", std::string(value)}};
}

void Call::result_bytes(std::string_view name, const void* data, std::size_t bytes) {
  state_.results[std::string(name)] = {
      {"kind", "bytes"}, {"offset", state_.exchange.append(data, bytes)}, {"bytes", bytes}};
}

void Call::fail_allocation(int nth) {
  if (nth < 0) throw GraderError{"fail_allocation counts from 1"};
  if (nth == 0) runner::forget_failures();
  state_.failures.allocation = nth;
}

void Call::fail_copy(int nth) {
  if (nth < 0) throw GraderError{"fail_copy counts from 1"};
  if (nth == 0) runner::forget_failures();
  state_.failures.copy = nth;
}

void Call::fail_launch(int nth) {
  if (nth < 0) throw GraderError{"fail_launch counts from 1"};
  if (nth == 0) runner::forget_failures();
  state_.failures.launch = nth;
}

void Call::blocks_in_order(bool in_order) {
  if (const auto* doors = runner::simulated()) doors->blocks_in_order(in_order ? 1 : 0);
}

bool Call::idle() const {
  if (const auto* doors = runner::simulated()) return doors->idle() != 0;
  return runner::learner_streams_idle();
}

bool Call::simulated() const {
  return runner::simulated() != nullptr;
}

}  // namespace workbook
