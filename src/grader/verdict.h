// What a check found about one answer, with all that a page or a JSON object needs. Plain data.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "grader/manifest.h"
#include "trace/record.h"

namespace workbook::grader {

enum class VerdictKind : std::uint8_t {
  passed,
  wrong,
  too_slow,
  did_not_compile,
  crashed,
  timed_out,
  not_started,
  inconclusive,
  not_run,
  grader_error,
};
const char* name_of(VerdictKind kind);  // "too slow"
std::optional<VerdictKind> verdict_from_name(std::string_view name);

enum ExitCode : int {
  exit_passed = 0,
  exit_not_passed = 1,
  exit_usage = 2,
  exit_machine = 3,
  exit_inconclusive = 4
};
int exit_code_of(VerdictKind kind);

struct Verdict {
  VerdictKind kind = VerdictKind::grader_error;
  std::string exercise;  // "2.1"
  std::string title;
  std::string asked;
  std::string file;                          // the learner's first file, as it is shown
  std::string device, device_name, profile;  // "simulated", "NVIDIA H200 (simulated)", "h200@1"
  std::uint64_t seed = 0;
  std::vector<trace::CaseResult> cases;   // in the order they ran
  std::optional<trace::Failure> failure;  // the first thing that is wrong
  std::string failed_case;
  bool unchanged = false;     // the learner's files are the starter's
  std::string compiler_text;  // did_not_compile: nvcc's words, the learner's file first
  std::string why;            // not_run, inconclusive, grader_error: the reason
  std::string judge_output;   // for --verbose
  double compile_seconds = 0, link_seconds = 0, run_seconds = 0;
  bool compiled_from_cache = false;
};

// The verdict the record's cases amount to; `why` and `failure` are filled in.
void judge_record(const trace::Record& record, Verdict& verdict);

// Makes every text that came from the learner's program or the compiler safe to show (printable in
// text_layout.h).
void make_printable(Verdict& verdict);

// Schema "workbook-check/1", see docs/cli-json.md.
nlohmann::json to_json(const Verdict& verdict);

}  // namespace workbook::grader
