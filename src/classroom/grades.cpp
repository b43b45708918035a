#include "classroom/grades.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace workbook::classroom {

using nlohmann::json;

namespace {

json to_json(const trace::Bound& b) {
  return {{"name", b.name},  {"now_us", b.now_us}, {"limit_us", b.limit_us}, {"reference_us", b.reference_us},
          {"rule", b.rule},  {"met", b.met},       {"modelled", b.modelled}, {"device", b.device},
          {"noise", b.noise}};
}

trace::Bound bound_from_json(const json& in) {
  trace::Bound b;
  b.name = in.value("name", "");
  b.now_us = in.value("now_us", 0.0);
  b.limit_us = in.value("limit_us", 0.0);
  b.reference_us = in.value("reference_us", 0.0);
  b.rule = in.value("rule", "");
  b.met = in.value("met", false);
  b.modelled = in.value("modelled", false);
  b.device = in.value("device", "");
  b.noise = in.value("noise", 0.0);
  return b;
}

void put(json& out, const char* key, const std::string& text) {
  if (!text.empty()) out[key] = text;
}

json to_json(const SubmissionGrade& s) {
  json out{
      {"name", s.name}, {"id", s.id}, {"state", s.state}, {"points", s.points}, {"max_points", s.max_points}};
  out["exercises"] = json::array();
  for (const auto& e : s.exercises) out["exercises"].push_back(classroom::to_json(e));
  if (!s.remarks.empty()) out["remarks"] = s.remarks;
  return out;
}

SubmissionGrade submission_from_json(const json& in) {
  SubmissionGrade s;
  s.name = in.at("name").get<std::string>();
  s.id = in.at("id").get<std::string>();
  s.state = in.at("state").get<std::string>();
  s.points = in.at("points").get<double>();
  s.max_points = in.at("max_points").get<double>();
  for (const auto& e : in.at("exercises")) s.exercises.push_back(exercise_from_json(e));
  s.remarks = in.value("remarks", s.remarks);
  return s;
}

}  // namespace

json to_json(const ExerciseGrade& e) {
  json out{{"exercise", e.exercise},     {"title", e.title},    {"chapter", e.chapter},
           {"status", e.status},         {"graded", e.graded},  {"points", e.points},
           {"max_points", e.max_points}, {"seconds", e.seconds}};
  put(out, "code", e.code);
  put(out, "headline", e.headline);
  put(out, "question", e.question);
  put(out, "why", e.why);
  if (!e.evidence.empty()) out["evidence"] = e.evidence;
  for (const auto& p : e.places)
    out["places"].push_back({{"file", p.file}, {"line", p.line}, {"column", p.column}, {"note", p.note}});
  put(out, "compiler", e.compiler);
  put(out, "output", e.output);
  for (const auto& b : e.bounds) out["bounds"].push_back(to_json(b));
  if (e.all_else_right) out["all_else_right"] = true;
  put(out, "attention", e.attention);
  put(out, "answer", e.answer);
  put(out, "device_name", e.device_name);
  return out;
}

ExerciseGrade exercise_from_json(const json& in) {
  ExerciseGrade e;
  e.exercise = in.at("exercise").get<std::string>();
  e.title = in.value("title", "");
  e.chapter = in.value("chapter", "");
  e.status = in.at("status").get<std::string>();
  e.graded = in.at("graded").get<bool>();
  e.points = in.value("points", 0.0);
  e.max_points = in.value("max_points", 0.0);
  e.seconds = in.value("seconds", 0.0);
  e.code = in.value("code", "");
  e.headline = in.value("headline", "");
  e.question = in.value("question", "");
  e.why = in.value("why", "");
  e.evidence = in.value("evidence", e.evidence);
  for (const auto& p : in.value("places", json::array()))
    e.places.push_back(
        {p.value("file", ""), p.value("line", 0u), p.value("column", 0u), p.value("note", "")});
  e.compiler = in.value("compiler", "");
  e.output = in.value("output", "");
  for (const auto& b : in.value("bounds", json::array())) e.bounds.push_back(bound_from_json(b));
  e.all_else_right = in.value("all_else_right", false);
  e.attention = in.value("attention", "");
  e.answer = in.value("answer", "");
  e.device_name = in.value("device_name", "");
  return e;
}

