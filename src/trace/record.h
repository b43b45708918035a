// Judge to grader: what the checks of one exercise found. JSON Lines, schema "workbook-record/1"
// (docs/record-schema.md), written by the judge alone. No `end` line means that the judge ended early,
// whatever its exit code. Everything a person or another format sees is derived from this file.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace workbook::trace {

inline constexpr const char* record_schema = "workbook-record/1";

// The verdict of one case, one exercise. Order of severity is not implied.
enum class Outcome : std::uint8_t {
  passed,
  wrong,
  too_slow,
  crashed,
  timed_out,
  inconclusive,
  not_run,
  grader_error,
};
// Two more exist only above the judge: did_not_compile, not_started (src/grader).
const char* name_of(Outcome);

// Where in the learner's file something happened.
struct Place {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // 0 = unknown
  std::string note;          // under the caret: "writes 4 bytes, 0 past the end of d_y (4000 bytes)"
};

// One bar of the picture of a time bound.
struct Bound {
  std::string name;         // "time against copy"
  double now_us = 0;        // the learner's time
  double limit_us = 0;      // the bound
  double reference_us = 0;  // the reference solution's, from chapter.toml's ratio; 0 = unknown
  std::string rule;         // "1.25 x copy"
  bool modelled = false;
  std::string device;  // "h200@1" or the GPU's name
  double noise = 0;    // (q3 - q1) / median of the ratios; 0 when modelled
  bool met = false;
};

// The first thing that is wrong, in the order it is shown.
struct Failure {
  Outcome outcome = Outcome::wrong;
  std::string kind;  // "values", "fault", "api_error", "trace", "time", "crash", "timeout", "contract"
  std::string code;  // fine-grained and stable, for `wrong/` expectations: "out_of_bounds", "pattern.tail",
                     // "bytes_elements", "missing_free", "bound.roof"
  std::string headline;  // "First wrong, n = 1000: y[1000] was written, and y has 1000 elements."
  std::vector<std::string>
      evidence;               // further lines: thread and block, got and expected, the pattern in words
  std::vector<Place> places;  // the first is shown with source and caret
  std::string question;       // the sentence that leads on
};

struct CaseResult {
  std::string name;   // "every_size"
  std::string asked;  // "y = a*x + y for n elements, any n from 0 up."
  Outcome outcome = Outcome::passed;
  std::string passed_text;  // "right for 14 sizes"
  std::optional<Failure> failure;
  std::vector<Bound> bounds;
  std::string why;             // not_run, inconclusive, grader_error: the reason
  std::string learner_output;  // first 4 KiB of what the learner's program printed
  std::int64_t wall_ms = 0;
};

struct Record {
  std::string exercise;  // "2.1"
  std::string device;    // "simulated" or "gpu"
  std::string device_name;
  std::string profile;
  std::uint64_t seed = 0;
  std::vector<std::string> planned;  // names of the cases that must appear
  std::vector<CaseResult> cases;
  bool ended = false;
};

nlohmann::json to_json(const CaseResult&);
CaseResult case_from_json(const nlohmann::json&);

// Reads what is there; a torn last line is ignored. Throws std::runtime_error when the file is not a record.
Record read_record(const std::string& path);

// Appends lines; each is flushed as a whole.
class RecordWriter {
 public:
  explicit RecordWriter(const std::string& path);  // throws std::runtime_error
  ~RecordWriter();
  void start(const Record& facts_and_plan);
  void add(const CaseResult&);
  void end();

 private:
  int fd_ = -1;
};

}  // namespace workbook::trace
