#include "trace/record.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "trace/reader.h"
#include "trace/writer.h"

namespace workbook::trace {

using nlohmann::json;

namespace {

constexpr std::array<const char*, 8> outcome_names{"passed",    "wrong",        "too_slow", "crashed",
                                                   "timed_out", "inconclusive", "not_run",  "grader_error"};

Outcome outcome_from(std::string_view text) {
  for (std::size_t i = 0; i < outcome_names.size(); ++i) {
    if (text == outcome_names[i]) return static_cast<Outcome>(i);
  }
  throw std::runtime_error(fmt::format("unknown outcome '{}'", text));
}

template <class T>
void get(const json& in, const char* key, T& value) {
  if (const auto found = in.find(key); found != in.end()) value = found->get<T>();
}

json to_json(const Place& p) {
  return {{"file", p.file}, {"line", p.line}, {"column", p.column}, {"note", p.note}};
}

Place place_from(const json& in) {
  Place p;
  get(in, "file", p.file);
  get(in, "line", p.line);
  get(in, "column", p.column);
  get(in, "note", p.note);
  return p;
}

json to_json(const Bound& b) {
  return {
      {"name", b.name}, {"now_us", b.now_us},     {"limit_us", b.limit_us}, {"reference_us", b.reference_us},
      {"rule", b.rule}, {"modelled", b.modelled}, {"device", b.device},     {"noise", b.noise},
      {"met", b.met}};
}

Bound bound_from(const json& in) {
  Bound b;
  get(in, "name", b.name);
  get(in, "now_us", b.now_us);
  get(in, "limit_us", b.limit_us);
  get(in, "reference_us", b.reference_us);
  get(in, "rule", b.rule);
  get(in, "modelled", b.modelled);
  get(in, "device", b.device);
  get(in, "noise", b.noise);
  get(in, "met", b.met);
  return b;
}

json to_json(const Failure& f) {
  json places = json::array();
  for (const Place& place : f.places) places.push_back(to_json(place));
  return {{"outcome", name_of(f.outcome)}, {"kind", f.kind},         {"code", f.code},
          {"headline", f.headline},        {"evidence", f.evidence}, {"places", std::move(places)},
          {"question", f.question}};
}

Failure failure_from(const json& in) {
  Failure f;
  f.outcome = outcome_from(in.at("outcome").get<std::string>());
  get(in, "kind", f.kind);
  get(in, "code", f.code);
  get(in, "headline", f.headline);
  get(in, "evidence", f.evidence);
  if (const auto found = in.find("places"); found != in.end()) {
    for (const json& place : *found) f.places.push_back(place_from(place));
  }
  get(in, "question", f.question);
  return f;
}

void apply_start(const json& in, Record& record) {
  if (const auto found = in.value("schema", ""); found != record_schema) {
    throw std::runtime_error(fmt::format("schema is '{}', expected '{}'", found, record_schema));
  }
  get(in, "exercise", record.exercise);
  get(in, "device", record.device);
  get(in, "device_name", record.device_name);
  get(in, "profile", record.profile);
  get(in, "seed", record.seed);
  get(in, "planned", record.planned);
}

void write_line(int fd, const json& line) {
  const std::string text = line.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
  if (!write_whole(fd, text.data(), text.size())) {
    throw std::runtime_error(fmt::format("cannot write the record: {}", std::strerror(errno)));
  }
}

}  // namespace

const char* name_of(Outcome outcome) {
  return outcome_names.at(static_cast<std::size_t>(outcome));
}

json to_json(const CaseResult& c) {
  json bounds = json::array();
  for (const Bound& bound : c.bounds) bounds.push_back(to_json(bound));
  json out{{"event", "case"},
           {"name", c.name},
           {"asked", c.asked},
           {"outcome", name_of(c.outcome)},
           {"passed_text", c.passed_text},
           {"bounds", std::move(bounds)},
           {"why", c.why},
           {"learner_output", c.learner_output},
           {"wall_ms", c.wall_ms}};
  if (c.failure) out["failure"] = to_json(*c.failure);
  return out;
}

CaseResult case_from_json(const json& in) {
  try {
    CaseResult c;
    c.name = in.at("name").get<std::string>();
    c.outcome = outcome_from(in.at("outcome").get<std::string>());
    get(in, "asked", c.asked);
    get(in, "passed_text", c.passed_text);
    get(in, "why", c.why);
    get(in, "learner_output", c.learner_output);
    get(in, "wall_ms", c.wall_ms);
    if (const auto found = in.find("bounds"); found != in.end()) {
      for (const json& bound : *found) c.bounds.push_back(bound_from(bound));
    }
    if (const auto found = in.find("failure"); found != in.end()) c.failure = failure_from(*found);
    return c;
  } catch (const json::exception& error) {
    throw std::runtime_error(error.what());
  }
}

Record read_record(const std::string& path) {
  const std::string whole = read_file(path);
  std::string_view text = whole;
  Record record;
  bool started = false;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;  // torn: the judge died while it wrote
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    try {
      if (record.ended) throw std::runtime_error("a line after the end");
      const json in = json::parse(line);
      const auto event = in.at("event").get<std::string>();
      if (event == "start" && !started) {
        apply_start(in, record);
        started = true;
      } else if (event == "case" && started) {
        record.cases.push_back(case_from_json(in));
      } else if (event == "end" && started) {
        record.ended = true;
      } else {
        throw std::runtime_error(fmt::format("'{}' is not expected here", event));
      }
    } catch (const std::exception& error) {
      throw std::runtime_error(fmt::format("{}:{}: not a record line: {}", path, number, error.what()));
    }
  }
  return record;
}

RecordWriter::RecordWriter(const std::string& path)
    : fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644)) {
  if (fd_ < 0) throw std::runtime_error(fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
}

RecordWriter::~RecordWriter() {
  if (fd_ >= 0) ::close(fd_);
}

void RecordWriter::start(const Record& r) {
  write_line(fd_, {{"event", "start"},
                   {"schema", record_schema},
                   {"exercise", r.exercise},
                   {"device", r.device},
                   {"device_name", r.device_name},
                   {"profile", r.profile},
                   {"seed", r.seed},
                   {"planned", r.planned}});
}

void RecordWriter::add(const CaseResult& c) {
  write_line(fd_, to_json(c));
}

void RecordWriter::end() {
  write_line(fd_, {{"event", "end"}});
}

}  // namespace workbook::trace
