// The formats that are JSON: Gradescope, Classroom 50, GitHub Classroom, PrairieLearn, Autolab.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "classroom/formats.h"
#include "classroom/summary.h"

namespace workbook::classroom {

namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json, int indent = 1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string name_of(const ExerciseGrade& e) {
  return harmless(e.exercise + " " + e.title, 200);
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? harmless(value, 500) : "";
}

long whole(double points) {
  return std::lround(points);
}

double seconds_of(const SubmissionGrade& s) {
  double sum = 0;
  for (const auto& e : s.exercises) sum += e.seconds;
  return sum;
}

std::string about(const Grades& grades, const SubmissionGrade& s) {
  std::string out = fmt::format("{:g} of {:g} points. Graded on {}.", s.points, s.max_points,
                                grades.device == "gpu" ? "a GPU" : "the simulated device, " + grades.profile);
  if (s.state != "graded") out += " Not everything could be graded; that is nobody's fault, and no zero.";
  for (const auto& remark : s.remarks) out += "\nnot taken: " + remark;
  return harmless(out);
}

}  // namespace

std::string gradescope(const Grades& grades, const SubmissionGrade& s) {
  // A test without a score needs a score of the whole.
  Json out{{"score", s.points},       {"execution_time", seconds_of(s)}, {"output", about(grades, s)},
           {"output_format", "text"}, {"test_output_format", "text"},    {"test_name_format", "text"},
           {"visibility", "visible"}, {"stdout_visibility", "hidden"},   {"tests", Json::array()}};
  for (const auto& e : s.exercises) {
    Json test{{"name", name_of(e)},
              {"number", e.exercise},
              {"output", harmless(feedback_of(e))},
              {"tags", {e.status}},
              {"visibility", "visible"}};
    if (e.graded) {
      test["score"] = e.points;
      test["max_score"] = e.max_points;
      test["status"] = e.status == "passed" ? "passed" : "failed";
    }
    out["tests"].push_back(test);
  }
  out["extra_data"] = {{"schema", grades_schema},
                       {"workbook", grades.workbook},
                       {"isolation", grades.isolation},
                       {"state", s.state}};
  return text_of(out) + "\n";
}

std::string classroom50(const Grades& grades, const SubmissionGrade& s) {
  Json out{{"schema", "classroom50/result/v1"},
           {"classroom", environment("CLASSROOM")},
           {"assignment", environment("ASSIGNMENT")},
           {"assignment_type",
            environment("ASSIGNMENT_TYPE").empty() ? "individual" : environment("ASSIGNMENT_TYPE")},
           {"owner", environment("OWNER").empty() ? environment("USERNAME") : environment("OWNER")},
           {"submission", environment("SUBMISSION_TAG")},
           {"commit", environment("COMMIT_URL")},
           {"release", environment("RELEASE_URL")},
           {"review", environment("REVIEW_URL")},
           {"datetime", grades.finished},
           {"score", whole(s.points)},
           {"max-score", whole(s.max_points)},
           {"tests", Json::array()}};
  for (const auto& e : s.exercises)
    out["tests"].push_back({{"test-name", name_of(e)},
                            {"passed", e.status == "passed"},
                            {"score", whole(e.points)},
                            {"max-score", whole(e.max_points)},
                            {"status", e.status},
                            {"message", harmless(feedback_of(e), 4000)}});
  return text_of(out) + "\n";
}

std::string github_classroom(const Grades&, const SubmissionGrade& s) {
  const bool error = s.state != "graded";
  bool all_passed = true;
  Json tests = Json::array();
  for (const auto& e : s.exercises) {
    all_passed = all_passed && e.status == "passed";
    Json test{{"name", name_of(e)},
              {"status", !e.graded              ? "error"
                         : e.status == "passed" ? "pass"
                                                : "fail"},
              {"score", whole(e.points)},
              {"message", harmless(feedback_of(e), 4000)},
              {"test_code", "./workbook check " + e.exercise},
              {"filename", e.places.empty() ? "" : harmless(e.places.front().file, 300)},
              {"line_no", e.places.empty() ? 0 : e.places.front().line},
              {"duration", whole(e.seconds * 1000)}};
    tests.push_back(test);
  }
  const Json out{{"version", 1},
                 {"status", error        ? "error"
                            : all_passed ? "pass"
                                         : "fail"},
                 {"max_score", whole(s.max_points)},
                 {"tests", tests}};
  return base64(text_of(out, -1)) + "\n";
}

std::string prairielearn(const Grades& grades, const SubmissionGrade& s) {
  constexpr std::size_t most = 1'000'000;  // of the whole file
  for (std::size_t each = 20'000;; each /= 2) {
    Json out{{"gradable", s.state != "not graded"},
             {"score", s.max_points > 0 ? s.points / s.max_points : 0.0},
             {"message", about(grades, s)},
             {"output", ""},
             {"tests", Json::array()}};
    for (const auto& e : s.exercises)
      out["tests"].push_back({{"name", name_of(e)},
                              {"description", e.status},
                              {"points", e.points},
                              {"max_points", e.max_points},
                              {"message", harmless(e.headline.empty() ? e.why : e.headline, 500)},
                              {"output", harmless(feedback_of(e), each)}});
    const std::string text = text_of(out) + "\n";
    if (text.size() < most || each < 100) return text;
  }
}

// The last line is what counts; the one before it is shown to the student.
std::string autolab(const Grades& grades, const SubmissionGrade& s) {
  Json shown{{"_presentation", "semantic"}, {"stages", Json::array()}};
  Json scores = Json::object();
  for (const auto& e : s.exercises) {
    const std::string stage = e.chapter;
    if (!shown.contains(stage)) {
      shown["stages"].push_back(stage);
      shown[stage] = Json::object();
    }
    Json result{{"passed", e.status == "passed"}};
    if (e.status != "passed") result["hint"] = harmless(e.headline.empty() ? e.status : e.headline, 500);
    shown[stage][name_of(e)] = result;
    if (e.graded) scores[e.exercise] = e.points;
  }
  const Json last{{"scores", scores}, {"scoreboard", {fmt::format("{:g}", s.points)}}};
  return harmless(feedback_of(grades, s), 100'000) + "\n" + text_of(shown, -1) + "\n" + text_of(last, -1) +
         "\n";
}

}  // namespace workbook::classroom
