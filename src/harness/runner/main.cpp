// main() of every runner: serves the judge's requests until it closes the socket.
#include <cuda_runtime_api.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "harness/runner/call_state.h"
#include "harness/runner/crash.h"
#include "harness/runner/delays.h"
#include "harness/runner/device.h"
#include "harness/runner/recorder.h"
#include "harness/runner/registry.h"

namespace {

using namespace workbook;
using nlohmann::json;
using runner::Exchange;
using runner::GraderError;

int control_descriptor() {
  const char* text = std::getenv("WORKBOOK_CONTROL_FD");
  if (text == nullptr) {
    std::fputs("This program holds the code of an exercise. It is started by ./workbook check.\n", stderr);
    std::exit(2);
  }
  return std::atoi(text);
}

// Empty, or why nothing can run here.
std::string device_trouble() {
  const runner::Own own;
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) return std::string("no GPU can be used: ") + cudaGetErrorString(error);
  return count == 0 ? "this machine has no GPU" : std::string();
}

DriverFunction find_driver(const std::string& name) {
  const auto& drivers = runner::drivers();
  if (const auto found = drivers.find(name); found != drivers.end()) return found->second;
  std::string known;
  for (const auto& [other, function] : drivers) known += (known.empty() ? "" : ", ") + other;
  throw GraderError{"there is no driver '" + name + "'; there are: " + known};
}

// Runs the driver and fills `response`. True: this process may serve another request.
bool serve(Exchange& exchange, json& response) {
  if (const auto trouble = runner::handshake_trouble(); !trouble.empty()) throw GraderError{trouble};
  if (const auto trouble = device_trouble(); !trouble.empty()) {
    response = {{"status", "no_device"}, {"text", trouble}};
    return false;
  }
  runner::start_recording();
  runner::set_schedule(exchange.schedule_kind(), exchange.schedule_number());
  Call::State state(exchange);
  Call call(state);
  response["status"] = "ok";
  try {
    find_driver(exchange.driver())(call);
  } catch (const std::exception& error) {
    response["status"] = "exception";
    response["text"] = error.what();
  }
  runner::drain_errors(state, "", false);
  state.buffers.collect(response);
  response["results"] = std::move(state.results);
  response["measured"] = std::move(state.measured);
  response["regions"] = std::move(state.regions);
  response["regions_recorded"] = state.regions_recorded;
  response["sticky"] = state.sticky;
  return !state.sticky;
}

}  // namespace

int main() {
  // What was printed before a crash should be seen.
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const int control = control_descriptor();
  int request = -1, answer_file = -1;
  while (runner::receive(control, request, answer_file)) {
    bool ready = false;
    try {
      Exchange exchange(request, answer_file);
      const runner::CrashRemarks remarks(exchange);
      json response = json::object();
      try {
        ready = serve(exchange, response);
      } catch (const GraderError& error) {
        response = {{"status", "grader_error"}, {"text", error.text}};
      }
      exchange.complete(response);
    } catch (const GraderError& error) {
      std::fprintf(stderr, "%s\n", error.text.c_str());
      return 3;
    }
    std::fflush(nullptr);
    const char answer = ready ? protocol::answer_ready : protocol::answer_spent;
    if (send(control, &answer, 1, MSG_NOSIGNAL) != 1) return 3;
  }
  return 0;
}
