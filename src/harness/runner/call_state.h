// What a Call holds behind its back.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/runner/buffers.h"
#include "harness/runner/exchange.h"
#include "harness/runner/recorder.h"
#include "workbook/driver.h"

namespace workbook {

struct Call::State {
  explicit State(runner::Exchange& e) : exchange(e), buffers(e) {}
  runner::Exchange& exchange;
  runner::Buffers buffers;
  nlohmann::json results = nlohmann::json::object();
  nlohmann::json measured = nlohmann::json::object();
  nlohmann::json regions = nlohmann::json::array();
  int regions_recorded = 0;          // each has a begin and an end in the trace
  bool failed = false;               // a region left an error
  bool sticky = false;               // the device can't be used any more
  runner::OrderedFailures failures;  // of the next region
  std::vector<std::string> fresh;    // inputs that change from run to run of a measurement; see Call
};

namespace runner {

// Takes the errors that are there now: the last one kept by the runtime, then that of waiting for the device.
// Adds them to the regions when there are any, or when `always`.
void drain_errors(Call::State& state, const std::string& label, bool always);

}  // namespace runner

}  // namespace workbook
