// What a grading found, as plain data: the source of every report and format. Its JSON is
// `workbook-grades/1`, described by docs/grades-schema.json.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "grader/verdict.h"

namespace workbook::classroom {

inline constexpr const char* grades_schema = "workbook-grades/1";

// One exercise of one submission.
struct ExerciseGrade {
  std::string exercise, title, chapter;  // "2.1", ..., "02_grids_blocks_threads"
  std::string status;                    // a verdict's name, "not handed in" or "not graded"
  bool graded = false;                   // false: nobody's fault yet; never to be read as zero points
  double points = 0, max_points = 0;
  std::string code, headline, question, why;  // of the first thing that is wrong; why: it is not graded
  std::vector<std::string> evidence;
  std::vector<trace::Place> places;
  std::string compiler, output;  // nvcc's words; what the program printed, its beginning
  std::vector<trace::Bound> bounds;
  bool all_else_right = false;  // too slow: every other case passed
  std::string attention;        // what a person should look at; empty: nothing
  std::string answer;           // names the content of the files; equal for equal ones
  std::string device_name;
  double seconds = 0;
};

struct SubmissionGrade {
  std::string name;   // as its folder is called, made printable
  std::string id;     // safe in file names, and unique
  std::string state;  // "graded", "partly graded", "not graded"
  double points = 0, max_points = 0;
  std::vector<ExerciseGrade> exercises;
  std::vector<std::string> remarks;  // files that were not taken, and why
};

// Two submissions whose answers to an exercise are much alike.
struct Similar {
  std::string exercise, first, second;
  double share = 0;  // of the shorter one's token sequences
  std::size_t tokens = 0;
};

struct GradedExercise {
  std::string exercise, title, chapter;
  double max_points = 0;
  bool optional = false;
};

struct Grades {
  std::string workbook;  // names checks, model and runtime
  std::string device, profile, engine = "local", isolation, isolation_why, host, started, finished;
  bool filter = false;
  bool secret_seed = false;
  std::uint64_t seed = 0;        // not written when it is secret
  std::string seed_fingerprint;  // of the seed's file
  int hidden_sizes = 0;
  std::vector<std::string> machine;  // what nvidia-smi says of the GPUs
  std::vector<GradedExercise> exercises;
  std::vector<SubmissionGrade> submissions;
  std::vector<Similar> similar;
};

nlohmann::json to_json(const ExerciseGrade&);
ExerciseGrade exercise_from_json(const nlohmann::json&);
nlohmann::json to_json(const Grades&);
// Throws std::runtime_error when it is not one.
Grades grades_from_json(const nlohmann::json&);

// Sums, state.
void add_up(SubmissionGrade&);

}  // namespace workbook::classroom