json to_json(const Grades& g) {
  json out{{"schema", grades_schema},    {"workbook", g.workbook},       {"device", g.device},
           {"profile", g.profile},       {"engine", g.engine},           {"host", g.host},
           {"started", g.started},       {"finished", g.finished},       {"hidden_sizes", g.hidden_sizes},
           {"exercises", json::array()}, {"submissions", json::array()}, {"similar", json::array()}};
  out["isolation"] = {{"kind", g.isolation}, {"system_call_filter", g.filter}};
  put(out["isolation"], "why_no_stronger", g.isolation_why);
  out["seed"] = {{"secret", g.secret_seed}, {"fingerprint", g.seed_fingerprint}};
  if (!g.secret_seed) out["seed"]["value"] = g.seed;
  if (!g.machine.empty()) out["machine"] = g.machine;
  for (const auto& e : g.exercises)
    out["exercises"].push_back({{"exercise", e.exercise},
                                {"title", e.title},
                                {"chapter", e.chapter},
                                {"max_points", e.max_points},
                                {"optional", e.optional}});
  for (const auto& s : g.submissions) out["submissions"].push_back(to_json(s));
  for (const auto& s : g.similar)
    out["similar"].push_back({{"exercise", s.exercise},
                              {"first", s.first},
                              {"second", s.second},
                              {"share", s.share},
                              {"tokens", s.tokens}});
  return out;
}

Grades grades_from_json(const json& in) try {
  if (in.at("schema") != grades_schema)
    throw std::runtime_error(fmt::format("not of the schema {}", grades_schema));
  Grades g;
  g.workbook = in.at("workbook").get<std::string>();
  g.device = in.at("device").get<std::string>();
  g.profile = in.value("profile", "");
  g.engine = in.value("engine", "local");
  g.host = in.value("host", "");
  g.started = in.value("started", "");
  g.finished = in.value("finished", "");
  g.hidden_sizes = in.value("hidden_sizes", 0);
  g.isolation = in.at("isolation").value("kind", "none");
  g.isolation_why = in.at("isolation").value("why_no_stronger", "");
  g.filter = in.at("isolation").value("system_call_filter", false);
  g.secret_seed = in.at("seed").value("secret", false);
  g.seed_fingerprint = in.at("seed").value("fingerprint", "");
  g.seed = in.at("seed").value("value", std::uint64_t{0});
  g.machine = in.value("machine", g.machine);
  for (const auto& e : in.at("exercises"))
    g.exercises.push_back({e.at("exercise").get<std::string>(), e.value("title", ""), e.value("chapter", ""),
                           e.value("max_points", 0.0), e.value("optional", false)});
  for (const auto& s : in.at("submissions")) {
    g.submissions.push_back(submission_from_json(s));
    add_up(g.submissions.back());
  }
  for (const auto& s : in.value("similar", json::array()))
    g.similar.push_back({s.value("exercise", ""), s.value("first", ""), s.value("second", ""),
                         s.value("share", 0.0), s.value("tokens", std::size_t{0})});
  return g;
} catch (const json::exception& error) {
  throw std::runtime_error(error.what());
}

void add_up(SubmissionGrade& s) {
  s.points = s.max_points = 0;
  std::size_t graded = 0;
  for (const auto& e : s.exercises) {
    s.points += e.points;
    s.max_points += e.max_points;
    graded += e.graded ? 1 : 0;
  }
  s.points = std::round(s.points * 100) / 100;
  s.state = graded == s.exercises.size() ? "graded" : graded == 0 ? "not graded" : "partly graded";
}

}  // namespace workbook::classroom
