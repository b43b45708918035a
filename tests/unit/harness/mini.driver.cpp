#include <workbook/driver.h>

void twice(const std::string& mistake, int n, const float* from, float* to);
int five_steps(const float* from, float* to, int n);
void ranged(const float* from, float* to);
void busy(double us);

WORKBOOK_DRIVER(twice) {
  const int n = call.value<int>("n");
  const std::string mistake = call.text("mistake");
  const float* from = call.device_in<float>("x");
  float* to = call.device_out<float>("y");
  call.learner([&] { twice(mistake, n, from, to); });
}

WORKBOOK_DRIVER(five_steps) {
  const int n = call.value<int>("n");
  if (call.has("fail")) call.fail_allocation(call.value<int>("fail"));
  if (call.has("fail copy")) call.fail_copy(call.value<int>("fail copy"));
  int error = 0;
  call.learner("all", [&] { error = five_steps(call.host_in<float>("x"), call.host_out<float>("y"), n); });
  call.result("error", error);
  call.result("pi", 3.25);
  call.result("word", std::string_view("done"));
  const float more[] = {1, 2, 3};
  call.result_bytes("more", more, sizeof more);
}

WORKBOOK_DRIVER(ranged) {
  const float* from = call.host_in<float>("x");
  float* to = call.device_out<float>("y");
  call.learner([&] { ranged(from, to); });
}

// A driver that measures by itself, and hands in what it found.
WORKBOOK_DRIVER(measured_alone) {
  workbook::Measured m;
  m.learner_us = call.value<double>("us");
  m.baseline_us = 1000;
  m.ratio = m.learner_us / m.baseline_us;
  m.noise = call.value<double>("noise");
  m.pairs = 3;
  call.measured("busy", m);
}

WORKBOOK_DRIVER(timed) {
  const double us = call.value<double>("us");
  call.measure(
      "busy", [&] { busy(us); }, [&] { busy(1000); });
}
