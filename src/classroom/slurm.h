// Grading on a cluster: one task of a Slurm job array for each submission, a spool folder that all nodes see,
// and a collector that makes one result of the parts. A task that left no part is "not graded", never zero;
// the same command again submits those tasks alone.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "classroom/grades.h"
#include "classroom/submission.h"

namespace workbook::classroom {

struct SlurmOptions {
  fs::path out;                      // the grading's folder; parts lie in out/slurm
  std::vector<std::string> command;  // what a task runs; "--task FILE --index N" is added
  std::string partition, gres, time = "02:00:00";
  unsigned throttle = 0;             // so many tasks at a time; 0: as many as Slurm likes
  std::vector<std::string> further;  // options for sbatch
  std::string conditions;            // parts of other conditions do not count
};

// What a task has to know, as it stands in the plan.
struct SlurmTask {
  Submission submission;
  fs::path part;
};
SlurmTask read_task(const fs::path& plan, std::size_t index);
// `grades` holds the task's submission alone.
void write_part(const SlurmTask&, const std::string& conditions, const Grades& grades);

// Submits what is missing, waits, collects. `tell(done, all)` from time to time. Throws std::runtime_error
// when Slurm refuses. False when it was interrupted: the job goes on, and the same command collects it.
bool grade_with_slurm(const SlurmOptions&, const std::vector<Submission>&,
                      const std::vector<grader::Exercise>&,
                      const std::function<void(std::size_t, std::size_t)>& tell, Grades& grades);

}  // namespace workbook::classroom
