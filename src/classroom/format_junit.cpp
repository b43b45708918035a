// JUnit XML as GitHub, GitLab and Jenkins read it: a suite for each submission, a case for each exercise.
// Points are properties, since the format knows none.
#include <fmt/format.h>

#include <pugixml.hpp>
#include <sstream>

#include "classroom/formats.h"
#include "classroom/summary.h"

namespace workbook::classroom {

namespace {

struct Counts {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
  void add(const Counts& other) {
    tests += other.tests, failures += other.failures, errors += other.errors, skipped += other.skipped;
    seconds += other.seconds;
  }
  void put(pugi::xml_node node) const {
    node.append_attribute("tests").set_value(tests);
    node.append_attribute("failures").set_value(failures);
    node.append_attribute("errors").set_value(errors);
    node.append_attribute("skipped").set_value(skipped);
    node.append_attribute("time").set_value(fmt::format("{:.3f}", seconds).c_str());
  }
};

void put(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(harmless(value, 2000).c_str());
}

void put_property(pugi::xml_node properties, const char* name, const std::string& value) {
  auto property = properties.append_child("property");
  put(property, "name", name);
  put(property, "value", value);
}

void put_case(pugi::xml_node suite, const ExerciseGrade& e, Counts& counts) {
  auto node = suite.append_child("testcase");
  put(node, "classname", e.chapter);
  put(node, "name", e.exercise + " " + e.title);
  put(node, "time", fmt::format("{:.3f}", e.seconds));
  if (!e.places.empty()) {
    put(node, "file", e.places.front().file);
    node.append_attribute("line").set_value(e.places.front().line);
  }
  auto properties = node.append_child("properties");
  put_property(properties, "points", fmt::format("{:g}", e.points));
  put_property(properties, "max_points", fmt::format("{:g}", e.max_points));
  put_property(properties, "status", e.status);
  ++counts.tests;
  counts.seconds += e.seconds;
  if (e.status == "passed") return;
  const bool error = e.status == "grader error";
  const bool skipped = !e.graded && !error;
  auto result = node.append_child(error ? "error" : skipped ? "skipped" : "failure");
  put(result, "message", e.graded ? (e.headline.empty() ? e.status : e.headline) : "not graded: " + e.why);
  counts.errors += error ? 1 : 0;
  counts.skipped += skipped ? 1 : 0;
  counts.failures += !error && !skipped ? 1 : 0;
  if (skipped) return;
  put(result, "type", e.code.empty() ? e.status : e.code);
  result.text().set(harmless(feedback_of(e)).c_str());
}

}  // namespace

std::string junit(const Grades& grades) {
  pugi::xml_document document;
  auto declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version").set_value("1.0");
  declaration.append_attribute("encoding").set_value("UTF-8");
  auto suites = document.append_child("testsuites");
  put(suites, "name", "CUDA Workbook");
  Counts all;
  for (const auto& s : grades.submissions) {
    auto suite = suites.append_child("testsuite");
    put(suite, "name", s.name);
    put(suite, "hostname", grades.host);
    put(suite, "timestamp", grades.started);
    Counts counts;
    auto properties = suite.append_child("properties");
    put_property(properties, "points", fmt::format("{:g}", s.points));
    put_property(properties, "max_points", fmt::format("{:g}", s.max_points));
    put_property(properties, "state", s.state);
    put_property(properties, "device", grades.device == "gpu" ? "gpu" : "simulated " + grades.profile);
    put_property(properties, "isolation", grades.isolation);
    for (const auto& e : s.exercises) put_case(suite, e, counts);
    counts.put(suite);
    all.add(counts);
  }
  all.put(suites);
  std::ostringstream out;
  document.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
  return out.str();
}

}  // namespace workbook::classroom
