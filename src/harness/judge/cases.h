// The cases of an exercise: their order, the record, and how one ends.
#pragma once

#include <string>
#include <vector>

#include "trace/record.h"
#include "workbook/check.h"

namespace workbook::judge {

// What the running case has found so far. Expectations fill it and throw detail::CaseEnded.
trace::CaseResult& current_case();

// Ends the case with a failure; `failure.outcome` is the case's.
[[noreturn]] void end_case(trace::Failure failure);
// Ends the case without a verdict on the learner's code: not_run, inconclusive, grader_error.
[[noreturn]] void end_case(trace::Outcome outcome, std::string why);
// A bug in the workbook (a check, a driver, the harness).
[[noreturn]] void grader_error(std::string why);

// "First wrong, n = 1000: y[0] is ..."
std::string first_wrong(const std::string& say, const std::string& what);

// Opens the record, runs the cases GoogleTest selected, closes the record. Returns the exit status.
int run_all();

}  // namespace workbook::judge
