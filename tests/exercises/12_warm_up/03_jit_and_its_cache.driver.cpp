#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

using Variables = std::vector<std::pair<std::string, std::string>>;
struct Child {
  std::string name;
  Variables variables;
};
struct Evidence {
  bool machine_code;
  Variables variables;
  std::vector<std::string> before;
  std::vector<std::string> after;
  std::vector<std::string> records;
  double first_us, second_us;
};
enum class Start { machine_code, compiled, stored, cached };
std::vector<Child> experiment(const std::string& folder);
Start how_it_started(const Evidence& e);
cudaError_t launch_large(float* d_x, int n);

namespace {

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

Variables variables_in(const std::string& text) {
  Variables out;
  for (const std::string& line : lines(text)) {
    const std::size_t equals = line.find('=');
    out.emplace_back(line.substr(0, equals), line.substr(equals + 1));
  }
  return out;
}

}  // namespace

// A line for each child: its name; then "\tNAME=VALUE" for each variable.
WORKBOOK_DRIVER(experiment) {
  std::string text;
  const std::string folder = call.text("folder");
  call.learner([&] {
    for (const Child& child : experiment(folder)) {
      text += child.name + "\n";
      for (const auto& [name, value] : child.variables) text += "\t" + name + "=" + value + "\n";
    }
  });
  call.result("children", text);
}

// The child itself. Nothing in it is the learner's; the region is there for what the device records.
WORKBOOK_DRIVER(child) {
  using namespace std::chrono;
  const auto now = [] {
    return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
  };
  float* x = call.device_inout<float>("x");
  const int n = static_cast<int>(call.count("x"));
  double first_us = 0, second_us = 0;
  cudaError_t status = cudaSuccess;
  cudaDeviceSynchronize();
  call.learner([&] {
    for (double* us : {&first_us, &second_us}) {
      const double begin = now();
      status = launch_large(x, n);
      if (status == cudaSuccess) status = cudaDeviceSynchronize();
      *us = now() - begin;
    }
  });
  call.result("status", cudaGetErrorName(status));
  call.result("first_us", first_us), call.result("second_us", second_us);
}

WORKBOOK_DRIVER(started) {
  Evidence e{};
  e.machine_code = call.value<int>("machine_code") != 0;
  e.variables = variables_in(call.text("variables"));
  e.before = lines(call.text("before"));
  e.after = lines(call.text("after"));
  e.records = lines(call.text("records"));
  e.first_us = call.value<double>("first_us");
  e.second_us = call.value<double>("second_us");
  Start start{};
  call.learner([&] { start = how_it_started(e); });
  call.result("start", static_cast<int>(start));
}
